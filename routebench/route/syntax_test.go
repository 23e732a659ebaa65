package route

import (
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/internal/constraint"
	"github.com/muxwell/muxwell/internal/tests/builtin"
)

func TestFormat(t *testing.T) {
	colon := &Syntax{Param: ":%s", Rest: "*%s"}
	places := &Syntax{Param: ":%s", Rest: "*", RestName: "*", Prefix: true, Places: true}
	braces := &Syntax{Param: "{%s}", Regexp: "{%s:%s}", Rest: "{%s:.*}", Mixed: true, Middle: true, End: true, Hosts: true, HostParams: true}
	native := &Syntax{Native: true, Hosts: true, Options: true}
	tests := []struct {
		name    string
		syntax  *Syntax
		pattern string
		text    string
		names   []string
	}{
		{"colon", colon, "GET /", "/", nil},
		{"colon", colon, "GET /a/", "/a/", nil},
		{"colon", colon, "GET /a/{$}", "/a/", nil},
		{"colon", colon, "GET /a%20b/{id}", "/a b/:id", []string{"id"}},
		{"colon", colon, "GET /a/{x}/{y...}", "/a/:x/*y", []string{"x", "y"}},
		{"places", places, "GET /v{x}/{y...}", "/v:p1/*", []string{"p1", "*"}},
		{"colon", colon, "GET /{enterprise-team}", "/:p1", []string{"p1"}},
		{"braces", braces, "GET /{x:int}.{y}", "/{x:-?[0-9]+}.{y}", []string{"x", "y"}},
		{"braces", braces, "GET /{x:[a-z]{2}}/", "/{x:[a-z]{2}}/", []string{"x"}},
		{"braces", braces, "GET /{x...}/raw", "/{x:.*}/raw", []string{"x"}},
		{"braces", braces, "GET /a/{$}", "/a/{$}", nil},
		{"braces", braces, "GET {t:alpha}.example.com/{x}", "{t:[A-Za-z]+}.example.com/{x}", []string{"t", "x"}},
		{"native", native, "GET {t...}.example.com/%7B/{x:int}/{y...}", "{t...}.example.com/%7B/{x:int}/{y...}", []string{"t", "x", "y"}},
	}
	for _, tt := range tests {
		text, names, err := tt.syntax.Format(parse(t, tt.pattern))
		if err != nil || text != tt.text || !slices.Equal(names, tt.names) {
			t.Errorf("%s: Format(%q) = %q, %q, %v, want %q, %q", tt.name, tt.pattern, text, names, err, tt.text, tt.names)
		}
	}
}

func TestFormatErrors(t *testing.T) {
	plain := &Syntax{Param: ":%s"}
	rest := &Syntax{Param: ":%s", Rest: "*%s", Prefix: true, Hosts: true}
	tests := []struct {
		name    string
		syntax  *Syntax
		pattern string
		want    string
	}{
		{"none", &Syntax{}, "GET /{x}", "parameters"},
		{"plain", plain, "GET /{x...}", "rest of a path"},
		{"plain", plain, "GET /{x:int}", "expressions"},
		{"plain", plain, "GET /v{x}", "mix text and parameters"},
		{"plain", plain, "GET example.com/", "hosts"},
		{"rest", rest, "GET /{x...}/a", "middle of a path"},
		{"rest", rest, "GET /{x...}/{$}", "middle of a path"},
		{"rest", rest, "GET /{x}.json", "mix text and parameters"},
		{"rest", rest, "GET {t}.example.com/", "parameters in hosts"},
	}
	for _, tt := range tests {
		text, names, err := tt.syntax.Format(parse(t, tt.pattern))
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: Format(%q) = %q, %q, %v, want an error with %q", tt.name, tt.pattern, text, names, err, tt.want)
		}
	}
	r := parse(t, "GET /a")
	r.Options = []muxwell.RouteOption{muxwell.Headers("A", "b")}
	if text, _, err := plain.Format(r); err == nil {
		t.Errorf("Format of a route with matchers = %q, want an error", text)
	}
}

// TestExpressions compares the expressions of the built-in constraints, and of one that
// is new in their table, with what muxwell takes, over values that are nearly right.
func TestExpressions(t *testing.T) {
	builtin.Add(t)
	for name := range looser {
		if constraint.Find(name) == nil {
			t.Errorf("%s is no constraint", name)
		}
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for _, b := range constraint.Builtins {
		name := b.Name
		re := regexp.MustCompile("^(?:" + Expression(name) + ")$")
		m := muxwell.New()
		m.HandleFunc("/{x:"+name+"}", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "taken") })
		taken, refused := 0, 0
		for _, value := range nearValues(rng) {
			w := httptest.NewRecorder()
			m.ServeHTTP(w, &http.Request{Method: "GET", URL: &url.URL{Path: "/" + value}})
			want := w.Code == 200 && w.Body.String() == "taken"
			got := re.MatchString(value)
			if want {
				taken++
			} else {
				refused++
			}
			if got != want && (looser[name] == "" || want) {
				t.Errorf("constraint %s, value %q: the expression matches: %v, muxwell takes it: %v", name, value, got, want)
			}
		}
		if taken < 10 || refused < 100 {
			t.Errorf("constraint %s: of the values %d are taken and %d refused; the values say too little", name, taken, refused)
		}
	}
}

func TestExpressionOther(t *testing.T) {
	for _, constraint := range []string{"[a-z]+", "integer", "int+"} {
		if got := Expression(constraint); got != constraint {
			t.Errorf("Expression(%q) = %q, want the same", constraint, got)
		}
	}
}

// nearValues returns values that constraints take, others with a byte changed,
// and all short ones of some bytes.
func nearValues(rng *rand.Rand) []string {
	values := []string{
		"0", "-1", "007", "1-2", "--1", "-", "9999999999999999999999", "abc", "ABC", "aZ9", "é", "a_b",
		"123E4567-E89B-12D3-A456-42661417400F",
		"2024-02-29", "2023-12-31", "0000-01-01", "1999-10-10",
		"0.0.0.0", "255.255.255.255", "192.0.2.1", "1.2.3", "1.2.3.4.5", "256.1.1.1", "01.2.3.4", "249.250.199.99",
		"a-slug-of-4", "a--b", "-a", "a-", "A-b", "a1-2b",
	}
	for _, b := range constraint.Builtins {
		values = append(values, b.Example)
	}
	const bytes = "-09afgzAFGZ.:_"
	for _, v := range slices.Clone(values) {
		for range 60 {
			b := []byte(v)
			switch i := rng.IntN(len(b)); rng.IntN(3) {
			case 0:
				b[i] = bytes[rng.IntN(len(bytes))]
			case 1:
				b = slices.Delete(b, i, i+1)
			case 2:
				b = slices.Insert(b, i, bytes[rng.IntN(len(bytes))])
			}
			values = append(values, string(b))
		}
	}
	short := []string{""}
	for range 3 {
		for _, s := range slices.Clone(short) {
			for _, c := range bytes {
				short = append(short, s+string(c))
			}
		}
	}
	return slices.DeleteFunc(append(values, short...), func(s string) bool { return s == "" || s == "." || s == ".." })
}
