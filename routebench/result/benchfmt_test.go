package result_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/perf/benchfmt"

	"github.com/muxwell/muxwell/routebench/result"
	"github.com/muxwell/muxwell/routebench/result/resulttest"
)

func benchText(t *testing.T, run *result.Run) string {
	t.Helper()
	var b bytes.Buffer
	if err := result.WriteBenchfmt(&b, run); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// What is read back has a result for each round of each row, with all its samples.
func TestBenchfmtReadBack(t *testing.T) {
	run := resulttest.Run()
	samples := map[string]map[string][]float64{}
	r := benchfmt.NewReader(strings.NewReader(benchText(t, run)), "run.txt")
	for r.Scan() {
		switch rec := r.Result().(type) {
		case *benchfmt.SyntaxError:
			t.Fatal(rec)
		case *benchfmt.Result:
			name := rec.Name.String()
			if samples[name] == nil {
				samples[name] = map[string][]float64{}
			}
			for _, v := range rec.Values {
				value, unit := v.Value, v.Unit
				if v.OrigUnit != "" {
					value, unit = v.OrigValue, v.OrigUnit
				}
				samples[name][unit] = append(samples[name][unit], value)
			}
			for key, want := range map[string]string{"goos": "linux", "goarch": "amd64", "cpu": "AMD EPYC 7763 64-Core Processor", "go": "go1.26.8"} {
				if got := rec.GetConfig(key); got != want {
					t.Fatalf("%s: %s is %q, want %q", name, key, got, want)
				}
			}
		}
	}
	if err := r.Err(); err != nil {
		t.Fatal(err)
	}
	units := r.Units()
	for _, unit := range result.Units {
		want := -1
		if unit == result.Throughput {
			want = 1
		}
		if got := units.GetBetter(tidied(unit)); got != want {
			t.Errorf("%s: which way is better is %d, want %d", unit, got, want)
		}
	}
	rows := 0
	for _, s := range run.Scenarios {
		for _, row := range s.Rows {
			if len(row.Samples) == 0 {
				continue
			}
			rows++
			name := s.Name + "/router=" + strings.ReplaceAll(strings.Trim(row.Router, "()"), " ", "_")
			if row.Answered < s.Requests {
				name += "/answered=" + strconv.Itoa(row.Answered)
			}
			name += "-" + strconv.Itoa(row.CPU)
			for unit, want := range row.Samples {
				if got := samples[name][unit]; !slices.Equal(got, want) {
					t.Errorf("%s: %s is %v, want %v", name, unit, got, want)
				}
			}
		}
	}
	if len(samples) != rows {
		t.Errorf("%d benchmarks, want %d, one for each row", len(samples), rows)
	}
}

// tidied returns what the reader makes of a unit.
func tidied(unit string) string {
	return strings.Replace(unit, "ns", "sec", 1)
}

func TestBenchfmtNames(t *testing.T) {
	run := resulttest.Small()
	s := &run.Scenarios[0]
	for _, tt := range []struct {
		scenario, router string
		answered         int
		want             string
	}{
		{"GithubAll", "chi", 1, "BenchmarkGithubAll/router=chi-2 "},
		{"MuxSimple/default", "goji-2", 1, "BenchmarkMuxSimple/default/router=goji-2-2 "},
		{"my routes.txt", "a router", 1, "BenchmarkMy_routes.txt/router=a_router-2 "},
		{"été\n", "x/y=z\x1b\u00a0", 1, "BenchmarkÉté_/router=x_y_z-2 "},
		{"GithubAll", "chi", 0, "BenchmarkGithubAll/router=chi/answered=0-2 "},
		{"GithubAll", result.Floor, 1, "BenchmarkGithubAll/router=no_router-2 "},
	} {
		s.Name = tt.scenario
		s.Rows = []result.Row{{Router: tt.router, CPU: 2, Answered: tt.answered, Samples: map[string][]float64{result.Time: {1234.5}}, Ops: []int{7}}}
		run.Scenarios = run.Scenarios[:1]
		if got := benchText(t, run); !strings.Contains(got, "\n"+tt.want+"7 1234.5 ns/op\n") {
			t.Errorf("%q of %q, %d answered: got\n%s\nwant the line %q", tt.router, tt.scenario, tt.answered, got, tt.want)
		}
	}
}

func TestBenchstatReadsIt(t *testing.T) {
	file := filepath.Join(t.TempDir(), "run.txt")
	if err := os.WriteFile(file, []byte(benchText(t, resulttest.Run())), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "tool", "-modfile=tools/go.mod", "benchstat", "-col", "/router", "-filter", "/router:(muxwell OR ServeMux OR chi)", file)
	cmd.Dir = "../.." // the root
	cmd.Env = append(os.Environ(), "GOWORK=off")
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", cmd, err, errs.String())
	}
	for _, want := range []string{"muxwell", "ServeMux", "GithubAll-1", "GithubAll-2", "Growth/100000-1", "sec/op", "B/op", "allocs/op", "requests/s", "heap-bytes", "load-sec", "cpu-sec/request", "cpu: AMD EPYC"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("benchstat's output has no %q:\n%s", want, out)
		}
	}
	if strings.Contains(errs.String(), "run.txt:") {
		t.Errorf("benchstat complains: %s", errs.String())
	}
}
