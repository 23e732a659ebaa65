package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/muxwell/muxwell/similarity/score"
)

// command runs the command in a process of its own.
func command(t *testing.T, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(t.Context(), self, args...)
	c.Env = append(os.Environ(), asCommand+"=1")
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	if err := c.Run(); c.ProcessState == nil {
		t.Fatal(err)
	}
	return c.ProcessState.ExitCode(), out.String(), errs.String()
}

// startPrism starts Beam's Prism as a server and returns its endpoint.
func startPrism(t *testing.T) string {
	t.Helper()
	prism := filepath.Join(t.TempDir(), "prism")
	if out, err := exec.Command("go", "build", "-o", prism, "github.com/apache/beam/sdks/v2/go/cmd/prism").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	c := exec.Command(prism, "-job_port", "0", "-serve_http=false", "-log_kind", "text")
	stderr, err := c.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	endpoint, ended := make(chan string, 1), make(chan struct{})
	go func() {
		defer close(ended)
		for lines := bufio.NewScanner(stderr); lines.Scan(); {
			if m := regexp.MustCompile(`"?Serving JobManagement"? endpoint=(\S+)`).FindStringSubmatch(lines.Text()); m != nil {
				endpoint <- m[1]
			}
		}
	}()
	t.Cleanup(func() {
		c.Process.Kill()
		<-ended
		c.Wait()
	})
	select {
	case e := <-endpoint:
		return e
	case <-ended:
		t.Fatal("prism ended")
	case <-time.After(30 * time.Second):
		t.Fatal("prism does not serve after 30 s")
	}
	return ""
}

// TestServer submits both pipelines to a runner in another process, as to one on a cluster.
func TestServer(t *testing.T) {
	endpoint := startPrism(t)
	t.Chdir(t.TempDir())
	texts := someTexts(100)
	var ids, want []string
	var in strings.Builder
	for i, text := range texts {
		ids = append(ids, fmt.Sprint(i))
		line := jsonRow("id", ids[i], "text", text, "text1", text, "text2", texts[i/2])
		fmt.Fprintln(&in, line)
		r := score.Compare([]byte(text), []byte(texts[i/2]), 0)
		want = append(want, fmt.Sprintf(`%s,"similarity":%v,"interpretation":"%s"}`, strings.TrimSuffix(line, "}"), r.Similarity(), r.Interpretation()))
	}
	write1(t, "in-1.jsonl", in.String())
	write1(t, "in-2.jsonl", "{}\n")
	server := []string{"-runner", "universal", "-endpoint", endpoint, "-environment_type", "LOOPBACK", "-input", "in-*.jsonl", "-part", "1000", "-output", "out.jsonl"}
	for _, command1 := range []string{"compare", "pairs"} {
		status, _, stderr := command(t, append([]string{command1}, server...)...)
		if status != statusRejected || !strings.Contains(stderr, "rejected: 1\n") {
			t.Errorf("%s: got status %d, %s", command1, status, stderr)
		}
		parts, least := 0, (in.Len()+999)/1000+1
		if fmt.Sscanf(stderr, "parts: %d", &parts); parts < least || least < 20 {
			t.Errorf("%s: got %d parts, want %d or more", command1, parts, least)
		}
		if command1 == "pairs" {
			want, _ = naivePairs(ids, texts, 800, 0)
		}
		checkLines(t, command1, linesOf(t, "out.jsonl"), want)
		if lines := linesOf(t, "out.rejected.jsonl"); len(lines) != 1 || !strings.Contains(lines[0], `"in-2.jsonl","offset":0,`) {
			t.Errorf("%s: rejected %q", command1, lines)
		}
	}
}

// TestStatus has the exit statuses, of runs in this process's runner.
func TestStatus(t *testing.T) {
	t.Chdir(t.TempDir())
	write1(t, "in.jsonl", `{"text1":"a","text2":"b"}`)
	write1(t, "file", "")
	for _, tt := range []struct {
		args   string
		status int
		want   string // in the output
	}{
		{"compare -input in.jsonl -output out.jsonl", 0, "compared: 1\n"},
		{"compare -input in.jsonl -output out.jsonl -rejected r", 0, "parts: 1\n"},
		{"pairs -input in.jsonl -output out.jsonl", statusRejected, "rejected rows are in out.rejected.jsonl"},
		{"compare -input none.jsonl -output out.jsonl", statusFailed, "none.jsonl"},
		{"compare -input in.jsonl -output file/out.jsonl", statusFailed, "not a directory"},
		{"compare -input in.jsonl -output out.jsonl -runner none", statusFailed, "none"},
		{"help", 0, "Usage: beam"},
		{"pairs -help", 0, "Usage: beam"},
		{"", statusUsage, "must be compare or pairs"},
		{"both", statusUsage, "must be compare or pairs"},
		{"pairs -none", statusUsage, "-none"},
		{"pairs -output out.jsonl", statusUsage, "-input is missing"},
		{"pairs -input in.jsonl", statusUsage, "-output is missing"},
		{"pairs -input in.jsonl -output out.jsonl more", statusUsage, `unexpected arguments ["more"]`},
		{"pairs -input in.jsonl -output out.jsonl -rejected out.jsonl", statusUsage, "same file"},
		{"pairs -input *.jsonl -output out.jsonl", statusUsage, `-input "*.jsonl" has out.jsonl, which is written`},
		{"pairs -input in.jsonl -output a -rejected in.jsonl", statusUsage, "which is written"},
		{"pairs -input [ -output a", statusUsage, "syntax error in pattern"},
		{"pairs -input in.jsonl -output a -threshold 0", statusUsage, "-threshold 0"},
		{"pairs -input in.jsonl -output a -threshold 1.1", statusUsage, "-threshold 1.1"},
		{"pairs -input in.jsonl -output a -threshold NaN", statusUsage, "-threshold NaN"},
		{"pairs -input in.jsonl -output a -groups 0", statusUsage, "-groups 0"},
		{"pairs -input in.jsonl -output a -shards 0", statusUsage, "-shards 0"},
		{"pairs -input in.jsonl -output a -part 0", statusUsage, "-part 0"},
		{"pairs -words latin", statusUsage, "must be ascii, unicode or bigrams"},
	} {
		status, stdout, stderr := command(t, strings.Fields(tt.args)...)
		if status != tt.status || !strings.Contains(stdout+stderr, tt.want) {
			t.Errorf("%s: got status %d, %s%s, want %d, %s", tt.args, status, stdout, stderr, tt.status, tt.want)
		}
	}
}

func TestThousandths(t *testing.T) {
	for threshold, want := range map[float64]int{0.8: 800, 0.333: 333, 0.3331: 334, 1: 1000, 0.001: 1, 0.0001: 1, 0.29: 290, 0.57: 570} {
		if got := (&options{threshold: threshold}).thousandths(); got != want {
			t.Errorf("-threshold %v: got %d thousandths, want %d", threshold, got, want)
		}
	}
}
