// Command generate writes the data of package load to files, for k6 and other load
// generators.
//
//	generate -texts -kind plain -out plain.jsonl   the 1,000 texts, a JSON string per line, for similarity.js
//	generate -kind messy -n 500 -out bodies.jsonl  500 bodies of requests, one a line
//	generate -n 500 -out bodies/                   500 plain bodies, one file each
//	generate                                       1,000 plain bodies to standard output
//	generate documents -n 100000 > corpus.jsonl    documents of 2 KB with the word frequencies of real text
//	generate -help                                 all flags
//
// The same flags write the same bytes on every machine. A file is written completely or
// not at all. The exit status is 0 on success, 1 if something failed, 2 for invalid
// arguments, and 130 after Ctrl-C or SIGTERM.
package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/muxwell/muxwell/internal/wholefile"
	"github.com/muxwell/muxwell/similarity/load"
)

func main() {
	ctx, restore := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, restore) // a second signal kills the process
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// run runs the command and returns its exit status.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	o, err := parse(args, stdout)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		fmt.Fprintf(stderr, "generate: %v\n", err)
		return 2
	}
	err = o.write(ctx, stdout)
	switch {
	case err == nil:
		return 0
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(stderr, "generate: interrupted")
		return 130 // 128 plus the number of SIGINT, as in shells
	}
	fmt.Fprintf(stderr, "generate: %v\n", err)
	return 1
}

// write writes the texts or bodies, until ctx is done.
func (o *options) write(ctx context.Context, stdout io.Writer) error {
	entries := o.entries(ctx)
	switch {
	case o.out == "-":
		return lines(stdout, entries)
	case o.directory():
		return files(o.out, entries)
	}
	return wholefile.Write(o.out, func(f *os.File) error { return lines(f, entries) })
}

// entries returns a function that calls its argument with each text, body or document in
// turn, until the argument returns an error or ctx is done. The bytes are valid during the
// call only.
func (o *options) entries(ctx context.Context) func(func(k int, entry []byte) error) error {
	if o.documents {
		return o.documentLines(ctx)
	}
	count := load.TextCount
	if o.texts {
		count = o.n
	}
	literals := load.Literals(o.kind, count, load.TextSize, o.seed)
	return func(take func(k int, entry []byte) error) error {
		var body []byte
		for k := range o.n {
			if err := ctx.Err(); err != nil {
				return err
			}
			entry := body
			if o.texts {
				entry = literals[k]
			} else {
				body = load.AppendBody(body[:0], literals, k)
				entry = body
			}
			if err := take(k, entry); err != nil {
				return err
			}
		}
		return nil
	}
}

// documentLines returns a function like that of entries, for documents.
func (o *options) documentLines(ctx context.Context) func(func(int, []byte) error) error {
	return func(take func(k int, entry []byte) error) error {
		var line []byte
		for d := range load.Documents(o.n, o.size, o.seed) {
			if err := ctx.Err(); err != nil {
				return err
			}
			line = d.AppendJSON(line[:0])
			if err := take(d.ID, line); err != nil {
				return err
			}
		}
		return nil
	}
}

// lines writes one entry per line.
func lines(w io.Writer, entries func(func(int, []byte) error) error) error {
	buffered := bufio.NewWriter(w)
	if err := entries(func(_ int, entry []byte) error {
		buffered.Write(entry)
		return buffered.WriteByte('\n')
	}); err != nil {
		return err
	}
	return buffered.Flush()
}

// files creates a directory and writes each entry to a file in it.
func files(dir string, entries func(func(int, []byte) error) error) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	return entries(func(k int, entry []byte) error {
		return wholefile.Write(filepath.Join(dir, fmt.Sprintf("%06d.json", k)), func(f *os.File) error {
			_, err := f.Write(entry)
			return err
		})
	})
}

// directory reports whether -out is a directory.
func (o *options) directory() bool {
	if strings.HasSuffix(o.out, "/") || strings.HasSuffix(o.out, string(filepath.Separator)) {
		return true
	}
	info, err := os.Stat(o.out)
	return err == nil && info.IsDir()
}
