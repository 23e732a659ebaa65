package batch

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// A failing writer writes so many bytes, then fails.
type failingWriter struct {
	w    io.Writer
	left int
}

var errFull = errors.New("no space left on device")

func (f *failingWriter) Write(b []byte) (int, error) {
	n, err := f.w.Write(b[:min(len(b), f.left)])
	f.left -= n
	if err == nil && n < len(b) {
		err = errFull
	}
	return n, err
}

// runFull runs the command on a disk that has room for so many bytes of the output,
// and of the rejected rows.
func runFull(t *testing.T, room int, args ...string) error {
	t.Helper()
	o := testOptions(t, args...)
	in, err := openInput(t.Context(), o.input, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer in.close()
	rows := newSplitter(in.r, o.comma, o.limit, 0, 1)
	head, err := readHeader(rows)
	if err != nil {
		t.Fatal(err)
	}
	w, at, err := openOutputs(o, in, head, io.Discard)
	if err != nil {
		return err
	}
	defer w.close()
	w.out.w = &failingWriter{w.out.file, room}
	w.rejected.w = &failingWriter{w.rejected.file, room / 2}
	return o.compare(t.Context(), in, rows, w, at, io.Discard)
}

// TestResumeAfterEveryWrite: a run that fails anywhere, in the middle of a row too, is
// continued, with other numbers of workers, up to the same outputs.
func TestResumeAfterEveryWrite(t *testing.T) {
	in := mixed(rand.New(rand.NewPCG(7, 8)), 25)
	for room := 0; room < 200; room += 33 {
		put(t, "pairs.csv", in)
		err := runFull(t, room, "-workers", "1", "pairs.csv")
		runs := 1
		for ; errors.Is(err, errFull) && runs < 1000; runs++ {
			if !strings.Contains(err.Error(), "with the same command and -resume") {
				t.Fatalf("room for %d bytes: got error %v", room, err)
			}
			err = runFull(t, room+200*runs, "-workers", fmt.Sprint(1+runs%3), "-resume", "pairs.csv")
		}
		if !errors.Is(err, errRejected) || runs < 2 {
			t.Fatalf("room for %d bytes: got error %v, %d runs", room, err, runs)
		}
		wantFiles(t, in)
	}
}

// TestResumeFromEveryCheckpoint: outputs that have more than the journal says, as
// after a crash, are cut.
func TestResumeFromEveryCheckpoint(t *testing.T) {
	in := mixed(rand.New(rand.NewPCG(9, 10)), 30)
	put(t, "pairs.csv", in)
	runFull(t, 1000, "pairs.csv") // it leaves a journal, of which the entries are made below
	e, err := readEntry("pairs.similarity.csv.state")
	if err != nil || e == nil {
		t.Fatalf("no journal: %v", err)
	}
	checkpoints := allPositions(t, in)
	if len(checkpoints) < 10 {
		t.Fatalf("%d checkpoints", len(checkpoints))
	}
	for _, p := range checkpoints {
		head, _, _ := strings.Cut(in, "\n")
		out, rejected, _ := naiveBatch(t, in)
		out, rejected = head+",similarity,interpretation\n"+out, head+"\n"+rejected
		write(t, "pairs.similarity.csv", out[:p.Output]+"half a row\n\"")
		write(t, "pairs.rejected.csv", rejected[:p.Rejected]+"half a row\n\"")
		if p.RejectedRows == 0 {
			removeFile(t, "pairs.rejected.csv") // as a run does at its end
		}
		e.Position = p
		data, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		write(t, "pairs.similarity.csv.state", string(data))
		o := testOptions(t, "-resume", "pairs.csv")
		o.every = time.Hour
		if err := o.run(t.Context(), nil, io.Discard, io.Discard); !errors.Is(err, errRejected) {
			t.Fatalf("from %+v: got error %v", p, err)
		}
		wantFiles(t, in)
	}
}

func removeFile(t *testing.T, name string) {
	t.Helper()
	if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
}

// allPositions returns every position at which a run may be continued.
func allPositions(t *testing.T, in string) []position {
	t.Helper()
	all := []position{{}}
	rows := newSplitter(strings.NewReader(in), ',', maxRecord, 0, 1)
	head, err := readHeader(rows)
	if err != nil {
		t.Fatal(err)
	}
	o := testOptions(t, "pairs.csv")
	p := &pipeline{o: o, rows: rows, w: &outputs{head: head, o: o, out: &sink{w: io.Discard}, rejected: &sink{w: io.Discard}}, progress: newProgress(io.Discard, -1, 0, 0)}
	if p.at, err = p.w.begin(rows); err != nil {
		t.Fatal(err)
	}
	for p.now = p.at; ; {
		all = append(all, p.at)
		c := new(chunk)
		c.read(rows, 1)
		c.compare(newComparer(head, o.words, o.comma))
		if err := p.writeChunk(c); err != nil {
			t.Fatal(err)
		}
		if c.err != nil {
			return append(all, p.at)
		}
	}
}

func TestResumeRefuses(t *testing.T) {
	in := "text1,text2\n" + strings.Repeat("a,b\nx\n", 200)
	for _, tt := range []struct {
		name   string
		args   string
		change func(t *testing.T)
		want   string
	}{
		{"another size", "", func(t *testing.T) { write(t, "pairs.csv", in+"a,b\n") }, "pairs.csv has changed"},
		{"another time", "", func(t *testing.T) { os.Chtimes("pairs.csv", time.Time{}, time.Unix(1e9, 0)) }, "pairs.csv has changed"},
		{"another head", "", func(t *testing.T) {
			info, _ := os.Stat("pairs.csv")
			write(t, "pairs.csv", strings.Replace(in, "a", "c", 1))
			os.Chtimes("pairs.csv", time.Time{}, info.ModTime())
		}, "pairs.csv has changed"},
		{"words", "-words unicode", nil, "had -words ascii"},
		{"comma", "-comma ;", nil, "no column"},
		{"max-record", "-max-record 2000", nil, "had -max-record 200"},
		{"rejected", "-rejected x.csv", nil, `had -rejected "pairs.rejected.csv"`},
		{"output is shorter", "", func(t *testing.T) { os.Truncate("pairs.similarity.csv", 50) }, "pairs.similarity.csv is shorter"},
		{"rejected is shorter", "", func(t *testing.T) { os.Remove("pairs.rejected.csv") }, "pairs.rejected.csv is shorter"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			put(t, "pairs.csv", in)
			if err := runFull(t, 2000, "pairs.csv"); !errors.Is(err, errFull) {
				t.Fatalf("got error %v", err)
			}
			if tt.change != nil {
				tt.change(t)
			}
			err := testOptions(t, append(strings.Fields(tt.args), "-resume", "pairs.csv")...).run(t.Context(), nil, io.Discard, io.Discard)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got error %v, want %q", err, tt.want)
			}
			if err := testOptions(t, "pairs.csv").run(t.Context(), nil, io.Discard, io.Discard); err == nil || tt.name != "output is shorter" && !strings.Contains(err.Error(), "continue with -resume, or start again with -force") {
				t.Errorf("without a flag: got error %v", err)
			}
		})
	}
}

// TestInterrupt: after ctx, what is done is kept, and the last line says how to go on.
func TestInterrupt(t *testing.T) {
	in := mixed(rand.New(rand.NewPCG(11, 12)), 300)
	put(t, "pairs.csv", in)
	args := []string{"pairs.csv"}
	for runs := 0; ; runs++ {
		ctx, cancel := context.WithCancel(t.Context())
		reports := &cancelling{cancel: cancel, after: 5}
		o := testOptions(t, append([]string{"-reports", "-1"}, args...)...)
		got := status(o.run(ctx, nil, io.Discard, reports), reports)
		cancel()
		if got == statusRejected && runs > 2 {
			break
		}
		if got != statusInterrupted || !strings.HasSuffix(reports.String(), "; continue with the same command and -resume\n") {
			t.Fatalf("run %d: got status %d, %q", runs, got, reports)
		}
		args = []string{"-resume", "pairs.csv"}
	}
	wantFiles(t, in)
}

// cancelling cancels after some writes.
type cancelling struct {
	strings.Builder
	cancel func()
	after  int
}

func (c *cancelling) Write(b []byte) (int, error) {
	if c.after--; c.after == 0 {
		c.cancel()
	}
	return c.Builder.Write(b)
}

// child returns the command as a process of its own.
func child(t *testing.T, stderr io.Writer, args ...string) *exec.Cmd {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), program, append([]string{"-max-record", fmt.Sprint(maxRecord), "-reports", "0"}, args...)...)
	cmd.Env = append(os.Environ(), childVariable+"=1")
	cmd.Stderr = stderr
	return cmd
}

// TestKill kills a run again and again, and goes on with -resume. The outputs are
// those of a run that was let alone.
func TestKill(t *testing.T) {
	rng := rand.New(rand.NewPCG(rand.Uint64(), 13))
	put(t, "pairs.csv", mixed(rng, 20_000))
	alone := testOptions(t, "-out", "alone.csv", "-rejected", "alone.rejected.csv", "pairs.csv")
	alone.every = time.Hour
	if err := alone.run(t.Context(), nil, io.Discard, io.Discard); !errors.Is(err, errRejected) {
		t.Fatalf("got error %v", err)
	}
	kills, resumed, code := 0, 0, -1
	for code < 0 {
		var stderr bytes.Buffer
		cmd := child(t, &stderr, "-resume", "pairs.csv")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		kill := time.AfterFunc(time.Duration(rng.IntN(4*kills+5))*time.Millisecond, func() { cmd.Process.Kill() })
		cmd.Wait()
		kill.Stop()
		if strings.Contains(stderr.String(), "continuing in line") {
			resumed++
		}
		code = cmd.ProcessState.ExitCode() // -1 if it was killed
		switch {
		case code < 0:
			kills++
		case code == statusRejected:
		case kills > 0 && strings.Contains(stderr.String(), "nothing to resume"): // it was killed behind its last step
		default:
			t.Fatalf("got status %d, %s", code, &stderr)
		}
	}
	t.Logf("killed %d times, continued %d times", kills, resumed)
	want, _ := get(t, "alone.csv")
	wantRejected, _ := get(t, "alone.rejected.csv")
	checkFile(t, "pairs.similarity.csv", want)
	checkFile(t, "pairs.rejected.csv", wantRejected)
	checkFolder(t, "alone.csv", "alone.rejected.csv", "pairs.csv", "pairs.rejected.csv", "pairs.similarity.csv")
}

// TestInterruptSignal: Ctrl-C ends a run with status 130.
func TestInterruptSignal(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are no signals to send")
	}
	t.Chdir(t.TempDir())
	var stderr bytes.Buffer
	cmd := child(t, &stderr, "-")
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer stdin.Close()
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	io.WriteString(stdin, "text1,text2\n"+strings.Repeat("a,b\n", 10_000))
	io.ReadFull(stdout, make([]byte, 100)) // it runs
	cmd.Process.Signal(os.Interrupt)
	go io.Copy(io.Discard, stdout)
	cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != statusInterrupted || !strings.Contains(stderr.String(), "similarity batch: interrupted after") {
		t.Errorf("got status %d, %q", code, &stderr)
	}
}

// TestJournalFollowsNoLink: a run without -force writes to no file that a link leads
// to, neither at the name of the journal nor at one that its temporary file had. The
// links stay, or are replaced.
func TestJournalFollowsNoLink(t *testing.T) {
	in := "text1,text2\n" + strings.Repeat("a,b\n", 200)
	put(t, "pairs.csv", in)
	write(t, "victim", "mine")
	if err := os.Symlink("victim", "pairs.similarity.csv.state.tmp"); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
	if err := runFull(t, 2000, "pairs.csv"); !errors.Is(err, errFull) {
		t.Fatalf("got error %v", err)
	}
	checkFile(t, "victim", "mine")
	checkFolder(t, "pairs.csv", "pairs.rejected.csv", "pairs.similarity.csv", "pairs.similarity.csv.state", "pairs.similarity.csv.state.tmp", "victim")
	usual, err := os.Stat("victim")
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat("pairs.similarity.csv.state")
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode() != usual.Mode() {
		t.Errorf("the journal has mode %v, want %v", info.Mode(), usual.Mode())
	}

	if err := os.Rename("pairs.similarity.csv.state", "journal"); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("journal", "pairs.similarity.csv.state"); err != nil {
		t.Fatal(err)
	}
	journal, _ := get(t, "journal")
	if err := testOptions(t, "-resume", "pairs.csv").run(t.Context(), nil, io.Discard, io.Discard); err != nil {
		t.Fatalf("got error %v", err)
	}
	checkFile(t, "journal", journal)
	checkFile(t, "victim", "mine")
	checkFolder(t, "journal", "pairs.csv", "pairs.similarity.csv", "pairs.similarity.csv.state.tmp", "victim")
}

// TestRejectedMadeMeanwhile: a run that makes the file for rejected rows late does not
// overwrite one that has been made since it began, unless it may.
func TestRejectedMadeMeanwhile(t *testing.T) {
	in := "text1,text2\nx\n"
	for _, force := range []bool{false, true} {
		put(t, "pairs.csv", in)
		o := testOptions(t, "-out", "-", fmt.Sprintf("-force=%t", force), "pairs.csv")
		input, err := openInput(t.Context(), o.input, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer input.close()
		rows := newSplitter(input.r, o.comma, o.limit, 0, 1)
		head, err := readHeader(rows)
		if err != nil {
			t.Fatal(err)
		}
		w, at, err := openOutputs(o, input, head, io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		defer w.close()
		write(t, "pairs.rejected.csv", "mine")
		err = o.compare(t.Context(), input, rows, w, at, io.Discard)
		if force {
			if !errors.Is(err, errRejected) {
				t.Errorf("-force: got error %v", err)
			}
			checkFile(t, "pairs.rejected.csv", in)
			continue
		}
		if err == nil || !strings.Contains(err.Error(), "pairs.rejected.csv exists; overwrite it with -force") {
			t.Errorf("got error %v", err)
		}
		checkFile(t, "pairs.rejected.csv", "mine")
	}
}

// TestTwoRuns: a second run does not write what the first is writing.
func TestTwoRuns(t *testing.T) {
	put(t, "pairs.csv", "text1,text2\na,b\n")
	f, err := os.Create("pairs.similarity.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := lock(f); err != nil {
		t.Fatal(err)
	}
	again, err := os.Open(f.Name())
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if lock(again) == nil {
		t.Skip("there are no locks here")
	}
	if got := batch(t, "", "-force", "pairs.csv"); got.status != statusFailed || !strings.Contains(got.stderr, "is being written by another run") {
		t.Errorf("got %+v", got)
	}
	if files, _ := filepath.Glob("*.rejected.csv"); files != nil {
		t.Errorf("left %q", files)
	}
}
