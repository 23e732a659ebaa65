package main

import (
	"bufio"
	"bytes"
	"flag"
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
	c := exec.CommandContext(t.Context(), self(t), args...)
	c.Env = append(os.Environ(), asCommand+"=1")
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	if err := c.Run(); c.ProcessState == nil {
		t.Fatal(err)
	}
	return c.ProcessState.ExitCode(), out.String(), errs.String()
}

// self returns the path of this program.
func self(t *testing.T) string {
	t.Helper()
	name, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return name
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

// TestServer submits both pipelines to a runner in another process, as to one on a cluster, with
// workers in the process that submits and in processes of their own.
func TestServer(t *testing.T) {
	endpoint, dir := startPrism(t), t.TempDir()
	t.Chdir(dir)
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
	writeFile(t, "in-1.jsonl", in.String())
	writeFile(t, "in-2.jsonl", "{}\n")
	wantPairs, _ := naivePairs(ids, texts, 800, 0)
	for _, environment := range [][]string{{"LOOPBACK"}, {"PROCESS", "-environment_config", bootLoader(t), "-worker_binary", self(t)}} {
		server := append([]string{"-runner", "universal", "-endpoint", endpoint, "-input", filepath.Join(dir, "in-*.jsonl"), "-part", "1000", "-output", filepath.Join(dir, "out.jsonl"), "-environment_type"}, environment...)
		for name, want := range map[string][]string{"compare": want, "pairs": wantPairs} {
			status, _, stderr := command(t, append([]string{name}, server...)...)
			if status != statusRejected || !strings.Contains(stderr, "rejected: 1\n") {
				t.Errorf("%s, %s: got status %d, %s", environment[0], name, status, stderr)
			}
			parts, least := 0, (in.Len()+999)/1000+1
			if fmt.Sscanf(stderr, "parts: %d", &parts); parts < least || least < 20 {
				t.Errorf("%s, %s: got %d parts, want %d or more", environment[0], name, parts, least)
			}
			checkLines(t, name, linesOf(t, "out.jsonl"), want)
			if lines := linesOf(t, "out.rejected.jsonl"); len(lines) != 1 || !strings.Contains(lines[0], `in-2.jsonl","offset":0,`) {
				t.Errorf("%s, %s: rejected %q", environment[0], name, lines)
			}
			for _, name := range []string{"out.jsonl", "out.rejected.jsonl"} {
				if err := os.Remove(name); err != nil {
					t.Error(err)
				}
			}
		}
	}
	if status, _, stderr := command(t, "compare", "-input", "in-*.jsonl", "-output", "out.jsonl", "-runner", "universal", "-endpoint", endpoint, "-environment_type", "LOOPBACK", "-async"); status != 0 {
		t.Errorf("-async: got status %d, %s", status, stderr)
	}
}

// bootLoader returns the configuration of an environment that starts the command as a worker,
// in a process of its own, as the boot loader of Beam's container does.
func bootLoader(t *testing.T) string {
	t.Helper()
	script := filepath.Join(t.TempDir(), "boot")
	if err := os.WriteFile(script, []byte(`#!/bin/sh
for arg; do
	case $arg in
	--id=*) id=$(printf %s "${arg#*=}" | tr -d "'") ;;
	--provision_endpoint=*) endpoint=${arg#*=} ;;
	esac
done
`+asCommand+`=1 exec '`+self(t)+`' --worker=true "--id=$id" "--logging_endpoint=$endpoint" "--control_endpoint=$endpoint"
`), 0o777); err != nil {
		t.Fatal(err)
	}
	return string(encode(map[string]string{"command": script}))
}

// TestStatus has the exit statuses, of runs in this process's runner.
func TestStatus(t *testing.T) {
	t.Chdir(t.TempDir())
	writeFile(t, "in.jsonl", `{"text1":"a","text2":"b"}`)
	writeFile(t, "file", "")
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

// TestREADME has all flags, counters, and the example.
func TestREADME(t *testing.T) {
	b, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	readme := string(b)
	fs := flag.NewFlagSet("", flag.PanicOnError)
	new(options).define(fs)
	fs.VisitAll(func(f *flag.Flag) {
		if !strings.Contains(readme, "\n| `-"+f.Name+"` | "+f.DefValue) {
			t.Errorf("README.md does not have -%s with default %s", f.Name, f.DefValue)
		}
	})
	t.Chdir(t.TempDir())
	for command, n := range map[string]int{"compare": 1, "pairs": 2} {
		_, example, _ := strings.Cut(readme, "## "+command+"\n")
		_, example, _ = strings.Cut(example, "```json\n")
		example, _, _ = strings.Cut(example, "```")
		lines := strings.SplitAfter(example, "\n")
		writeFile(t, "in.jsonl", strings.Join(lines[:n], ""))
		c := newOptions(t, command, "-threshold", "0.7", "-input", "in.jsonl").execute(t)
		checkLines(t, command, linesOf(t, "out.jsonl"), []string{strings.TrimSpace(lines[n])})
		for name := range c {
			if !strings.Contains(readme, "\n| `"+name+"` |") {
				t.Errorf("README.md does not have the counter %s", name)
			}
		}
	}
}
