package pairs

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"runtime"
	"strconv"
	"time"

	"github.com/muxwell/muxwell/similarity/internal/command"
	"github.com/muxwell/muxwell/similarity/score"
	"github.com/muxwell/muxwell/similarity/table"
)

// Options are the values of the arguments.
type options struct {
	inputs    []string
	out       string
	format    table.Format // of the output
	threshold int          // thousandths
	words     score.Words
	id, text  string // columns
	needsID   bool   // tables must have the column id
	comma     byte   // between fields of CSV, or 0

	inputFormat table.Format // or ""
	memory      int64
	temp        string
	workers     int
	reports     int
	resume      bool
	force       bool
	continues   bool // the output can be continued

	every        time.Duration // a checkpoint is written
	checkpointed func()        // after it
	blockSize    int           // documents
}

const usageHead = `Usage: similarity pairs [FLAGS] FILE...

Finds all pairs of documents with a similarity of -threshold or more. The similarity is
the one that the service returns. The search is exact: no pair is missing.

  similarity pairs -out pairs.csv corpus.jsonl   documents are rows with the columns id and text
  similarity pairs -threshold 0.9 '*.txt'        each file is a document
  similarity pairs -resume -out pairs.csv corpus.jsonl

FILE is CSV, JSONL or Parquet, with a row for each document, or any other text, which
is one document. Files may be compressed with gzip or zstd. FILE - is standard input.

The output has the columns id1, id2 and similarity. The document id1 comes before id2
in the input. Documents without words are in no pair.

After Ctrl-C or a crash, the same command with -resume continues, if the output is a
CSV or JSONL file that is not compressed.

Exit status: 0 all documents compared, 1 failed, 2 invalid arguments, 3 some documents
could not be read, 130 interrupted.

Flags:
`

// parse parses the arguments. It prints help to stdout.
func parse(args []string, stdout io.Writer) (*options, error) {
	o := &options{threshold: 800, id: "id", memory: 1 << 30, workers: runtime.GOMAXPROCS(0), every: time.Second, checkpointed: func() {}, blockSize: blockSize}
	fs := flag.NewFlagSet("similarity pairs", flag.ContinueOnError)
	o.define(fs)
	var err error
	if o.inputs, err = command.Parse(fs, args, usageHead, stdout); err != nil {
		return nil, err
	}
	if err := o.check(); err != nil {
		return nil, command.UsageError{Err: err}
	}
	return o, nil
}

// define defines the flags.
func (o *options) define(fs *flag.FlagSet) {
	fs.Func("threshold", "the least `similarity` of a pair, from 0.001 to 1 (default 0.8)", func(s string) error {
		x, err := strconv.ParseFloat(s, 64)
		o.threshold = int(math.Round(1000 * x))
		if err != nil || !(x >= 0.001 && x <= 1) || float64(o.threshold)/1000 != x {
			return errors.New("must be from 0.001 to 1, with up to three decimals")
		}
		return nil
	})
	fs.StringVar(&o.out, "out", "-", "write the pairs to this `file`; its name chooses the format and the compression, for example\npairs.csv, pairs.jsonl.gz or pairs.parquet; - is standard output, as CSV")
	fs.Func("format", "the `format` of all input files: csv, jsonl, parquet or text (default by their names and content)", func(s string) (err error) {
		o.inputFormat, err = table.ParseFormat(s)
		return err
	})
	fs.Func("comma", "the `character` between fields of CSV, such as ';', or tab (default ,)", func(s string) (err error) {
		o.comma, err = table.ParseComma(s)
		return err
	})
	fs.Func("id", "the `column` with the documents' IDs (default id; documents without one are named\nby their file and line)", func(s string) error {
		o.id, o.needsID = s, s != ""
		return nil
	})
	fs.StringVar(&o.text, "text", "text", "the `column` with the documents' texts")
	fs.Func("words", "the `kind` of words: ascii, of [0-9A-Za-z_]; unicode, of letters and digits of all scripts;\nor bigrams, also for languages without spaces between words (default ascii)", func(s string) (err error) {
		o.words, err = score.ParseWords(s)
		return err
	})
	fs.Func("memory", "keep up to this `size` of documents in memory, such as 512MiB, and the others in a temporary\nfile (default 1GiB, about 200,000 documents of 2 KB)", func(s string) error {
		n, ok := command.ParseSize(s, 0, math.MaxInt64)
		if !ok {
			return errors.New("must be a size such as 500000, 512MiB or 2GiB")
		}
		o.memory = n
		return nil
	})
	fs.StringVar(&o.temp, "temp", "", "the `folder` for the temporary file (default $TMPDIR)")
	fs.IntVar(&o.workers, "workers", o.workers, "the `number` of processors to use")
	fs.IntVar(&o.reports, "reports", 20, "report the first `number` of documents that cannot be read; -1 reports all")
	fs.BoolVar(&o.resume, "resume", false, "continue where an unfinished run stopped, or start if there is none")
	fs.BoolVar(&o.force, "force", false, "overwrite the output of an earlier run")
}

// check checks the options together.
func (o *options) check() (err error) {
	compressed := false
	o.format, compressed = table.OutputFormat(o.out, table.CSV)
	o.continues = o.out != "-" && o.format != table.Parquet && !compressed
	switch {
	case len(o.inputs) == 0:
		return errors.New("missing file; write, for example, similarity pairs corpus.jsonl, or - for standard input; -help shows all flags")
	case o.out == "":
		return errors.New("-out: missing file; - is standard output")
	case o.id == o.text:
		return fmt.Errorf("-id and -text: %q cannot be both", o.id)
	case o.workers < 1 || o.workers > 1024:
		return fmt.Errorf("-workers %d: must be from 1 to 1024", o.workers)
	case o.reports < -1:
		return fmt.Errorf("-reports %d: must be 0 or more, or -1 for all", o.reports)
	case o.resume && o.force:
		return errors.New("-resume and -force exclude each other: continue with -resume, or start again with -force")
	case o.resume && o.out == "-":
		return errors.New("-resume: standard output cannot be continued; write to a file with -out FILE")
	case o.resume && !o.continues:
		return fmt.Errorf("-resume: %s cannot be continued; write CSV or JSONL that is not compressed", o.out)
	}
	if o.inputs, err = table.Expand(o.inputs); err != nil {
		return err
	}
	known := map[string]bool{}
	for _, name := range o.inputs {
		path := filepath.Clean(name)
		if known[path] {
			return fmt.Errorf("%s is named twice; each document would be similar to itself", name)
		}
		known[path] = true
	}
	return nil
}
