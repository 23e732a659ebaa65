// Command measure extracts English documents from a machine and measures the word statistics
// of documents, real ones and generated ones.
//
//	measure extract /usr/share/man /usr/share/common-licenses > real.jsonl   whole documents
//	measure extract -size 2048 /usr/share/man > excerpts.jsonl               2 KB of each document
//	measure words excerpts.jsonl                                             the words and how frequent they are
//	measure statistics excerpts.jsonl documents.jsonl                        a table with one column per file
//
// Documents are JSON objects with the keys id and text, one per line. Package installed says
// which files are extracted: at most 20 of a family, or as many as -family says, and all if it
// is 0. The exit status is 0 on success, 1 if something failed, and 2 for invalid arguments.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/muxwell/muxwell/similarity/load/installed"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

const usage = `Usage: measure extract [-size BYTES] [-family N] DIR...
       measure words FILE...
       measure statistics FILE...
`

var errUsage = errors.New("invalid arguments")

// run runs the command and returns its exit status.
func run(args []string, stdout, stderr io.Writer) int {
	out := bufio.NewWriter(stdout)
	err := dispatch(args, out)
	if err == nil {
		err = out.Flush()
	}
	switch {
	case err == nil:
		return 0
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(stdout, usage)
		return 0
	case errors.Is(err, errUsage):
		fmt.Fprint(stderr, usage)
		return 2
	}
	fmt.Fprintf(stderr, "measure: %v\n", err)
	return 1
}

func dispatch(args []string, out io.Writer) error {
	if len(args) > 0 && slices.Contains([]string{"-h", "-help", "--help", "help"}, args[0]) {
		return flag.ErrHelp
	}
	if len(args) < 2 {
		return errUsage
	}
	fs := flag.NewFlagSet(args[0], flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	var limits installed.Limits
	if args[0] == "extract" {
		fs.IntVar(&limits.Size, "size", 0, "")
		fs.IntVar(&limits.Family, "family", 20, "")
	}
	if err := fs.Parse(args[1:]); errors.Is(err, flag.ErrHelp) {
		return err
	} else if err != nil || fs.NArg() == 0 {
		return errUsage
	}
	switch args[0] {
	case "extract":
		return extract(out, fs.Args(), limits)
	case "words":
		return words(out, fs.Args())
	case "statistics":
		return table(out, fs.Args())
	}
	return errUsage
}

// extract writes the documents in directories.
func extract(out io.Writer, dirs []string, limits installed.Limits) error {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	return installed.Walk(dirs, limits, func(name, text string) error {
		return encoder.Encode(document{ID: name, Text: text})
	})
}

// A document is a line of a file.
type document struct {
	ID   string `json:"id"`
	Text string `json:"text"`
}

// read returns the documents of a file.
func read(name string) ([]document, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var documents []document
	for line := range bytes.Lines(data) {
		var d document
		if err := json.Unmarshal(line, &d); err != nil {
			return nil, fmt.Errorf("%s: line %d: %w", name, len(documents)+1, err)
		}
		documents = append(documents, d)
	}
	return documents, nil
}
