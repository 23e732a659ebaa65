package result_test

import (
	"bytes"
	"encoding/csv"
	"strconv"
	"testing"

	"github.com/muxwell/muxwell/routebench/result"
	"github.com/muxwell/muxwell/routebench/result/resulttest"
)

// records returns the lines of WriteCSV by the names of columns.
func records(t *testing.T, run *result.Run) []map[string]string {
	t.Helper()
	var b bytes.Buffer
	if err := result.WriteCSV(&b, run); err != nil {
		t.Fatal(err)
	}
	lines, err := csv.NewReader(&b).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var out []map[string]string
	for _, line := range lines[1:] {
		rec := map[string]string{}
		for i, name := range lines[0] {
			rec[name] = line[i]
		}
		out = append(out, rec)
	}
	return out
}

func TestCSV(t *testing.T) {
	run := resulttest.Run()
	got := records(t, run)
	i := 0
	for j := range run.Scenarios {
		s := &run.Scenarios[j]
		for k := range s.Rows {
			r := &s.Rows[k]
			units := 0
			for _, unit := range result.Units {
				sum, ok := r.Summarize(unit, s.Row("ServeMux", r.CPU))
				if !ok {
					continue
				}
				units++
				p := ""
				if sum.P >= 0 {
					p = strconv.FormatFloat(sum.P, 'g', -1, 64)
				}
				for name, want := range map[string]string{
					"scenario": s.Name, "suite": s.Suite, "kind": string(s.Kind), "router": r.Router, "unit": unit,
					"cpu": strconv.Itoa(r.CPU), "routes": strconv.Itoa(s.Routes), "requests": strconv.Itoa(s.Requests),
					"answered": strconv.Itoa(r.Answered), "n": strconv.Itoa(len(r.Samples[unit])), "left out": "", "p": p,
					"median": strconv.FormatFloat(sum.Center, 'g', -1, 64),
					"lo":     strconv.FormatFloat(sum.Lo, 'g', -1, 64), "hi": strconv.FormatFloat(sum.Hi, 'g', -1, 64),
				} {
					if got[i][name] != want {
						t.Fatalf("line %d, %s of %s: %s is %q, want %q", i+2, r.Router, s.Name, name, got[i][name], want)
					}
				}
				i++
			}
			if units == 0 {
				if got[i]["left out"] != r.LeftOut || got[i]["unit"] != "" || got[i]["n"] != "0" {
					t.Errorf("line %d: got %v, want that %s is excluded: %s", i+2, got[i], r.Router, r.LeftOut)
				}
				i++
			}
		}
	}
	if i != len(got) {
		t.Errorf("%d lines, want %d", len(got), i)
	}
}

func TestCSVOfFewRounds(t *testing.T) {
	run := resulttest.Small()
	run.Scenarios[0].Rows = []result.Row{{Router: "chi", CPU: 1, Answered: 1, Samples: map[string][]float64{result.Time: {7, 7.5, 8}}}}
	got := records(t, run)[0]
	if got["median"] != "7.5" || got["lo"] != "" || got["hi"] != "" || got["p"] != "" {
		t.Errorf("got %v, want an interval and a p-value of nothing", got)
	}
}

func TestCSVIsInert(t *testing.T) {
	for _, name := range []string{"=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1"} {
		run := resulttest.Small()
		s := &run.Scenarios[0]
		s.Name, s.Suite, s.Rows[0].Router, s.Rows[1].LeftOut = name, name, name, name
		s.Rows[1].Samples = nil
		got := records(t, run)
		left := got[len(s.Rows[0].Samples)]
		for _, text := range []string{got[0]["scenario"], got[0]["suite"], got[0]["router"], left["left out"]} {
			if len(text) == 0 || text[0] != '\'' {
				t.Errorf("%q is written as %q, want an apostrophe in front", name, text)
			}
		}
	}
}
