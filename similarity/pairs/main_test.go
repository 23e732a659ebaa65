package pairs

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/muxwell/muxwell/similarity/load"
	"github.com/muxwell/muxwell/similarity/score"
)

// texts returns n texts, some of which are similar, and some without words.
func texts(n int) (texts []string) {
	rng := rand.New(rand.NewPCG(1, 2))
	for i, text := range load.Texts(load.Messy, n, 500, 1) {
		switch i % 5 {
		case 0:
			if i > 0 {
				text = texts[rng.IntN(i)] + " more"
			}
		case 1:
			if i%20 == 1 {
				text = "…"
			}
		}
		texts = append(texts, text)
	}
	return texts
}

// corpusFile writes texts as JSONL, with their numbers as IDs, and returns the file's name.
func corpusFile(t *testing.T, texts []string) string {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	for i, text := range texts {
		if err := e.Encode(map[string]string{"id": fmt.Sprint("n", i), "text": text}); err != nil {
			t.Fatal(err)
		}
	}
	name := filepath.Join(t.TempDir(), "corpus.jsonl")
	if err := os.WriteFile(name, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// naive returns the rows that pairs of texts are expected to have.
func naive(texts []string, threshold int) (rows [][]string) {
	for k := range texts {
		for i := range k {
			r := score.Compare([]byte(texts[i]), []byte(texts[k]), score.ASCII)
			if r.Hint == "" && r.Thousandths >= threshold {
				rows = append(rows, []string{fmt.Sprint("n", i), fmt.Sprint("n", k), fmt.Sprint(r.Similarity())})
			}
		}
	}
	slices.SortFunc(rows, slices.Compare)
	return rows
}

// execute runs the command.
func execute(t *testing.T, stdin string, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	status = Main(t.Context(), args, strings.NewReader(stdin), &out, &errs)
	return status, out.String(), errs.String()
}

// rows returns the sorted rows of an output.
func rows(t *testing.T, output string) [][]string {
	t.Helper()
	all, err := csv.NewReader(strings.NewReader(output)).ReadAll()
	if err != nil || len(all) == 0 || !slices.Equal(all[0], []string{"id1", "id2", "similarity"}) {
		t.Fatalf("%v in %q", err, output)
	}
	slices.SortFunc(all[1:], slices.Compare)
	return all[1:]
}

// TestPairs compares pairs with those of a naive search, in memory and on the disk, in one block
// and in several.
func TestPairs(t *testing.T) {
	texts := texts(300)
	file := corpusFile(t, texts)
	for _, threshold := range []int{1, 300, 800, 1000} {
		want := naive(texts, threshold)
		for _, size := range []int{7, 100, 1000} {
			for _, memory := range []int64{0, 1 << 20, 1 << 30} {
				o, err := parse([]string{"-threshold", fmt.Sprint(float64(threshold) / 1000), file}, io.Discard)
				if err != nil {
					t.Fatal(err)
				}
				o.blockSize, o.memory = size, memory
				var out, errs bytes.Buffer
				if err := o.run(t.Context(), nil, &out, &errs); err != nil {
					t.Fatal(err)
				}
				if got := rows(t, out.String()); !slices.EqualFunc(got, want, slices.Equal) {
					t.Errorf("threshold %d, blocks of %d, %d bytes of memory: %d pairs, want %d", threshold, size, memory, len(got), len(want))
				}
				if !strings.Contains(errs.String(), fmt.Sprintf("300 documents, 15 without words; %d pairs, ", len(want))) {
					t.Errorf("the summary is %q, with %d pairs", errs.String(), len(want))
				}
			}
		}
	}
}

// interrupted runs the command until an interruption, and reports whether there was one.
func interrupted(t *testing.T, file, out string, after int) bool {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	o, err := parse([]string{"-resume", "-threshold", "0.3", "-out", out, file}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	o.blockSize, o.every = 10, 0
	var errs bytes.Buffer
	o.checkpointed = func() {
		if after--; after == 0 {
			cancel()
		}
	}
	err = o.run(ctx, nil, nil, &errs)
	if err != nil && !strings.HasPrefix(err.Error(), "interrupted; ") {
		t.Fatal(err)
	}
	return err != nil
}

// TestResume interrupts runs, and continues them.
func TestResume(t *testing.T) {
	for _, format := range []string{"csv", "jsonl"} {
		file := corpusFile(t, texts(100))
		whole, parts := filepath.Join(t.TempDir(), "whole."+format), filepath.Join(t.TempDir(), "parts."+format)
		if interrupted(t, file, whole, -1) {
			t.Fatal("the first run was interrupted")
		}
		n := 0
		for ; interrupted(t, file, parts, 3); n++ {
			if exists(parts) || !exists(partial(parts)) || n > 100 {
				t.Fatalf("after %d interruptions, %s: %v", n, parts, exists(parts))
			}
			f, err := os.OpenFile(partial(parts), os.O_APPEND|os.O_WRONLY, 0)
			if err != nil {
				t.Fatal(err)
			}
			f.WriteString("what is not certain")
			f.Close()
		}
		want, err1 := os.ReadFile(whole)
		got, err2 := os.ReadFile(parts)
		if err1 != nil || err2 != nil || !bytes.Equal(got, want) || n < 10 {
			t.Errorf("%d bytes after %d interruptions, want %d; %v %v", len(got), n, len(want), err1, err2)
		}
		if exists(partial(parts)) || exists(journal(parts)) {
			t.Error("files remain")
		}
	}
}

// TestCannotResume has runs that cannot be continued, and files that would be overwritten.
func TestCannotResume(t *testing.T) {
	all := texts(100)
	file, out := corpusFile(t, all), filepath.Join(t.TempDir(), "pairs.csv")
	if !interrupted(t, file, out, 3) {
		t.Fatal("the run was not interrupted")
	}
	changed := corpusFile(t, append(all[:99:99], "other"))
	for _, c := range []struct{ args, want string }{
		{"-threshold 0.3 " + file, "continue with -resume, or start again with -force"},
		{"-resume -threshold 0.4 " + file, "it had -threshold 0.3"},
		{"-resume -threshold 0.3 -words unicode " + file, "it had -words ascii"},
		{"-resume -threshold 0.3 " + changed, "the documents have changed"},
	} {
		status, _, stderr := execute(t, "", append(strings.Fields(c.args), "-out", out)...)
		if status != 1 || !strings.Contains(stderr, c.want) {
			t.Errorf("%s: status %d, %q", c.args, status, stderr)
		}
	}
	if status, _, stderr := execute(t, "", "-force", "-out", out, file); status != 0 {
		t.Errorf("-force: %q", stderr)
	}
	for _, args := range [][]string{{"-out", out, file}, {"-resume", "-out", out, file}} {
		if status, _, stderr := execute(t, "", args...); status != 1 || !strings.Contains(stderr, "exists; overwrite it with -force") {
			t.Errorf("%q: status %d, %q", args, status, stderr)
		}
	}
}

// TestArguments has invalid arguments.
func TestArguments(t *testing.T) {
	for args, want := range map[string]string{
		"":                            "missing file",
		"-threshold 0 a":              "must be from 0.001 to 1",
		"-threshold 1.001 a":          "must be from 0.001 to 1",
		"-threshold 0.8001 a":         "up to three decimals",
		"-threshold NaN a":            "must be from 0.001 to 1",
		"-workers 0 a":                "-workers 0",
		"-reports -2 a":               "-reports -2",
		"-memory 1TB a":               "must be a size",
		"-memory -1 a":                "must be a size",
		"-words x a":                  "ascii, unicode or bigrams",
		"-resume a":                   "standard output cannot be continued",
		"-resume -force -out b.csv a": "exclude each other",
		"-x":                          "-help shows all flags",
		"-out= a":                     "-out: missing file",
		"a b ./a":                     "./a is named twice",
	} {
		if status, stdout, stderr := execute(t, "", strings.Fields(args)...); status != 2 || stdout != "" || !strings.Contains(stderr, want) {
			t.Errorf("%q: status %d, %q, %q", args, status, stdout, stderr)
		}
	}
	if status, stdout, _ := execute(t, "", "-help"); status != 0 || !strings.Contains(stdout, "-threshold") {
		t.Errorf("-help: status %d, %q", status, stdout)
	}
}

// TestOutputs has outputs that a run must not overwrite, not even with -force.
func TestOutputs(t *testing.T) {
	dir := t.TempDir()
	file := write(t, dir, "a.csv", "id,text\n1,a\n2,a\n")
	state := write(t, dir, "b.csv.partial", "id,text\n")
	link := filepath.Join(dir, "c.csv")
	if err := os.Symlink(file, link); err != nil {
		t.Skip(err)
	}
	for _, c := range []struct{ out, in, want string }{
		{file, file, "is an input"},
		{link, file, "is an input"},
		{filepath.Join(dir, "b.csv"), state, "b.csv.partial is an input"},
		{dir, file, "is not a regular file"},
		{filepath.Join(file, "x.csv"), file, "write to another file with -out"},
	} {
		args := []string{"-force", "-format", "csv", "-out", c.out, c.in}
		if status, _, stderr := execute(t, "", args...); status != 1 || !strings.Contains(stderr, c.want) {
			t.Errorf("%q: status %d, %q, want %q", args, status, stderr, c.want)
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 3 {
		t.Errorf("%v, %v", entries, err)
	}
}

// TestOneRunAtATime: what a run writes is safe from another one.
func TestOneRunAtATime(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("files are not locked there")
	}
	file, out := corpusFile(t, texts(100)), filepath.Join(t.TempDir(), "pairs.csv")
	o, err := parse([]string{"-threshold", "0.3", "-out", out, file}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	o.blockSize, o.every = 10, 0
	others := 0
	o.checkpointed = func() {
		for _, args := range [][]string{{"-resume"}, {"-force"}} {
			status, _, stderr := execute(t, "", append(args, "-threshold", "0.3", "-out", out, file)...)
			if status != 1 || !strings.Contains(stderr, "another run writes "+partial(out)+"; wait for it") {
				t.Fatalf("%s: status %d, %q", args, status, stderr)
			}
			others++
		}
	}
	if err := o.run(t.Context(), nil, nil, io.Discard); err != nil || others < 10 {
		t.Fatalf("%v, %d other runs", err, others)
	}
	want, _ := os.ReadFile(out)
	if status, stdout, stderr := execute(t, "", "-threshold", "0.3", file); status != 0 || len(stdout) != len(want) {
		t.Errorf("status %d, %d bytes, want %d; %s", status, len(stdout), len(want), stderr)
	}

	// A run that opened the file before another one completed it.
	late, err := openOutput(out, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer late.close(true)
	if err := os.Rename(partial(out), out); err != nil {
		t.Fatal(err)
	}
	if err := late.begin("csv", 0); err == nil || !strings.Contains(err.Error(), "another run has just ended") {
		t.Errorf("got %v", err)
	}
}

// TestHowToContinue has the flags that continue a run.
func TestHowToContinue(t *testing.T) {
	for force, want := range map[bool]string{false: "the same command and -resume", true: "-resume instead of -force"} {
		o := options{out: "a.csv", continues: true, force: force}
		if err := o.stopped(t.Context(), io.ErrShortWrite); !strings.HasSuffix(err.Error(), "; a.csv.partial is not complete; continue with "+want) {
			t.Errorf("-force %v: %v", force, err)
		}
	}
}

// TestProgress: all pairs are counted, also by a run that continues another one.
func TestProgress(t *testing.T) {
	c := newCorpus(800, 1<<30, "")
	c.blockSize = 40
	defer c.close()
	const n = 100
	for i := range n {
		v := score.Prepare(fmt.Appendf(nil, "w%d", i), score.ASCII)
		encoded, _ := v.MarshalBinary()
		if err := c.add(fmt.Sprint(i), v, encoded); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.flush(); err != nil {
		t.Fatal(err)
	}
	for _, first := range []int{0, 1, 4, c.parts()} {
		compared := int64(0)
		work := comparison{corpus: c, workers: 2, after: func(int) error { return nil }, compared: func(n int64) { compared += n }}
		if err := work.run(t.Context(), first); err != nil || compared != n*(n-1)/2 || c.parts() != 6 {
			t.Errorf("from part %d of %d: %d pairs, %v", first, c.parts(), compared, err)
		}
	}
}
