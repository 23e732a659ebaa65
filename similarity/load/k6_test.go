package load

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/muxwell/muxwell/similarity/score"
)

// A standIn answers as the service does, and keeps the bodies that it gets.
type standIn struct {
	mu     sync.Mutex
	bodies map[string]int // how often each came
	answer func(body []byte) []byte
}

func (s *standIn) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil || r.Method != http.MethodPost || r.URL.Path != "/similarity" || r.Header.Get("Content-Type") != "application/json" {
		http.Error(w, "no such request", http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	s.bodies[string(body)]++
	s.mu.Unlock()
	w.Write(s.answer(body))
}

func rightAnswer(body []byte) []byte {
	answer, err := score.AppendAnswer(nil, bytes.Clone(body), score.ASCII)
	if err != nil {
		return []byte(err.Error())
	}
	return answer
}

// A run is one of k6, of one or more instances with a share of the virtual users each.
type run struct {
	instances int
	texts     int
	length    []string // flags of k6
	answer    func(body []byte) []byte
}

var (
	twoSeconds       = []string{"--stage", "1s:8,1s:8"}
	thirtyIterations = []string{"--vus", "2", "--iterations", "30"}
)

// do runs the script against a stand-in and returns the bodies and how many checks
// failed.
func (r run) do(t *testing.T) (bodies map[string]int, failed int) {
	t.Helper()
	program, err := exec.LookPath("k6")
	if err != nil {
		t.Skip("k6 is not on PATH; README.md says how to install it")
	}
	if _, err := os.Stat("similarity.js"); err != nil { // so that go test knows of a change
		t.Fatal(err)
	}
	s := &standIn{bodies: map[string]int{}, answer: r.answer}
	server := httptest.NewServer(s)
	defer server.Close()
	dir := t.TempDir()
	texts := append(bytes.Join(Literals(Messy, r.texts, TextSize, 1), []byte("\n")), '\n')
	if err := os.WriteFile(filepath.Join(dir, "texts.jsonl"), texts, 0o600); err != nil {
		t.Fatal(err)
	}

	sequence := "0"
	for i := range r.instances {
		sequence += fmt.Sprintf(",%d/%d", i+1, r.instances)
	}
	var group sync.WaitGroup
	for i := range r.instances {
		group.Go(func() {
			args := slices.Concat([]string{"run"}, r.length, []string{
				"--quiet", "--no-color", "--no-thresholds", "--address", "", "--summary-export", filepath.Join(dir, fmt.Sprint(i)),
				"--execution-segment", fmt.Sprintf("%d/%d:%d/%d", i, r.instances, i+1, r.instances),
				"--execution-segment-sequence", sequence,
				"-e", "BASE_URL=" + server.URL, "-e", "TEXTS=" + filepath.Join(dir, "texts.jsonl"), "similarity.js",
			})
			cmd := exec.CommandContext(t.Context(), program, args...)
			cmd.Env = append(os.Environ(), "K6_NO_USAGE_REPORT=true")
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("k6: %v\n%s", err, out)
			}
		})
	}
	group.Wait()
	for i := range r.instances {
		failed += failedChecks(t, filepath.Join(dir, fmt.Sprint(i)))
	}
	delete(s.bodies, `{"text1":"a","text2":"a"}`) // setup's
	return s.bodies, failed
}

// failedChecks returns how many checks failed, as a summary of k6 has it.
func failedChecks(t *testing.T, file string) int {
	t.Helper()
	var summary struct {
		Metrics struct {
			Checks struct{ Passes, Fails int }
		}
	}
	data, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(data, &summary)
	}
	if err != nil {
		t.Fatal(err)
	}
	if summary.Metrics.Checks.Passes == 0 {
		t.Errorf("no check passed: %s", data)
	}
	return summary.Metrics.Checks.Fails
}

// TestScript: the bodies that k6 sends are those of AppendBody, each once.
func TestScript(t *testing.T) {
	bodies, failed := run{1, TextCount, twoSeconds, rightAnswer}.do(t)
	if failed > 0 {
		t.Errorf("%d checks failed", failed)
	}
	if len(bodies) < 200 {
		t.Errorf("%d bodies, want 200 or more", len(bodies))
	}
	literals := Literals(Messy, TextCount, TextSize, 1)
	for k := range len(bodies) {
		if body := AppendBody(nil, literals, k); bodies[string(body)] != 1 {
			t.Errorf("of %d bodies, number %d came %d times", len(bodies), k, bodies[string(body)])
		}
	}
}

// TestScriptGoesRound: six texts make thirty bodies, of which each comes once.
func TestScriptGoesRound(t *testing.T) {
	bodies, _ := run{1, 6, thirtyIterations, rightAnswer}.do(t)
	literals := Literals(Messy, 6, TextSize, 1)
	for k := range 30 {
		if body := AppendBody(nil, literals, k); bodies[string(body)] != 1 {
			t.Errorf("of %d bodies, number %d came %d times", len(bodies), k, bodies[string(body)])
		}
	}
}

// TestScriptDistributed: no two instances send the same.
func TestScriptDistributed(t *testing.T) {
	bodies, failed := run{2, TextCount, twoSeconds, rightAnswer}.do(t)
	if failed > 0 {
		t.Errorf("%d checks failed", failed)
	}
	for body, n := range bodies {
		if n != 1 {
			t.Errorf("a body came %d times: %.60q", n, body)
		}
	}
}

// TestScriptNotices: answers that are wrong fail a check.
func TestScriptNotices(t *testing.T) {
	for _, answer := range []string{
		`{"similarity":0.5,"interpretation":"Quite Similar"}`,
		`{"similarity":1.5,"interpretation":"Highly Similar"}`,
		`null`,
		`similar`,
	} {
		wrong := run{1, 6, thirtyIterations, func([]byte) []byte { return []byte(answer) }}
		if _, failed := wrong.do(t); failed == 0 {
			t.Errorf("%s passes all checks", answer)
		}
	}
}
