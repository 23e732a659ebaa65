package batch

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"runtime"
	"slices"

	"github.com/muxwell/muxwell/similarity/internal/command"
	"github.com/muxwell/muxwell/similarity/score"
	"github.com/muxwell/muxwell/similarity/table"
)

// Options are the values of the arguments.
type options struct {
	inputs       []string // - is the standard input
	out          string   // - is the standard output
	rejected     string
	format       table.Format // of the inputs, or "" if they tell
	text1, text2 string       // columns
	words        score.Words
	comma        byte // or 0
	limit        int  // bytes of a row
	workers      int
	reports      int // -1 is all
	force        bool

	chunk int // bytes that a worker gets at once, about
}

const usageHead = `Usage: similarity batch [FLAGS] FILE...

Compares the columns text1 and text2 of each row of CSV, JSONL or Parquet files. They
may be compressed by gzip or zstd. FILE - is standard input.

  similarity batch pairs.csv               writes pairs.similarity.csv: the input's columns,
                                           similarity (0 to 1) and interpretation
  similarity batch 'data/*.jsonl.gz'       writes an output for each file
  similarity batch -out all.parquet 'data/*.jsonl.gz'
  similarity batch -out - -comma ';' pairs.csv | head

Rows that cannot be compared are reported by line and copied, byte for byte, to
pairs.rejected.csv. Fix them there and run similarity batch on that file.

Outputs have their names when they are complete, and .partial at the end until then.

Exit status: 0 all rows compared, 1 failed, 2 invalid arguments, 3 some rows were
rejected, 130 interrupted.

Flags:
`

// parse parses the arguments. It prints help to stdout.
func parse(args []string, stdout io.Writer) (*options, error) {
	o := &options{limit: table.MaxRecord, workers: runtime.GOMAXPROCS(0), chunk: 128 << 10}
	fs := flag.NewFlagSet("similarity batch", flag.ContinueOnError)
	o.define(fs)
	operands, err := command.Parse(fs, args, usageHead, stdout)
	if err == nil && len(operands) == 0 {
		err = command.UsageError{Err: errors.New("missing file; write, for example, similarity batch pairs.csv, or - for standard input; -help shows all flags")}
	}
	if err != nil {
		return nil, err
	}
	o.inputs = operands
	if err := o.check(); err != nil {
		return nil, command.UsageError{Err: err}
	}
	return o, nil
}

// define defines the flags.
func (o *options) define(fs *flag.FlagSet) {
	fs.StringVar(&o.out, "out", "", "write to this `file`, in the format and with the compression of its name, such as .jsonl.gz or\n.parquet; - is standard output (default pairs.similarity.csv for pairs.csv, and - for standard\ninput)")
	fs.StringVar(&o.rejected, "rejected", "", "write rejected rows to this `file` (default pairs.rejected.csv next to the output; with -out -\nnext to the input)")
	fs.Func("format", "the `format` of the files: csv, jsonl or parquet (default that of the name or the content, or csv)", func(s string) (err error) {
		if o.format, err = table.ParseFormat(s); err != nil || o.format == table.Text {
			return errors.New("must be csv, jsonl or parquet")
		}
		return nil
	})
	fs.StringVar(&o.text1, "text1", "text1", "the `column` with the first text")
	fs.StringVar(&o.text2, "text2", "text2", "the `column` with the second text")
	fs.BoolVar(&o.force, "force", false, "overwrite the output and the rejected rows of an earlier run")
	fs.Func("words", "the kind of `words`: ascii, of [0-9A-Za-z_]; unicode, of letters and digits of all scripts;\nor bigrams, also for languages without spaces between words (default ascii)", func(s string) (err error) {
		o.words, err = score.ParseWords(s)
		return err
	})
	fs.Func("comma", "the `character` between fields of CSV, such as ';', or tab (default ,\nor tab for .tsv)", func(s string) (err error) {
		o.comma, err = table.ParseComma(s)
		return err
	})
	fs.IntVar(&o.workers, "workers", o.workers, "compare this `number` of chunks of rows at the same time")
	fs.Func("max-record", "reject rows larger than this `size`, such as 100000, 500KiB or 8MiB (default 64MiB,\nthe maximum)", func(s string) error {
		n, ok := command.ParseSize(s, 1, table.MaxRecord)
		if !ok {
			return errors.New("must be a size up to 64MiB, such as 100000, 500KiB or 8MiB")
		}
		o.limit = int(n)
		return nil
	})
	fs.IntVar(&o.reports, "reports", 20, "report the first `number` of rejected rows; -1 reports all")
}

// check checks the options together.
func (o *options) check() error {
	switch {
	case o.workers < 1 || o.workers > 1024:
		return fmt.Errorf("-workers %d: must be from 1 to 1024", o.workers)
	case o.reports < -1:
		return fmt.Errorf("-reports %d: must be 0 or more, or -1 for all", o.reports)
	case slices.Contains(o.inputs, ""):
		return errors.New("the file name is empty")
	case o.rejected == "-":
		return errors.New("-rejected -: rejected rows are written to a file; name one")
	case o.text1 == o.text2:
		return fmt.Errorf("-text1 and -text2 are the same column %q", o.text1)
	}
	return nil
}
