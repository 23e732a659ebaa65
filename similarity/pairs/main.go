package pairs

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/muxwell/muxwell/similarity/join"
	"github.com/muxwell/muxwell/similarity/score"
	"github.com/muxwell/muxwell/similarity/table"
)

// Exit statuses.
const (
	statusFailed      = 1
	statusUsage       = 2
	statusRejected    = 3
	statusInterrupted = 130 // 128 plus the number of SIGINT, as in shells
)

// A usageError is an error in the arguments.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// errRejected is the error of a complete run that could not read some documents.
var errRejected = errors.New("documents were rejected")

// errInterrupted is the error of a run that was canceled by ctx.
var errInterrupted = errors.New("interrupted")

// Main runs the command with the arguments after its name, and returns its exit status: 0 if
// all documents were compared, 1 if something failed, 2 for invalid arguments, 3 if some
// documents could not be read, 130 if ctx was canceled. A progress bar is shown if stderr is
// a terminal.
func Main(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	o, err := parse(args, stdout)
	if err == nil {
		err = o.run(ctx, stdin, stdout, stderr)
	}
	_, isUsage := errors.AsType[usageError](err)
	switch {
	case err == nil, errors.Is(err, flag.ErrHelp):
		return 0
	case errors.Is(err, errRejected):
		return statusRejected
	}
	fmt.Fprintf(stderr, "similarity pairs: %v\n", err)
	switch {
	case errors.Is(err, errInterrupted):
		return statusInterrupted
	case isUsage:
		return statusUsage
	}
	return statusFailed
}

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
	fs.SetOutput(io.Discard)
	o.define(fs)
	for rest := args; ; rest = fs.Args()[1:] { // flags before and after files
		err := fs.Parse(rest)
		if errors.Is(err, flag.ErrHelp) {
			fmt.Fprint(stdout, usageHead)
			fs.SetOutput(stdout)
			fs.PrintDefaults()
			return nil, err
		}
		if err != nil {
			return nil, usageError{fmt.Errorf("%w; -help shows all flags", err)}
		}
		if fs.NArg() == 0 {
			break
		}
		o.inputs = append(o.inputs, fs.Arg(0))
	}
	if err := o.check(); err != nil {
		return nil, usageError{err}
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
	fs.Func("memory", "keep up to this `size` of documents in memory, such as 512MiB, and the others in a temporary\nfile (default 1GiB, about 200,000 documents of 2 KB)", func(s string) (err error) {
		o.memory, err = parseSize(s)
		return err
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

// parseSize parses a size in bytes, with a unit or without.
func parseSize(s string) (int64, error) {
	number, unit := s, int64(1)
	for i, suffix := range []string{"KiB", "MiB", "GiB"} {
		if rest, ok := strings.CutSuffix(s, suffix); ok {
			number, unit = rest, 1<<(10*(i+1))
		}
	}
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil || n < 0 || n > math.MaxInt64/unit {
		return 0, errors.New("must be a size such as 500000, 512MiB or 2GiB")
	}
	return n * unit, nil
}

// run reads the documents, compares them, and prints a summary.
func (o *options) run(ctx context.Context, stdin io.Reader, stdout, stderr io.Writer) error {
	old, err := o.earlier()
	if err != nil {
		return err
	}
	defer limitMemory(o.memory)()
	c := newCorpus(o.threshold, o.memory, o.temp)
	c.blockSize = o.blockSize
	defer c.close()
	started := time.Now()
	r, err := o.read(ctx, c, stdin, stderr)
	if err != nil {
		return err
	}
	read := time.Since(started)
	return o.compare(ctx, c, r, old, read, stdout, stderr)
}

// limitMemory makes the garbage collector keep to a limit for documents in memory and what else
// there is, unless GOMEMLIMIT sets another one. It returns a function that undoes this.
func limitMemory(documents int64) (undo func()) {
	const others = 512 << 20
	old := debug.SetMemoryLimit(-1)
	if old == math.MaxInt64 && documents < old-documents/4-others {
		debug.SetMemoryLimit(documents + documents/4 + others)
	}
	return func() { debug.SetMemoryLimit(old) }
}

// earlier returns the checkpoint of the run to continue, or nil. It is an error if the run
// would overwrite something.
func (o *options) earlier() (*checkpoint, error) {
	if o.out == "-" {
		return nil, nil
	}
	if _, err := os.Stat(filepath.Dir(o.out)); err != nil { // now, and not when all is read
		return nil, fmt.Errorf("%w; write to another file with -out", err)
	}
	if err := o.checkOutput(); err != nil || o.force {
		return nil, err
	}
	if exists(o.out) {
		return nil, fmt.Errorf("%s exists; overwrite it with -force, or write to another file with -out", o.out)
	}
	old, err := readCheckpoint(o.out)
	if err == nil && old != nil && !o.resume {
		return nil, fmt.Errorf("%s is from an unfinished run; continue with -resume, or start again with -force", partial(o.out))
	}
	return old, err
}

// checkOutput returns an error if a file that is to be written is an input, or not a file.
func (o *options) checkOutput() error {
	for _, name := range []string{o.out, partial(o.out), journal(o.out)} {
		info, err := os.Stat(name)
		if err != nil {
			continue
		}
		if !info.Mode().IsRegular() {
			return fmt.Errorf("%s is not a regular file; write to another file with -out, or to standard output with -out -", name)
		}
		for _, input := range o.inputs {
			if other, err := os.Stat(input); err == nil && os.SameFile(info, other) {
				return fmt.Errorf("%s is an input; write to another file with -out, or leave it out of the inputs", name)
			}
		}
	}
	return nil
}

// compare compares the documents.
func (o *options) compare(ctx context.Context, c *corpus, r *reading, old *checkpoint, read time.Duration, stdout, stderr io.Writer) error {
	now := checkpoint{
		Version: version, Documents: c.hash(), Threshold: o.threshold, Words: o.words.String(), Format: string(o.format),
	}
	if old != nil {
		if err := now.continues(old, o.out); err != nil {
			return err
		}
		now = *old
		fmt.Fprintf(stderr, "similarity pairs: continuing after %d of %d parts\n", now.Done, c.parts())
	}
	out, err := openOutput(o.out, o.format, now.Output, stdout)
	if err != nil {
		return err
	}
	p := newProgress(stderr, "comparing", c.n*(c.n-1)/2, false)
	saved, started := time.Now(), time.Now()
	before, done := now, now.Done
	counted := func() (n join.Statistics) { // also by the run that is continued
		if c.join != nil {
			n = c.join.Statistics()
		}
		n.Found += before.Found
		n.Candidates += before.Candidates
		return n
	}
	save := func() error {
		if !o.continues {
			return nil
		}
		if err := out.sync(); err != nil {
			return err
		}
		n := counted()
		saved, now.Done, now.Output, now.Found, now.Candidates = time.Now(), done, out.size, n.Found, n.Candidates
		return now.save(o.out)
	}
	work := comparison{corpus: c, out: out, workers: o.workers, compared: p.add, after: func(n int) error {
		done = n
		if time.Since(saved) < o.every {
			return nil
		}
		err := save()
		o.checkpointed()
		return err
	}}
	err = save()
	if err == nil {
		err = work.run(ctx, now.Done)
	}
	p.end()
	if err == nil {
		err = out.finish()
	}
	if err != nil {
		out.close(o.continues)
		return o.stopped(ctx, err)
	}
	if o.continues {
		if err := os.Remove(journal(o.out)); err != nil {
			return err
		}
	}
	o.summarise(stderr, c, r, counted(), read, time.Since(started))
	if r.rejected > 0 {
		return errRejected
	}
	return nil
}

// stopped returns the error of a run that was comparing when it stopped.
func (o *options) stopped(ctx context.Context, err error) error {
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		err = errInterrupted
	}
	if !o.continues {
		return fmt.Errorf("%w; the output is not complete, and this run cannot be continued: write CSV or JSONL that is not compressed to a file with -out", err)
	}
	how := "the same command and -resume"
	if o.force {
		how = "-resume instead of -force"
	}
	return fmt.Errorf("%w; %s is not complete; continue with %s", err, partial(o.out), how)
}

// summarise prints the summary of a complete run.
func (o *options) summarise(w io.Writer, c *corpus, r *reading, n join.Statistics, read, took time.Duration) {
	fmt.Fprintf(w, "similarity pairs: %s, %d without words", count(c.n, "document"), c.wordless)
	if r.rejected > 0 {
		fmt.Fprintf(w, ", %d rejected", r.rejected)
	}
	fmt.Fprintf(w, "; %s, %s; read in %.1f s, compared in %.1f s\n",
		count(int64(n.Found), "pair"), count(int64(n.Candidates), "candidate"), read.Seconds(), took.Seconds())
}

// count formats a number of things, with a plural s.
func count(n int64, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
