package params

import (
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/muxwell/muxwell/internal/matcher"
	"github.com/muxwell/muxwell/internal/pattern"
	"github.com/muxwell/muxwell/internal/urlpath"
)

// newLayout returns the layout of a pattern with an option Queries, and all names of
// its parameters.
func newLayout(t testing.TB, text string, queries ...string) *Layout {
	t.Helper()
	p, err := pattern.Parse(text, pattern.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	set := new(matcher.Set)
	if len(queries) > 0 {
		if err := set.AddQueries(queries, pattern.Rules{}, p.Names()); err != nil {
			t.Fatal(err)
		}
	}
	l, err := NewLayout(p, set)
	if err != nil {
		t.Fatal(err)
	}
	l.Names = NewNames(append(p.Names(), set.QueryNames()...))
	return &l
}

// all returns the values, and checks that all ways to read them agree.
func all(t testing.TB, v Values) (values []string) {
	t.Helper()
	names := v.Names()
	for name, value := range v.All() {
		i := len(values)
		values = append(values, value)
		if found, ok := v.Lookup(name); v.Name(i) != name || names[i] != name || v.At(i) != value || v.Get(name) != value || !ok || found != value {
			t.Errorf("parameter %d, %q of %q: All has %q, At %q, Get %q, Lookup %q, %t", i, name, v.Pattern(), value, v.At(i), v.Get(name), found, ok)
		}
	}
	if v.Len() != len(values) || len(names) != len(values) {
		t.Errorf("%q: Len is %d, there are %d values and %d names", v.Pattern(), v.Len(), len(values), len(names))
	}
	if value, ok := v.Lookup("no such name"); ok || value != "" {
		t.Errorf("%q: a name that is not there has %q", v.Pattern(), value)
	}
	return values
}

func TestValues(t *testing.T) {
	long := strings.Repeat("x", 100)
	for _, row := range []struct {
		pattern, target string // target is host/path?query
		queries         []string
		want            string // joined by |
		plain, encoded  bool
	}{
		{"/a", "h/a", nil, "", true, false},
		{"/{x}", "h/1", nil, "1", true, false},
		{"/a/{x}/b/{y}", "h/a/1/b/2", nil, "1|2", true, false},
		{"/a/{x}/b/{y}", "h/a/" + long + "/b/2", nil, long + "|2", true, false},
		{"/a/{x}/{y...}", "h/a/1/2/3/", nil, "1|2/3/", true, false},
		{"/a/{x}/{y...}", "h/a/1/", nil, "1|", true, false},
		{"/a/{x}/{y...}", "h/a/" + long + "/" + long + "/3", nil, long + "|" + long + "/3", true, false},
		{"/{x}/{$}", "h/1/", nil, "1", true, false},
		{"/{x}/{y}/{z}/{u}/{v}/{w}", "h/1/2/3/4/5/6", nil, "1|2|3|4|5|6", true, false},
		{"/{x}.{y}", "h/a.b", nil, "a|b", false, false},
		{"/v{x:int}/{y}", "h/v1/2", nil, "1|2", false, false},
		{"/a/{x...}/b/{y}", "h/a/1/2/b/3", nil, "1/2|3", false, false},
		{"/a/{x...}/b", "h/a/" + long + "/2/b", nil, long + "/2", false, false},
		{"{t}.example.com/{x}", "Ann.Example.com:80/1", nil, "ann|1", false, true},
		{"/{x}", "h/1?q=2&r=%33", []string{"q", "{q}", "r", "{r:int}"}, "1|2|3", false, true},
		{"/a", "h/a?q=2", []string{"q", "{q...}"}, "2", false, true},
		{"/{x}/{y}", "h/a%2Fb/%63", nil, "a/b|c", true, false},
		{"/{x...}", "h/a%2Fb/%63", nil, "a/b/c", true, false},
		{"/{x}.{y}", "h/a%2F.b", nil, "a/|b", false, false},
	} {
		l := newLayout(t, row.pattern, row.queries...)
		if l.Plain != row.plain || l.Encoded != row.encoded {
			t.Errorf("%s %q: Plain is %t, Encoded %t", row.pattern, row.queries, l.Plain, l.Encoded)
		}
		r := httptest.NewRequest("GET", "http://"+row.target, nil)
		path, escaped := r.URL.Path, r.URL.RawPath != ""
		if escaped {
			path = r.URL.EscapedPath()
		}
		v := l.Of(r, SourceOf(path, escaped))
		got := all(t, v)
		if strings.Join(got, "|") != row.want {
			t.Errorf("%s of %s: %q, want %s", row.pattern, row.target, got, row.want)
		}
		if again := all(t, Encoded(l, got, false)); !slices.Equal(again, got) {
			t.Errorf("%s of %s: %q encoded is %q", row.pattern, row.target, got, again)
		}
		if l.Plain && !escaped {
			filled := make([]string, len(got))
			l.Fill(filled, path, urlpath.ShortSlashes(path))
			if !slices.Equal(filled, got) {
				t.Errorf("%s of %s: Fill has %q, want %q", row.pattern, row.target, filled, got)
			}
		}
	}
}

// TestZeroValues: the zero Values has no parameters.
func TestZeroValues(t *testing.T) {
	var v Values
	if !v.IsZero() || v.Len() != 0 || v.Names() != nil || v.Get("x") != "" {
		t.Errorf("%+v has parameters", v)
	}
	for range v.All() {
		t.Error("All yields something")
	}
	for name, f := range map[string]func(){"At": func() { v.At(0) }, "Name": func() { v.Name(0) }} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s does not panic", name)
				}
			}()
			f()
		}()
	}
}

// FuzzFill compares the two ways to read a plain path.
func FuzzFill(f *testing.F) {
	f.Add("1", "2", "3/4")
	f.Add(strings.Repeat("x", 40), strings.Repeat("y", 40), "")
	f.Add("a%2Fb", ".", "..")
	layouts := []*Layout{newLayout(f, "/{x}/b/{y}"), newLayout(f, "/{x}/{y}/{z...}"), newLayout(f, "/a/{x}/{y}/{$}"), newLayout(f, "/abc/{x}/{y}")}
	f.Fuzz(func(t *testing.T, x, y, z string) {
		if x == "" || y == "" || strings.Contains(x+y, "/") {
			return // no segment
		}
		for i, path := range []string{"/" + x + "/b/" + y, "/" + x + "/" + y + "/" + z, "/a/" + x + "/" + y + "/", "/abc/" + x + "/" + y} {
			l, want := layouts[i], []string{x, y}
			if i == 1 {
				want = append(want, z)
			}
			slashes := urlpath.ShortSlashes(path)
			got, filled := make([]string, len(want)), make([]string, len(want))
			l.Values(got, "", Source{Path: path, Slashes: slashes})
			l.Fill(filled, path, slashes)
			if !slices.Equal(got, want) || !slices.Equal(filled, want) || !slices.Equal(all(t, Plain(path, l, slashes)), want) {
				t.Errorf("%s of %q: Values has %q, Fill %q, Plain %q, want %q", l.pattern.Text, path, got, filled, all(t, Plain(path, l, slashes)), want)
			}
		}
	})
}
