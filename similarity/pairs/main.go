package pairs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime/debug"
	"time"

	"github.com/muxwell/muxwell/similarity/internal/command"
	"github.com/muxwell/muxwell/similarity/join"
)

// Main runs the command with the arguments after its name, and returns its exit status: 0 if
// all documents were compared, 1 if something failed, 2 for invalid arguments, 3 if some
// documents could not be read, 130 if ctx was canceled. A progress bar is shown if stderr is
// a terminal.
func Main(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	o, err := parse(args, stdout)
	if err == nil {
		err = o.run(ctx, stdin, stdout, stderr)
	}
	return command.Status("similarity pairs", err, stderr)
}

// run reads the documents, compares them, and prints a summary.
func (o *options) run(ctx context.Context, stdin io.Reader, stdout, stderr io.Writer) error {
	old, err := o.earlier()
	if err != nil {
		return err
	}
	out, err := openOutput(o.out, stdout)
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
		out.close(!out.empty)
		return err
	}
	read := time.Now()
	n, err := o.compare(ctx, c, old, out, stderr)
	if err != nil {
		return err
	}
	o.summarise(stderr, c, r, n, read.Sub(started), time.Since(read))
	if r.rejected > 0 {
		return command.ErrRejected
	}
	return nil
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

// A run compares the documents that have been read, and keeps its checkpoint.
type run struct {
	*options
	corpus   *corpus
	out      *output
	before   checkpoint // of the run that is continued, or with nothing done
	now      checkpoint
	saved    time.Time // now
	compared int64     // pairs
}

// compare compares the documents.
func (o *options) compare(ctx context.Context, c *corpus, old *checkpoint, out *output, stderr io.Writer) (n join.Statistics, err error) {
	r := &run{options: o, corpus: c, out: out, now: checkpoint{
		Version: version, Documents: c.hash(), Threshold: o.threshold, Words: o.words.String(), Format: string(o.format),
	}}
	if old != nil {
		if err := r.now.continues(old, o.out); err != nil {
			out.close(true)
			return n, err
		}
		r.now = *old
		fmt.Fprintf(stderr, "similarity pairs: continuing after %d of %d parts\n", old.Done, c.parts())
	}
	r.before = r.now
	bar := command.NewBar(stderr, "comparing", c.n*(c.n-1)/2, false)
	work := comparison{corpus: c, out: r.out, workers: o.workers, after: r.after, compared: func(n int64) {
		r.compared += n
		bar.Set(r.compared)
	}}
	err = out.begin(o.format, r.now.Output)
	if err == nil {
		err = r.save(r.now.Done)
	}
	if err == nil {
		err = work.run(ctx, r.now.Done)
	}
	bar.End()
	if err == nil {
		err = out.finish()
	}
	if err != nil {
		out.close(o.continues)
		return n, o.stopped(ctx, err)
	}
	if o.continues {
		err = os.Remove(journal(o.out))
	}
	return r.statistics(), err
}

// statistics returns those of this run and of the one that it continued.
func (r *run) statistics() (n join.Statistics) {
	if r.corpus.join != nil {
		n = r.corpus.join.Statistics()
	}
	n.Found += r.before.Found
	n.Candidates += r.before.Candidates
	return n
}

// after saves a checkpoint from time to time, after parts are done.
func (r *run) after(done int) error {
	if time.Since(r.saved) < r.every {
		return nil
	}
	err := r.save(done)
	r.checkpointed()
	return err
}

// save saves a checkpoint if the run can be continued.
func (r *run) save(done int) error {
	if !r.continues {
		return nil
	}
	if err := r.out.sync(); err != nil {
		return err
	}
	n := r.statistics()
	r.saved, r.now.Done, r.now.Output, r.now.Found, r.now.Candidates = time.Now(), done, r.out.size, n.Found, n.Candidates
	return r.now.save(r.options.out)
}

// stopped returns the error of a run that was comparing when it stopped.
func (o *options) stopped(ctx context.Context, err error) error {
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		err = command.ErrInterrupted
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
	fmt.Fprintf(w, "similarity pairs: %s, %d without words", command.Count(c.n, "document"), c.wordless)
	if r.rejected > 0 {
		fmt.Fprintf(w, ", %d rejected", r.rejected)
	}
	fmt.Fprintf(w, "; %s, %s; read in %.1f s, compared in %.1f s\n",
		command.Count(int64(n.Found), "pair"), command.Count(int64(n.Candidates), "candidate"), read.Seconds(), took.Seconds())
}
