package behavior

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/muxwell/muxwell"
)

// valuePatterns have a parameter v, and take any value that allowed says.
var valuePatterns = []struct {
	pattern, before, after string // the request's path around the value
	allowed                func(v string) bool
}{
	{"/{v}", "/", "", notEmpty},
	{"/a/{v}/b", "/a/", "/b", notEmpty},
	{"/{u}/{v}/", "/u/", "/", notEmpty},
	{"/x{v}y", "/x", "y", notEmpty},
	{"/{v}.json", "/", ".json", notEmpty},
	{"/{u}-{v}", "/u-", "", notEmpty},
	{"/{v}-{u}", "/", "-u", func(v string) bool { return notEmpty(v) && !strings.Contains(v, "-") }},
	{"/{u:alpha}.{v}", "/u.", "", notEmpty},
	{"/{v:[^.]+}.{u:alpha}", "/", ".u", func(v string) bool { return notEmpty(v) && !strings.Contains(v, ".") }},
	{"/{v:(?s).*}", "/", "", notEmpty},
	{"/{v:any}", "/", "", notEmpty},
	{"/{v...}", "/", "", func(string) bool { return true }},
	{"/{v...}/raw/{u}", "/", "/raw/u", notEmpty},
	{"/{u...}/raw/{v}", "/a/b/raw/", "", notEmpty},
	{"/{u...}/{v}.{w}/{$}", "/a/b/", ".w/", func(v string) bool { return notEmpty(v) && !strings.Contains(v, ".") }},
	{"{h}.example.com/{v}", "/", "", notEmpty},
}

func notEmpty(v string) bool { return v != "" }

// checkValue puts a value into each pattern and looks whether it comes back the
// same, in each way to escape it and to read it.
func checkValue(t *testing.T, v string) {
	t.Helper()
	for _, row := range valuePatterns {
		if !row.allowed(v) {
			continue
		}
		var byName, byValue, typed string
		m := muxwell.New(muxwell.Constraint("any", func(string) bool { return true }))
		m.HandleFunc("GET "+row.pattern, func(_ http.ResponseWriter, r *http.Request) {
			byName = r.PathValue("v")
			typed, _ = muxwell.Param[string](r, "v")
		})
		m.HandleParams("POST "+row.pattern, func(_ http.ResponseWriter, r *http.Request, p muxwell.Params) {
			byValue = p.Get("v")
			typed, _ = muxwell.Param[string](p, "v")
			if r.PathValue("v") != "" {
				t.Errorf("%s: a value handler can read %q by name", row.pattern, r.PathValue("v"))
			}
		})
		for _, sent := range spellings(v) {
			u, err := url.ParseRequestURI(row.before + sent + row.after)
			if err != nil {
				t.Fatalf("%q: %v", sent, err)
			}
			for _, method := range []string{"GET", "POST"} {
				byName, byValue, typed = "none", "none", "none"
				r := &http.Request{Method: method, URL: u, Host: "Acme.example.com", RequestURI: u.RequestURI(), Header: http.Header{}}
				w := httptest.NewRecorder()
				m.ServeHTTP(w, r)
				got := byName
				if method == "POST" {
					got = byValue
				}
				if w.Code != 200 || got != v || typed != v {
					t.Fatalf("%s: value %q sent as %s %s: status %d, got %q, read as %q", row.pattern, v, method, u.RequestURI(), w.Code, got, typed)
				}
			}
		}
	}
}

// spellings returns a value as clients escape it: as little as they must, and
// every byte.
func spellings(v string) []string {
	least := url.PathEscape(v)
	if strings.Trim(v, ".") == "" {
		least = strings.ReplaceAll(v, ".", "%2e") // not a dot segment
	}
	var all strings.Builder
	for i := range len(v) {
		fmt.Fprintf(&all, "%%%02X", v[i])
	}
	return []string{least, all.String()}
}

func TestValuesComeBack(t *testing.T) {
	for _, v := range []string{
		"", "a", "42", ".", "..", "...", "a.b", "-", "a-b", "/", "a/b", "//", "../..", "%", "%2F", "%252F", "a%zz", "+", "a b", "?", "#", "é", "日本",
		"\x00", "\xff\xfe", "\n", `\`, "{v}", "*", ";", "raw", "raw/u", strings.Repeat("x", 70), strings.Repeat("/", 300), strings.Repeat("é", 5000),
	} {
		checkValue(t, v)
	}
}

func FuzzValues(f *testing.F) {
	for _, v := range []string{"a", "..", "a/b", "%2F", "é\x00", "a-b.c", strings.Repeat("x/", 40)} {
		f.Add(v)
	}
	f.Fuzz(func(t *testing.T, v string) {
		if len(v) <= 4<<10 {
			checkValue(t, v)
		}
	})
}
