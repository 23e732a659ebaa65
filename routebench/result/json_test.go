package result_test

import (
	"bytes"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/muxwell/muxwell/routebench/result"
	"github.com/muxwell/muxwell/routebench/result/resulttest"
)

func jsonText(t *testing.T, run *result.Run) string {
	t.Helper()
	var b bytes.Buffer
	if err := result.WriteJSON(&b, run); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestJSONRoundTrip(t *testing.T) {
	for name, run := range map[string]*result.Run{"Run": resulttest.Run(), "Small": resulttest.Small(), "empty": {}} {
		got, err := result.ReadJSON(strings.NewReader(jsonText(t, run)))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if !reflect.DeepEqual(got, run) {
			t.Errorf("%s: what is read back differs", name)
		}
	}
}

func TestJSONOfNoNumber(t *testing.T) {
	for _, x := range []float64{math.NaN(), math.Inf(1)} {
		run := resulttest.Small()
		run.Scenarios[0].Rows[0].Samples[result.Time][0] = x
		if err := result.WriteJSON(&bytes.Buffer{}, run); err == nil {
			t.Errorf("a sample of %v: got no error", x)
		}
	}
}

func TestReadJSONErrors(t *testing.T) {
	good := jsonText(t, resulttest.Small())
	with := func(old, text string) string {
		if !strings.Contains(good, old) {
			t.Fatalf("the text has no %s", old)
		}
		return strings.Replace(good, old, text, 1)
	}
	for _, tt := range []struct{ name, text, want string }{
		{"empty", "", "not a run of routebench: offset 0: unexpected end of JSON input"},
		{"other text", "goos: linux", "not a run of routebench: offset 1: invalid character 'g' looking for beginning of value"},
		{"cut off", good[:len(good)/2], "unexpected end of JSON input"},
		{"more behind", good + "{}", "invalid character '{' after top-level value"},
		{"another object", `{"name": "x"}`, `not a run of routebench: it has no "format"`},
		{"a list", `[]`, "not a run of routebench: json: cannot unmarshal array"},
		{"a newer form", with(`"format": 1`, `"format": 2`), "format 2 is not supported: this routebench reads format 1"},
		{"another type", with(`"rounds": 10`, `"rounds": "10"`), "not a run of routebench: json: cannot unmarshal string"},
		{"no routers", `{"format": 1, "scenarios": [{"name": "A", "kind": "speed"}]}`, "the run has scenarios, but no routers"},
		{"no name", with(`"name": "Param",`, `"name": "",`), "scenario 1 has no name"},
		{"another kind", with(`"kind": "speed"`, `"kind": "fast"`), `scenario "Param" has the unknown kind "fast"`},
		{"another router", with(`"router": "chi"`, `"router": "x"`), `scenario "Param", router "x": the run does not have this router`},
		{"no GOMAXPROCS", with(`"cpu": 1,`, `"cpu": 0,`), `cpu is 0; it is GOMAXPROCS and at least 1`},
		{"too many answers", with(`"answered": 1`, `"answered": 2`), `2 requests answered of 1`},
		{"twice", with(`"router": "chi"`, `"router": "(no router)"`), `scenario "Param", router "(no router)": a second row at cpu 1`},
		{"another unit", with(`"ns/op"`, `"s/op"`), `unknown unit "s/op"`},
		{"a negative sample", with(`"B/op": [`+"\n\t\t\t\t\t\t\t0,", `"B/op": [-1,`), `a sample of -1 B/op`},
	} {
		run, err := result.ReadJSON(strings.NewReader(tt.text))
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v, %v, want an error with %q", tt.name, run != nil, err, tt.want)
		}
	}
}

func FuzzReadJSON(f *testing.F) {
	var b bytes.Buffer
	if err := result.WriteJSON(&b, resulttest.Small()); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Add([]byte(`{"format": 1}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		run, err := result.ReadJSON(bytes.NewReader(text))
		if err != nil {
			return
		}
		again, err := result.ReadJSON(strings.NewReader(jsonText(t, run)))
		if err != nil || jsonText(t, again) != jsonText(t, run) {
			t.Errorf("what is read is not read again: %v", err)
		}
	})
}
