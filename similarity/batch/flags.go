package batch

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/muxwell/muxwell/similarity/score"
)

// Options are the values of the arguments.
type options struct {
	input    string // - is the standard input
	out      string // - is the standard output
	rejected string
	words    score.Words
	comma    byte
	limit    int // bytes of a row
	workers  int
	reports  int // -1 is all
	resume   bool
	force    bool

	chunk int           // bytes that a worker gets at once, about
	every time.Duration // a checkpoint is written
}

const usageHead = `Usage: similarity batch [FLAGS] FILE

Compares the texts of each row of a CSV file. The file has a header row with the
columns text1 and text2. Other columns are copied. FILE - is standard input.

  similarity batch pairs.csv              writes pairs.similarity.csv: the input's columns,
                                          similarity (0 to 1) and interpretation
  similarity batch -resume pairs.csv      continues where a run stopped
  similarity batch -out - -comma ';' pairs.csv | head

Rows that cannot be compared are reported by line and copied, byte for byte, to
pairs.rejected.csv. Fix them there and run similarity batch on that file.

After Ctrl-C, a crash or a full disk, the same command with -resume continues, and
the output is the same as that of a single run. FILE must not have changed.

Exit status: 0 all rows compared, 1 failed, 2 invalid arguments, 3 some rows were
rejected, 130 interrupted.

Flags:
`

// maxLimit is the largest -max-record: two texts in it may be as large as package score
// allows.
const maxLimit = 64 << 20

// parse parses the arguments. It prints help to stdout.
func parse(args []string, stdout io.Writer) (*options, error) {
	o := &options{comma: ',', limit: maxLimit, workers: runtime.GOMAXPROCS(0), chunk: 128 << 10, every: time.Second}
	fs := flag.NewFlagSet("similarity batch", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	o.define(fs)
	operands, err := parseMixed(fs, args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(stdout, usageHead)
		fs.SetOutput(stdout)
		fs.PrintDefaults()
		return nil, err
	case err != nil:
		return nil, usageError{fmt.Errorf("%w; -help shows all flags", err)}
	case len(operands) == 0:
		return nil, usageError{errors.New("missing file; write, for example, similarity batch pairs.csv, or - for standard input; -help shows all flags")}
	case len(operands) > 1:
		return nil, usageError{fmt.Errorf("expected one file, got %q", operands)}
	}
	o.input = operands[0]
	if err := o.complete(); err != nil {
		return nil, usageError{err}
	}
	return o, nil
}

// define defines the flags.
func (o *options) define(fs *flag.FlagSet) {
	fs.StringVar(&o.out, "out", "", "write to this `file`; - is standard output (default pairs.similarity.csv for\npairs.csv, and - for standard input)")
	fs.StringVar(&o.rejected, "rejected", "", "write rejected rows to this `file` (default pairs.rejected.csv next to the output; with -out -\nnext to the input)")
	fs.BoolVar(&o.resume, "resume", false, "continue where an unfinished run stopped, or start if there is none")
	fs.BoolVar(&o.force, "force", false, "overwrite the output and the rejected rows of an earlier run")
	fs.Func("words", "the kind of `words`: ascii, of [0-9A-Za-z_]; unicode, of letters and digits of all scripts;\nor bigrams, also for languages without spaces between words (default ascii)", func(s string) (err error) {
		o.words, err = score.ParseWords(s)
		return err
	})
	fs.Func("comma", "the `character` between fields, such as ';', or tab (default ,)", func(s string) (err error) {
		o.comma, err = parseComma(s)
		return err
	})
	fs.IntVar(&o.workers, "workers", o.workers, "compare this `number` of chunks of rows at the same time")
	fs.Func("max-record", "reject rows larger than this `size`, such as 100000, 500KiB or 8MiB (default 64MiB,\nthe maximum)", func(s string) (err error) {
		o.limit, err = parseSize(s)
		return err
	})
	fs.IntVar(&o.reports, "reports", 20, "report the first `number` of rejected rows; -1 reports all")
}

// parseMixed parses flags before and after operands.
func parseMixed(fs *flag.FlagSet, args []string) (operands []string, err error) {
	for {
		if err := fs.Parse(args); err != nil {
			return nil, err
		}
		if fs.NArg() == 0 {
			return operands, nil
		}
		operands = append(operands, fs.Arg(0))
		args = fs.Args()[1:]
	}
}

// complete checks the options together and fills in the names of files.
func (o *options) complete() error {
	switch {
	case o.workers < 1 || o.workers > 1024:
		return fmt.Errorf("-workers %d: must be from 1 to 1024", o.workers)
	case o.reports < -1:
		return fmt.Errorf("-reports %d: must be 0 or more, or -1 for all", o.reports)
	case o.input == "":
		return errors.New("the file name is empty")
	case o.rejected == "-":
		return errors.New("-rejected -: rejected rows are written to a file; name one")
	case o.resume && o.force:
		return errors.New("-resume and -force exclude each other: continue with -resume, or start again with -force")
	}
	if o.out == "" {
		o.out = "-"
		if o.input != "-" {
			o.out = stem(o.input) + ".similarity.csv"
		}
	}
	if o.rejected == "" {
		o.rejected = o.defaultRejected()
	}
	switch {
	case o.resume && o.input == "-":
		return errors.New("-resume: standard input cannot be read again from where a run stopped; name the file")
	case o.resume && o.out == "-":
		return errors.New("-resume: standard output cannot be continued; write to a file with -out FILE")
	}
	return nil
}

// defaultRejected returns the name of the file for rejected rows. It is derived from the
// input's name, in the directory of the output, or of the input if the output is not a
// regular file.
func (o *options) defaultRejected() string {
	name, folder := stem(o.input), filepath.Dir(o.out)
	switch isFile := o.out != "-" && !isSpecial(o.out); {
	case o.input == "-" && isFile:
		name = stem(o.out)
	case o.input == "-":
		name, folder = "stdin", "."
	case !isFile:
		folder = filepath.Dir(o.input)
	}
	return filepath.Join(folder, filepath.Base(name)+".rejected.csv")
}

// isSpecial reports whether name is an existing file that is not regular, such as a device.
func isSpecial(name string) bool {
	info, err := os.Stat(name)
	return err == nil && !info.Mode().IsRegular()
}

// stem returns the name of a file without .csv, .tsv or .txt.
func stem(name string) string {
	switch ext := filepath.Ext(name); strings.ToLower(ext) {
	case ".csv", ".tsv", ".txt":
		return strings.TrimSuffix(name, ext)
	}
	return name
}

// parseComma parses -comma. It refuses characters that occur in the added columns, so that
// these need no quotes.
func parseComma(s string) (byte, error) {
	if s == "tab" || s == `\t` {
		return '\t', nil
	}
	if len(s) != 1 || s != "\t" && !strings.Contains("!#$%&'()*+,/:;<=>?@[\\]^_`{|}~\x1e\x1f", s) {
		return 0, errors.New("must be tab, or one character that is not a letter, digit, space, quote, dot or hyphen, such as ';'")
	}
	return s[0], nil
}

// parseSize parses -max-record.
func parseSize(s string) (int, error) {
	number, unit := s, 1
	if n, ok := strings.CutSuffix(s, "KiB"); ok {
		number, unit = n, 1<<10
	} else if n, ok := strings.CutSuffix(s, "MiB"); ok {
		number, unit = n, 1<<20
	}
	n, err := strconv.Atoi(number)
	if err != nil || n < 1 || n > maxLimit/unit {
		return 0, errors.New("must be a size up to 64MiB, such as 100000, 500KiB or 8MiB")
	}
	return n * unit, nil
}

// size formats a number of bytes as -max-record does.
func size(n int) string {
	switch {
	case n%(1<<20) == 0:
		return fmt.Sprintf("%dMiB", n>>20)
	case n%(1<<10) == 0:
		return fmt.Sprintf("%dKiB", n>>10)
	}
	return fmt.Sprintf("%d bytes", n)
}
