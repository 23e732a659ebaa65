// Command beam compares texts on more than one machine, as an Apache Beam pipeline.
//
//	beam compare -input 'pairs-*.jsonl' -output compared.jsonl
//	beam pairs -threshold 0.8 -input 'documents-*.jsonl' -output pairs.jsonl
//
// The flags of Beam choose where it runs, by default in this process with Beam's Prism runner.
// README.md has them, and the formats of the files.
//
// The exit status is that of package batch: 0 if all rows are valid, 1 if something failed, 2
// for invalid arguments, 3 if some rows were rejected.
//
// # The path of a row
//
//	read.go ─► row.go ─┬─► compare.go ────────────────────────────┬─► write.go
//	                   └─► pairs.go: distribute ─► group ─► join ─┘
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/log"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"

	"github.com/muxwell/muxwell/similarity/score"
)

func main() { os.Exit(run(context.Background(), os.Args[1:], os.Stdout, os.Stderr)) }

// Exit statuses.
const (
	statusFailed   = 1
	statusUsage    = 2
	statusRejected = 3
)

const usage = `Usage: beam compare|pairs -input FILES -output FILE [FLAGS]

  compare   adds similarity and interpretation to each row, which has text1 and text2
  pairs     finds all pairs of similar documents, which have an id and a text

Flags of Beam choose where it runs, such as -runner, -endpoint and -environment_type.

Flags:
`

// options are the values of the arguments.
type options struct {
	command  string
	input    string
	output   string
	rejected string
	words    score.Words
	shards   int
	part     int64

	threshold float64
	groups    int
}

// run runs the command and returns the exit status. Beam starts the same program as a worker,
// with flags only.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	o := &options{}
	own := flag.NewFlagSet("beam", flag.ContinueOnError)
	o.define(own)
	own.VisitAll(func(f *flag.Flag) { flag.CommandLine.Var(f.Value, f.Name, f.Usage) })
	flag.CommandLine.Init("beam", flag.ContinueOnError)
	flag.CommandLine.SetOutput(io.Discard)
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		o.command, args = args[0], args[1:]
	}
	err := flag.CommandLine.Parse(args)
	if errors.Is(err, flag.ErrHelp) || o.command == "help" {
		fmt.Fprint(stdout, usage)
		own.SetOutput(stdout)
		own.PrintDefaults()
		return 0
	}
	if err == nil {
		log.LogLevel, log.LogKind = "warn", "text"
		beam.Init() // does not return in a worker
		err = o.check(flag.Args())
	}
	if err != nil {
		fmt.Fprintf(stderr, "beam: %v; -help shows the flags\n", err)
		return statusUsage
	}
	p, s := beam.NewPipelineWithRoot()
	o.build(s)
	result, err := beamx.RunWithMetrics(ctx, p)
	if err != nil {
		fmt.Fprintf(stderr, "beam: %v\n", err)
		return statusFailed
	}
	if counters(result)["rejected"] > 0 {
		defer fmt.Fprintf(stderr, "beam: rejected rows are in %s\n", o.rejected)
	}
	return summarize(stderr, counters(result))
}

// define defines the flags.
func (o *options) define(fs *flag.FlagSet) {
	fs.StringVar(&o.input, "input", "", "read these `files`, patterns separated by commas: *.csv and *.csv.gz are CSV, others JSON Lines")
	fs.StringVar(&o.output, "output", "", "write JSON Lines to this `file`")
	fs.StringVar(&o.rejected, "rejected", "", "write the places of rejected rows to this `file` (default out.rejected.jsonl for out.jsonl)")
	fs.Func("words", "the kind of `words`: ascii, unicode or bigrams (default ascii)", func(s string) (err error) {
		o.words, err = score.ParseWords(s)
		return err
	})
	fs.IntVar(&o.shards, "shards", 1, "write this `number` of files, such as out-00000-of-00004.jsonl, at the same time")
	fs.Int64Var(&o.part, "part", 64<<20, "split JSON Lines into parts of this `size` in bytes")
	fs.Float64Var(&o.threshold, "threshold", 0.8, "pairs: the least `similarity`")
	fs.IntVar(&o.groups, "groups", 8, "pairs: distribute documents to this `number` G of groups, which are G·(G+1)/2 tasks; a task has\n2/G of the documents in memory")
}

// thousandths returns the least similarity that is the threshold or more.
func (o *options) thousandths() int { return int(math.Ceil(o.threshold*1000 - 1e-6)) }

// check checks the options, and completes them.
func (o *options) check(operands []string) error {
	if o.rejected == "" {
		stem, ext := cutExtension(o.output)
		o.rejected = stem + ".rejected" + ext
	}
	switch {
	case o.command != "compare" && o.command != "pairs":
		return fmt.Errorf("the command is %q, it must be compare or pairs", o.command)
	case len(operands) > 0:
		return fmt.Errorf("unexpected arguments %q", operands)
	case o.input == "":
		return errors.New("-input is missing")
	case o.output == "":
		return errors.New("-output is missing")
	case o.output == o.rejected:
		return errors.New("-output and -rejected are the same file")
	case o.shards < 1 || o.shards > 10_000:
		return fmt.Errorf("-shards %d: must be from 1 to 10000", o.shards)
	case o.part < 1:
		return fmt.Errorf("-part %d: must be 1 or more", o.part)
	case !(o.threshold > 0 && o.threshold <= 1): // not a number, too
		return fmt.Errorf("-threshold %v: must be above 0, up to 1", o.threshold)
	case o.groups < 1 || o.groups > 1000:
		return fmt.Errorf("-groups %d: must be from 1 to 1000", o.groups)
	}
	for _, pattern := range o.patterns() {
		for _, name := range []string{o.output, o.rejected} {
			if is, err := path.Match(pattern, name); err != nil {
				return fmt.Errorf("-input %q: %w", pattern, err)
			} else if is {
				return fmt.Errorf("-input %q has %s, which is written", pattern, name)
			}
		}
	}
	return nil
}

func (o *options) patterns() []string { return strings.Split(o.input, ",") }

// build builds the pipeline.
func (o *options) build(s beam.Scope) {
	rows := read(s, o.patterns(), o.part)
	var lines, rejects beam.PCollection
	if o.command == "compare" {
		lines, rejects = compare(s, o.words, rows)
	} else {
		lines, rejects = pairs(s, o.words, o.thousandths(), o.groups, rows)
	}
	write(s, o.output, o.shards, lines)
	write(s.Scope("Rejected"), o.rejected, 1, rejects)
}

// counters returns the counters, or none of a job that is not awaited.
func counters(result beam.PipelineResult) map[string]int64 {
	all := map[string]int64{}
	if result == nil || *jobopts.Async { // which has no metrics, and panics if asked
		return all
	}
	for _, c := range result.Metrics().AllMetrics().Counters() {
		if c.Namespace() == namespace {
			all[c.Name()] += c.Result()
		}
	}
	return all
}

// summarize prints counters and returns the exit status.
func summarize(w io.Writer, counters map[string]int64) int {
	names := []string{"parts", "rejected", "wordless", "compared", "candidates", "found"}
	for _, name := range slices.DeleteFunc(names, func(name string) bool { return counters[name] == 0 }) {
		fmt.Fprintf(w, "%s: %d\n", name, counters[name])
	}
	if counters["rejected"] > 0 {
		return statusRejected
	}
	return 0
}
