package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strconv"

	"github.com/muxwell/muxwell/similarity/load"
)

// Options are the values of the flags.
type options struct {
	kind      load.Kind
	n         int
	seed      uint64
	texts     bool
	documents bool
	size      int
	out       string
}

const usageHead = `Usage: generate [FLAGS]
       generate documents [-n N] [-size BYTES] [-seed SEED] [-out FILE]

Writes bodies of requests, {"text1":…,"text2":…}, or the texts that they contain:
1,000 texts of 10,000 characters. Or writes documents, {"id":…,"text":…}, with the word
frequencies of real text, of which one in ten is an edit of an earlier one.

Flags:
`

// parse parses the arguments. It prints help to stdout.
func parse(args []string, stdout io.Writer) (*options, error) {
	o := &options{n: 1000, seed: 1}
	if o.documents = len(args) > 0 && args[0] == "documents"; o.documents {
		args = args[1:]
	}
	fs := flag.NewFlagSet("generate", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	if o.documents {
		fs.IntVar(&o.size, "size", 2048, "the approximate size of a document in `bytes`")
	} else {
		o.textFlags(fs)
	}
	fs.Func("n", "the `number` of bodies, texts or documents (default 1000)", func(s string) (err error) {
		if o.n, err = strconv.Atoi(s); err != nil {
			return errors.New("must be a whole number")
		}
		return nil
	})
	fs.Func("seed", "the `seed` of the texts; the same seed gives the same texts (default 1)", func(s string) (err error) {
		if o.seed, err = strconv.ParseUint(s, 10, 64); err != nil {
			return errors.New("must be a whole number, 0 or more")
		}
		return nil
	})
	fs.StringVar(&o.out, "out", "-", "write to this `file`, one per line; or to a directory, which ends in /, one per\nfile; - is standard output")

	if err := fs.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			fmt.Fprint(stdout, usageHead)
			fs.SetOutput(stdout)
			fs.PrintDefaults()
			return nil, err
		}
		return nil, fmt.Errorf("%w; -help shows all flags", err)
	}
	if fs.NArg() > 0 {
		return nil, fmt.Errorf("unexpected argument %q; set the file with -out", fs.Arg(0))
	}
	return o, o.check()
}

// textFlags adds the flags for bodies and texts.
func (o *options) textFlags(fs *flag.FlagSet) {
	fs.Func("kind", "`plain` or messy texts (default plain)", func(s string) (err error) {
		if o.kind, err = load.ParseKind(s); err != nil {
			return errors.New("must be plain or messy")
		}
		return nil
	})
	fs.BoolVar(&o.texts, "texts", false, "write texts, as JSON strings, for similarity.js")
}

// check returns an error if the flags are invalid together.
func (o *options) check() error {
	switch {
	case o.out == "":
		return errors.New(`-out "" is not a file; use - for standard output`)
	case o.documents && (o.n < 1 || o.n > load.MaxDocuments):
		return fmt.Errorf("-n %d: must be from 1 to %d documents", o.n, load.MaxDocuments)
	case o.documents && (o.size < 1 || o.size > load.MaxDocumentSize):
		return fmt.Errorf("-size %d: must be from 1 to %d bytes", o.size, load.MaxDocumentSize)
	case o.documents:
		return nil
	case o.texts && (o.n < 2 || o.n > 100_000 || o.n%2 != 0):
		return fmt.Errorf("-n %d: must be an even number of texts from 2 to 100000, so that each has a partner", o.n)
	case !o.texts && (o.n < 1 || o.n > load.MaxBodies):
		return fmt.Errorf("-n %d: must be from 1 to %d, the number of distinct bodies", o.n, load.MaxBodies)
	}
	return nil
}
