package route

import (
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/muxwell/muxwell"
)

func TestParse(t *testing.T) {
	tests := []struct {
		pattern, host, text string
		path                []Segment
		names               []string
	}{
		{"GET /", "", "GET /", []Segment{nil}, nil},
		{"GET /a/b", "", "GET /a/b", []Segment{{{Literal: "a"}}, {{Literal: "b"}}}, nil},
		{"GET /a/", "", "GET /a/", []Segment{{{Literal: "a"}}, nil}, nil},
		{"GET /a/{$}", "", "GET /a/{$}", []Segment{{{Literal: "a"}}, {{End: true}}}, nil},
		{"GET \t /{id}", "", "GET /{id}", []Segment{{{Param: "id"}}}, []string{"id"}},
		{"POST\t/x", "", "POST /x", []Segment{{{Literal: "x"}}}, nil},
		{"X-ODD /a", "", "X-ODD /a", []Segment{{{Literal: "a"}}}, nil},
		{"GET /a%2Fb%7B/100%", "", "GET /a%2Fb%7B/100%", []Segment{{{Literal: "a/b{"}}, {{Literal: "100%"}}}, nil},
		{
			"GET /v{x:[0-9]{2}}.{y}/{z...}", "", "GET /v{x:[0-9]{2}}.{y}/{z...}",
			[]Segment{{{Literal: "v"}, {Param: "x", Constraint: "[0-9]{2}"}, {Literal: "."}, {Param: "y"}}, {{Param: "z", Rest: true}}},
			[]string{"x", "y", "z"},
		},
		{
			`GET /{x:a/b|\}}/{m...}/raw`, "", `GET /{x:a/b|\}}/{m...}/raw`,
			[]Segment{{{Param: "x", Constraint: `a/b|\}`}}, {{Param: "m", Rest: true}}, {{Literal: "raw"}}},
			[]string{"x", "m"},
		},
		{
			"GET {t:[a-z/]+}.example.com/{id:int}", "{t:[a-z/]+}.example.com", "GET {t:[a-z/]+}.example.com/{id:int}",
			[]Segment{{{Param: "id", Constraint: "int"}}},
			[]string{"t", "id"},
		},
		{"GET {sub...}.example.com/{a b}", "{sub...}.example.com", "GET {sub...}.example.com/{a b}", []Segment{{{Param: "a b"}}}, []string{"sub", "a b"}},
		{"GET *.example.com/", "*.example.com", "GET *.example.com/", []Segment{nil}, nil},
	}
	for _, tt := range tests {
		r, err := Parse(tt.pattern)
		if err != nil {
			t.Errorf("Parse(%q): %v", tt.pattern, err)
			continue
		}
		if r.Host != tt.host || r.Text != tt.text || r.String() != tt.text {
			t.Errorf("Parse(%q): host %q, text %q, want %q and %q", tt.pattern, r.Host, r.Text, tt.host, tt.text)
		}
		if !slices.EqualFunc(r.Path, tt.path, slices.Equal[Segment]) {
			t.Errorf("Parse(%q): path %+v, want %+v", tt.pattern, r.Path, tt.path)
		}
		if got := r.Names(); !slices.Equal(got, tt.names) {
			t.Errorf("Parse(%q): names %q, want %q", tt.pattern, got, tt.names)
		}
	}
}

func TestParseErrors(t *testing.T) {
	tests := []struct{ pattern, want string }{
		{"", "the pattern is empty"},
		{"/a", `"/a" does not begin with one method and a space`},
		{" /a", `" /a" does not begin with one method and a space`},
		{"GET,POST /a", `"GET,POST /a" does not begin with one method`},
		{"example.com/{a b}", "does not begin with one method"},
		{"GET /{id", "'{' is never closed"},
		{"GET /a//b", "paths are cleaned first"},
		{"GET /{x}{y}", "two parameters need text between them"},
	}
	for _, tt := range tests {
		r, err := Parse(tt.pattern)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("Parse(%q) = %v, %v, want an error with %q", tt.pattern, r, err, tt.want)
		}
	}
}

func TestEndsInRest(t *testing.T) {
	for pattern, want := range map[string]bool{
		"GET /":             false,
		"GET /a/{x}":        false,
		"GET /a/{x...}":     true,
		"GET /{x...}/a":     false,
		"GET /a/{$}":        false,
		"GET {h...}.com/ab": false,
	} {
		if got := parse(t, pattern).EndsInRest(); got != want {
			t.Errorf("%q: EndsInRest() = %v, want %v", pattern, got, want)
		}
	}
}

func TestHostPieces(t *testing.T) {
	got := parse(t, "GET api-{region:[a-z]+}.{sub...}.example.com/").HostPieces()
	want := Segment{{Literal: "api-"}, {Param: "region", Constraint: "[a-z]+"}, {Literal: "."}, {Param: "sub", Rest: true}, {Literal: ".example.com"}}
	if !slices.Equal(got, want) {
		t.Errorf("HostPieces() = %+v, want %+v", got, want)
	}
}

func TestNewRequest(t *testing.T) {
	for _, tt := range []struct{ method, host, target, want string }{
		{"GET", "", "/a%2Fb?x=1", "GET /a%2Fb?x=1"},
		{"POST", "a.example.org", "/", "POST a.example.org/"},
	} {
		q, err := NewRequest(tt.method, tt.host, tt.target)
		if err != nil {
			t.Errorf("NewRequest(%q, %q, %q): %v", tt.method, tt.host, tt.target, err)
			continue
		}
		if got := q.String(); got != tt.want || q.Route != -1 || q.Status != 404 {
			t.Errorf("NewRequest(%q, %q, %q) = %s, route %d, status %d, want %s, -1 and 404", tt.method, tt.host, tt.target, got, q.Route, q.Status, tt.want)
		}
	}
	if q, err := NewRequest("GET", "", "no path"); err == nil {
		t.Errorf("NewRequest of a target without a slash = %v, want an error", q)
	}
}

func parse(t *testing.T, pattern string) *Route {
	t.Helper()
	r, err := Parse(pattern)
	if err != nil {
		t.Fatalf("Parse(%q): %v", pattern, err)
	}
	return r
}

// FuzzParse checks that a route is what muxwell reads in its pattern.
func FuzzParse(f *testing.F) {
	for _, pattern := range []string{
		"GET /", "GET /a/{$}", "GET\t/{id:int}/{x...}", "PUT {a}.b.{c:[a-z]{2}}.com:80/v{x}.{y:[^/]+}/", "X *.com/%7B%2f%zz/{m...}/raw",
		`GET /{x:\{}`, "GET /{x:[{}]}", "GET /{a:b:c}/}", "GET {x:/}.com/", "CONNECT [::1]:443/a//b", "/a", "GET,POST /", "GET /a b/{c d}", `GET /{a\}`,
	} {
		f.Add(pattern)
	}
	f.Fuzz(func(t *testing.T, pattern string) {
		r, err := Parse(pattern)
		m := muxwell.New()
		rt, merr := m.Add(pattern, nowhere)
		if merr != nil || len(rt.Methods()) != 1 {
			if err == nil {
				t.Fatalf("Parse(%q) = %v, want an error: muxwell says %v", pattern, r, merr)
			}
			return
		}
		if err != nil {
			t.Fatalf("Parse(%q): %v; muxwell takes it", pattern, err)
		}
		if got, want := r.Names(), rt.ParamNames(); !slices.Equal(got, want) {
			t.Fatalf("Parse(%q): names %q, want %q", pattern, got, want)
		}
		if r.Method != rt.Methods()[0] {
			t.Fatalf("Parse(%q): method %q, want %q", pattern, r.Method, rt.Methods()[0])
		}
		native := &Syntax{Hosts: true, Native: true}
		text, names, err := native.Format(r)
		if err != nil || !slices.Equal(names, r.Names()) {
			t.Fatalf("%q: Format = %q, names %q, error %v, want names %q", pattern, text, names, err, r.Names())
		}
		// A pattern that muxwell refuses next to the first one is equivalent to it.
		for _, again := range []string{r.Text, r.Method + " " + text, r.Method + " " + r.Host + rebuild(r)} {
			if _, err := m.Add(again, nowhere); !isConflict(err) {
				t.Fatalf("Parse(%q) is %q again, which says something else: %v", pattern, again, err)
			}
		}
	})
}

// rebuild writes a route's path as muxwell does, from its pieces.
func rebuild(r *Route) string {
	var b strings.Builder
	for _, g := range r.Path {
		b.WriteByte('/')
		for _, p := range g {
			switch {
			case p.End:
				b.WriteString("{$}")
			case p.Rest:
				b.WriteString("{" + p.Param + "...}")
			case p.Constraint != "":
				b.WriteString("{" + p.Param + ":" + p.Constraint + "}")
			case p.Param != "":
				b.WriteString("{" + p.Param + "}")
			default:
				b.WriteString(url.PathEscape(p.Literal))
			}
		}
	}
	return b.String()
}

func isConflict(err error) bool {
	_, ok := err.(*muxwell.ConflictError)
	return ok
}
