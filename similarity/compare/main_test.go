package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/muxwell/muxwell/similarity/compare/generator"
	"github.com/muxwell/muxwell/similarity/score"
)

func TestMain(m *testing.M) {
	generator.Child()
	if len(os.Args) > 1 && strings.HasPrefix(os.Args[1], "-fake=") {
		os.Exit(fake(strings.TrimPrefix(os.Args[1], "-fake=")))
	}
	os.Exit(m.Run())
}

// fake is a tiny service, which has a bug.
func fake(fault string) int {
	if fault == "ends" {
		fmt.Println("cannot listen")
		return 3
	}
	server := httptest.NewServer(faulty(fault))
	defer server.Close()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	fmt.Println("Listening on", server.URL+"/")
	<-ctx.Done()
	if fault == "status" {
		return 4
	}
	return 0
}

// faulty answers requests, with a bug.
func faulty(fault string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		answer, wrong := score.AppendAnswer(nil, body, score.ASCII)
		switch {
		case err != nil || wrong != nil || r.URL.Path != "/similarity":
			http.Error(w, "wrong", http.StatusBadRequest)
		case fault == "wrong":
			io.WriteString(w, `{"similarity":0.352,"interpretation":"Slightly Similar"}`)
		case fault == "load" && r.UserAgent() == "": // the generator sends none
			http.Error(w, "tired", http.StatusServiceUnavailable)
		default:
			w.Write(answer)
		}
	})
}

// fakes returns options with fake services, by their faults.
func fakes(t *testing.T, args string, faults ...string) *options {
	t.Helper()
	o, err := parse(strings.Fields(args), io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	o.services, o.distinct = nil, 8
	for _, fault := range faults {
		o.services = append(o.services, service{name: fault, about: "a fake", args: []string{"-fake=" + fault}})
	}
	o.baseline = faults[0]
	return o
}

// buildFake builds fakes: they are this program.
func buildFake(_ context.Context, s service) (string, error) {
	switch s.name {
	case "skipped":
		return "", fmt.Errorf("%w: there is no compiler", errSkipped)
	case "broken":
		return "", fmt.Errorf("syntax error")
	}
	return os.Executable()
}

// TestRun measures right and wrong services, really.
func TestRun(t *testing.T) {
	file := filepath.Join(t.TempDir(), "run.json")
	table := filepath.Join(t.TempDir(), "run.md")
	o := fakes(t, "-rounds 2 -duration 100ms -connections 2 -kind messy -json "+file+" -markdown "+table,
		"right", "fine", "wrong", "ends", "status", "skipped", "broken")
	var stdout, stderr bytes.Buffer
	err := o.compare(t.Context(), buildFake, &stdout, &stderr)
	if err == nil || err.Error() != "services failed: wrong, ends, status, broken" {
		t.Errorf("error %v", err)
	}
	written, readErr := os.ReadFile(table)
	if readErr != nil || string(written) != stdout.String() {
		t.Errorf("%s has %s, %v; want what is printed", table, written, readErr)
	}
	for _, want := range []string{
		"\n| right | ", "\n| fine | ", "wrong is excluded: request", "want {\"similarity\":", "ends is excluded: it exited before it printed its URL: exit status 3; it wrote:\ncannot listen",
		"status is excluded: it failed: exit status 4", "skipped is excluded: a tool is missing: there is no compiler", "broken is excluded: syntax error", "8 bodies of messy texts on 2 connections",
	} {
		if !strings.Contains(stdout.String(), want) {
			t.Errorf("%q is not in:\n%s", want, &stdout)
		}
	}
	for _, want := range []string{"building right", "checking fine", "round 2 of 2: right", "compare: wrong is excluded: "} {
		if !strings.Contains(stderr.String(), want) {
			t.Errorf("%q is not in:\n%s", want, &stderr)
		}
	}
	checkJSON(t, file)
}

// checkJSON checks the result that TestRun wrote.
func checkJSON(t *testing.T, file string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var r result
	if err := json.Unmarshal(data, &r); err != nil {
		t.Fatal(err)
	}
	for _, row := range r.Services {
		right := row.Name == "right" || row.Name == "fine"
		if right != (row.LeftOut == "") || right != (row.Figures != nil) || right != (len(row.Samples) == 2) {
			t.Errorf("%+v", row)
		}
		for i, s := range row.Samples {
			if s.Round != i+1 || s.Requests < 2 || s.Throughput <= 0 || s.P50 <= 0 || s.P99 < s.P50 {
				t.Errorf("%s: %+v", row.Name, s)
			}
		}
		if right && (row.Figures.ThroughputRatio == nil || row.Name == "right" && row.Figures.ThroughputRatio.Median != 1) {
			t.Errorf("%s: %+v", row.Name, row.Figures)
		}
	}
}

// TestFailsUnderLoad: a service that fails under load is left out, and none is left.
func TestFailsUnderLoad(t *testing.T) {
	o := fakes(t, "-rounds 1 -duration 100ms -connections 1", "load")
	var stdout, stderr bytes.Buffer
	err := o.compare(t.Context(), buildFake, &stdout, &stderr)
	if want := "no service is left"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want %q", err, want)
	}
	if want := "load is excluded: 1 of 1 requests failed; the first error is: request 0: status 503"; !strings.Contains(stderr.String(), want) {
		t.Errorf("%q is not in:\n%s", want, &stderr)
	}
}

// A trigger calls a function when a text is written.
type trigger struct {
	bytes.Buffer
	text string
	do   func()
}

func (w *trigger) Write(b []byte) (int, error) {
	if strings.Contains(string(b), w.text) {
		w.do()
	}
	return w.Buffer.Write(b)
}

// TestInterrupted: what was measured is reported, or that nothing was.
func TestInterrupted(t *testing.T) {
	for _, c := range []struct{ at, stdout, stderr string }{
		{"building", "", "before anything was measured"},
		{"checking", "", "before anything was measured"},
		{"round 1", "", "before anything was measured"},
		{"round 2", "\n| right | ", "the report has what was measured so far"},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		o := fakes(t, "-rounds 1000 -duration 20ms -connections 2", "right")
		var stdout bytes.Buffer
		stderr := &trigger{text: c.at, do: cancel}
		err := o.compare(ctx, buildFake, &stdout, stderr)
		if err != errInterrupted || !strings.Contains(stdout.String(), c.stdout) || (stdout.Len() > 0) != (c.stdout != "") || !strings.Contains(stderr.String(), c.stderr) {
			t.Errorf("%s: error %v, %s%s; want %q and %q", c.at, err, &stdout, stderr.Buffer.String(), c.stdout, c.stderr)
		}
	}
}

func TestWrongCalls(t *testing.T) {
	for _, c := range []struct {
		args   string
		status int
		want   string
	}{
		{"-nosuch", 2, "-help shows all flags"},
		{"muxwell", 2, "-services"},
		{"-services nosuch", 2, "go-regexp"},
		{"-services ,", 2, "go-regexp"},
		{"-kind prose", 2, "plain or messy"},
		{"-rounds 0", 2, "1 to 1000"},
		{"-rounds x", 2, "whole number"},
		{"-seed -1", 2, "whole number"},
		{"-duration 1", 2, "-duration"},
		{"-duration 1ms", 2, "10ms to 10m"},
		{"-connections 0", 2, "1 to 1024"},
		{"-baseline nosuch", 2, "nosuch is not one of"},
		{"-services rust-plain -baseline muxwell", 2, "muxwell is not one of"},
		{"-json " + filepath.Join(t.TempDir(), "nosuch", "run.json"), 2, "-json"},
		{"-markdown " + t.TempDir(), 2, "-markdown"},
		{"-json same -markdown ./same", 2, "same file"},
		{"-help", 0, ""},
		{"-list", 0, ""},
	} {
		var stdout, stderr bytes.Buffer
		got := run(t.Context(), strings.Fields(c.args), &stdout, &stderr)
		if got != c.status || !strings.Contains(stderr.String(), c.want) {
			t.Errorf("%s: %d, %s; want %d, %q", c.args, got, &stderr, c.status, c.want)
		}
		if c.status == 0 && stdout.Len() == 0 {
			t.Errorf("%s: nothing is printed", c.args)
		}
	}
}

func TestParse(t *testing.T) {
	for _, c := range []struct {
		args     string
		rounds   int
		duration time.Duration
		baseline string
		services string
	}{
		{"", 10, 3 * time.Second, "muxwell", strings.Join(names(allServices), " ")},
		{"-quick", 3, time.Second, "muxwell", strings.Join(names(allServices), " ")},
		{"-quick -rounds 5", 5, time.Second, "muxwell", strings.Join(names(allServices), " ")},
		{"-quick -duration 2s", 3, 2 * time.Second, "muxwell", strings.Join(names(allServices), " ")},
		{"-services go-regexp,rust-tuned,go-regexp", 10, 3 * time.Second, "go-regexp", "go-regexp rust-tuned"},
		{"-services go-regexp,muxwell", 10, 3 * time.Second, "muxwell", "go-regexp muxwell"},
	} {
		o, err := parse(strings.Fields(c.args), io.Discard)
		if err != nil {
			t.Errorf("%s: %v", c.args, err)
			continue
		}
		if got := strings.Join(names(o.services), " "); o.rounds != c.rounds || o.duration != c.duration || o.baseline != c.baseline || got != c.services {
			t.Errorf("%s: %d rounds of %v, baseline %s, services %s; want %+v", c.args, o.rounds, o.duration, o.baseline, got, c)
		}
	}
}
