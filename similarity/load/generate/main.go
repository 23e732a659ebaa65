// Command generate writes the data of package load to files, for k6 and other programs
// that make load.
//
//	generate -texts -kind plain -out plain.jsonl   the 1,000 texts, a string of JSON a line, for similarity.js
//	generate -kind messy -n 500 -out bodies.jsonl  500 bodies of requests, one a line
//	generate -n 500 -out bodies/                   the same, each in a file of its own
//	generate                                       1,000 plain bodies on the standard output
//	generate -help                                 all flags
//
// The same flags write the same bytes everywhere. A file is there whole or not at all.
// The exit status is 0 if all was written, 1 if something failed, and 2 if generate was
// called wrongly.
package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/muxwell/muxwell/similarity/load"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run runs the command and returns its exit status.
func run(args []string, stdout, stderr io.Writer) int {
	o, err := parse(args, stdout)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		fmt.Fprintf(stderr, "generate: %v\n", err)
		return 2
	}
	if err := o.write(stdout); err != nil {
		fmt.Fprintf(stderr, "generate: %v\n", err)
		return 1
	}
	return 0
}

// write writes what the flags ask for.
func (o *options) write(stdout io.Writer) error {
	entries := o.entries()
	switch {
	case o.out == "-":
		return lines(stdout, entries)
	case o.directory():
		return files(o.out, entries)
	}
	return whole(o.out, func(w io.Writer) error { return lines(w, entries) })
}

// entries calls its argument with each text or body in turn, until that fails. The
// bytes are valid until it returns.
func (o *options) entries() func(func(k int, entry []byte) error) error {
	count := load.TextCount
	if o.texts {
		count = o.n
	}
	literals := load.Literals(o.kind, count, load.TextSize, o.seed)
	return func(take func(k int, entry []byte) error) error {
		var body []byte
		for k := range o.n {
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

// lines writes an entry a line.
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

// files writes each entry to a file of its own in a directory, which it makes.
func files(dir string, entries func(func(int, []byte) error) error) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	return entries(func(k int, entry []byte) error {
		return whole(filepath.Join(dir, fmt.Sprintf("%06d.json", k)), func(w io.Writer) error {
			_, err := w.Write(entry)
			return err
		})
	})
}

// whole writes a file beside its place, and puts it there when it is complete.
func whole(name string, write func(io.Writer) error) (err error) {
	f, err := os.CreateTemp(filepath.Dir(name), filepath.Base(name)+".*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
		}
	}()
	if err := write(f); err != nil {
		return err
	}
	if err := f.Chmod(0o644); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}

// directory reports whether -out names one.
func (o *options) directory() bool {
	if strings.HasSuffix(o.out, "/") || strings.HasSuffix(o.out, string(filepath.Separator)) {
		return true
	}
	info, err := os.Stat(o.out)
	return err == nil && info.IsDir()
}
