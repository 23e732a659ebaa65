package matchers

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/internal/matcher"
	"github.com/muxwell/muxwell/internal/pattern"
	"github.com/muxwell/muxwell/internal/tests/muxtest"
)

func TestQueries(t *testing.T) {
	checkMatchers(t, []matcherRow{
		{muxwell.Queries("q", ""), "/?q=1", ""},
		{muxwell.Queries("q", ""), "/?q=", ""},
		{muxwell.Queries("q", ""), "/?q", ""},
		{muxwell.Queries("q", ""), "/?a=1&q&b", ""},
		{muxwell.Queries("q", ""), "/?r=q", "query q is missing"},
		{muxwell.Queries("q", ""), "/?Q=1", "query q is missing"},
		{muxwell.Queries("q", ""), "/", "query q is missing"},
		{muxwell.Queries("q", ""), "/?q;", "query q is missing"},
		{muxwell.Queries("q", ""), "/?q=1;2", "query q is missing"},
		{muxwell.Queries("q", ""), "/?q=%zz", "query q is missing"},
		{muxwell.Queries("q", "2"), "/?q=%&q=2", ""},
		{muxwell.Queries("q", "a"), "/?q=a", ""},
		{muxwell.Queries("q", "a"), "/?q=%61", ""},
		{muxwell.Queries("q", "a"), "/?%71=a", ""},
		{muxwell.Queries("q", "a"), "/?q=b", `query q is "b", not "a"`},
		{muxwell.Queries("q", "a"), "/?q=b&q=a", `query q is "b", not "a"`},
		{muxwell.Queries("q", "a"), "/?q", "query q is empty"},
		{muxwell.Queries("q", "a b"), "/?q=a+b", ""},
		{muxwell.Queries("q", "a b"), "/?q=a%20b", ""},
		{muxwell.Queries("q", "a+b"), "/?q=a+b", `query q is "a b", not "a+b"`},
		{muxwell.Queries("q", "a+b"), "/?q=a%2Bb", ""},
		{muxwell.Queries("q", "%41"), "/?q=A", `query q is "A", not "%41"`},
		{muxwell.Queries("q", "%41"), "/?q=%2541", ""},
		{muxwell.Queries("q", "a/b"), "/?q=a/b", ""},
		{muxwell.Queries("a b", "1"), "/?a+b=1", ""},
		{muxwell.Queries("a b", "1"), "/?a%20b=1", ""},
		{muxwell.Queries("a+b", "1"), "/?a%2bb=1", ""},
		{muxwell.Queries("a;b", ""), "/?a%3Bb", ""},
		{muxwell.Queries("a;b", ""), "/?a;b", "query a;b is missing"},
		{muxwell.Queries("q", "{x}"), "/?q=/", ""},
		{muxwell.Queries("q", "{x}"), "/?q=.", ""},
		{muxwell.Queries("q", "{x}"), "/?q=", "query q is empty"},
		{muxwell.Queries("q", "{x}"), "/?x=1", "query q is missing"},
		{muxwell.Queries("q", "{x...}"), "/?q=", ""},
		{muxwell.Queries("q", "{x...}"), "/?q=a/b", ""},
		{muxwell.Queries("q", "{x...}"), "/", "query q is missing"},
		{muxwell.Queries("q", "{x:int}"), "/?q=12", ""},
		{muxwell.Queries("q", "{x:int}"), "/?q=a", `query q is "a", which {x:int} does not match`},
		{muxwell.Queries("q", "{x:even}"), "/?q=ab", ""},
		{muxwell.Queries("q", "{x:even}"), "/?q=abc", `query q is "abc", which {x:even} does not match`},
		{muxwell.Queries("q", "{x:[a-z]+}"), "/?q=ab", ""},
		{muxwell.Queries("q", `{x:\{.*\}}`), "/?q={a}", ""},
		{muxwell.Queries("q", `{x:\x00}`), "/?q=%00", ""},
		{muxwell.Queries("q", "v{a}.{b:int}"), "/?q=v1.2", ""},
		{muxwell.Queries("q", "v{a}.{b:int}"), "/?q=v1.x", `query q is "v1.x", which v{a}.{b:int} does not match`},
		{muxwell.Queries("q", "a/{x}/b"), "/?q=a/1/2/b", ""},
		{muxwell.Queries("a", "1", "b", "2"), "/?b=2&a=1", ""},
		{muxwell.Queries("a", "1", "b", "2"), "/?b=2", "query a is missing"},
		{muxwell.Queries("a", "1", "b", "2"), "/?a=1&b=3", `query b is "3", not "2"`},
	})
}

func TestQueryErrors(t *testing.T) {
	var manyKeys []string
	for i := range 1001 {
		manyKeys = append(manyKeys, strconv.Itoa(i), "")
	}
	longText := []string{"q", "a", "r", strings.Repeat("b", 8000) + "{x}" + strings.Repeat("c", 8382)}
	checkOptionErrors(t, map[string][]muxwell.RouteOption{
		`Queries(): no key; write a key and a template`:                                         {muxwell.Queries()},
		`Queries("q"): the key "q" has no template; write one after each key, "" for any value`: {muxwell.Queries("q")},
		`Queries("", "1"): a key is empty; write one before each template`:                      {muxwell.Queries("", "1")},
		`Queries("q", "", "q", "1"): ` + queryTwice:                                             {muxwell.Queries("q", "", "q", "1")},

		matcher.OptionText("Queries", manyKeys) + ": the route requires 1001 keys, but at most 1000 pairs of a query are read; remove some":                {muxwell.Queries(manyKeys...)},
		matcher.OptionText("Queries", longText) + ": the route requires 16385 bytes of text, but at most 16384 bytes of a query are read; remove some":     {muxwell.Queries(longText...)},
		matcher.OptionText("Queries", longText[2:]) + ": the route requires 16385 bytes of text, but at most 16384 bytes of a query are read; remove some": {muxwell.Queries("q", "a"), muxwell.Queries(longText[2:]...)},

		`Queries("q", "2"): ` + queryTwice: {muxwell.Queries("a", "", "q", "1"), muxwell.Queries("q", "2")},
		`Queries("q", "{a}-{a}"): template "{a}-{a}": at offset 5: duplicate parameter name "a"` + mustBeUnique:         {muxwell.Queries("q", "{a}-{a}")},
		`Queries("q", "{a}", "r", "v{a}"): template "v{a}": at offset 2: duplicate parameter name "a"` + mustBeUnique:   {muxwell.Queries("q", "{a}", "r", "v{a}")},
		`Queries("r", "{a...}"): template "{a...}": at offset 1: duplicate parameter name "a"` + mustBeUnique:           {muxwell.Queries("q", "{a}"), muxwell.Queries("r", "{a...}")},
		`Queries("q", "{id}"): template "{id}": at offset 1: duplicate parameter name "id"` + mustBeUnique:              {muxwell.Queries("q", "{id}")},
		`Queries("q", "{$}"): template "{$}": at offset 0: {$} is the end of a path; ` + asItIs:                         {muxwell.Queries("q", "{$}")},
		`Queries("q", "a{$}"): template "a{$}": at offset 1: {$} is the end of a path; ` + asItIs:                       {muxwell.Queries("q", "a{$}")},
		`Queries("q", "{a"): template "{a": at offset 0: '{' is never closed; add the '}', or ` + braceWay:              {muxwell.Queries("q", "{a")},
		`Queries("q", "a\x00b"): template "a\x00b": at offset 1: a NUL byte in the text; ` + nulWay:                     {muxwell.Queries("q", "a\x00b")},
		`Queries("q", "{a}{b}"): template "{a}{b}": at offset 3: ` + noTextBetween + `"{a}-{b}"`:                        {muxwell.Queries("q", "{a}{b}")},
		`Queries("q", "a{b...}"): template "a{b...}": at offset 1: a catch-all must be a whole template; ` + dotsWay:    {muxwell.Queries("q", "a{b...}")},
		`Queries("q", "{b...}a"): template "{b...}a": at offset 0: a catch-all must be a whole template; ` + dotsWay:    {muxwell.Queries("q", "{b...}a")},
		`Queries("q", "{a:even}-{b}"): template "{a:even}-{b}": at offset 3: a constraint that is a function` + noOther: {muxwell.Queries("q", "{a:even}-{b}")},
		`Queries("q", "{a:(}"): template "{a:(}": at offset 3: invalid regular expression: missing closing )`:           {muxwell.Queries("q", "{a:(}")},
		"Queries(\"q\", \"\\xff{a:.+x?}-{b}\"): template \"\\xff{a:.+x?}-{b}\": at offset 0: text that is not valid UTF-8, or has U+FFFD, " +
			"cannot be next to an expression that needs package regexp; check the value in the handler": {muxwell.Queries("q", "\xff{a:.+x?}-{b}")},
	})
}

const (
	queryTwice    = `the route requires the key "q" twice, but only its first value counts; remove one of them`
	mustBeUnique  = `; names must be unique in a pattern`
	asItIs        = `a template always matches the whole value`
	braceWay      = `for the character itself write {x:\{}`
	nulWay        = `write it as a parameter, {x:\x00}`
	noTextBetween = `two parameters need text between them, which marks the end of the first one; write `
	dotsWay       = `omit the dots, or the text next to it`
	noOther       = ` needs a segment with no other parameter; check the value in the handler`
)

// TestQueryErrorsAreUseful: what an error says to write can be written.
func TestQueryErrorsAreUseful(t *testing.T) {
	checkMatchers(t, []matcherRow{{muxwell.Queries("a", `{x:\{}`, "b", `{y:\x00}`), "/?a={&b=%00", ""}})
}

func TestQueryValues(t *testing.T) {
	set := querySet(t, "present", "", "text", "t", "page", "{page:int}")
	if err := set.AddQueries([]string{"v", "v{major}.{minor:int}", "rest", "{rest...}"}, pattern.Rules{}, nil); err != nil {
		t.Fatal(err)
	}
	wantNames := []string{"page", "major", "minor", "rest"}
	names := set.QueryNames()
	if !slices.Equal(names, wantNames) {
		t.Errorf("names %q, want %q", names, wantNames)
	}
	for _, row := range []struct {
		query string
		want  []string
	}{
		{"present&text=t&page=7&v=v1.26&rest=a/b", []string{"7", "1", "26", "a/b"}},
		{"rest=&v=v%31.%32&text=t&page=7&page=8&present=", []string{"7", "1", "2", ""}},
		{"rest=+&v=va.b.3&text=t&page=-1&present=", []string{"-1", "a.b", "3", " "}},
	} {
		for _, m := range set.Matchers {
			if r := muxtest.MatcherRequest("/?" + row.query); !m.Matches(r, nil) {
				t.Fatalf("%s: %s", row.query, m.Miss(r, nil))
			}
		}
		vals := make([]string, len(names))
		set.QueryValues(vals, row.query)
		if !slices.Equal(vals, row.want) {
			t.Errorf("%s: values %q, want %q", row.query, vals, row.want)
		}
	}
	if names := querySet(t, "a", "").QueryNames(); names != nil {
		t.Errorf("names %q, want none", names)
	}
}

// querySet returns a set with Queries.
func querySet(t *testing.T, pairs ...string) *matcher.Set {
	t.Helper()
	set := new(matcher.Set)
	if err := set.AddQueries(pairs, pattern.Rules{}, nil); err != nil {
		t.Fatal(err)
	}
	return set
}

// FuzzQueries: a template that is taken matches the value that is made of it,
// and tells the values.
func FuzzQueries(f *testing.F) {
	f.Add("v{a}.{b:int}", "1", "2")
	f.Add("{a...}", "", "x")
	f.Add("{a:[a-z]+}-x", "abc", "")
	f.Add("text\x00", "", "")
	f.Add("{$}", "{", "}")
	f.Fuzz(func(t *testing.T, template, a, b string) {
		var set matcher.Set
		if err := set.AddQueries([]string{"k", template}, pattern.Rules{}, nil); err != nil {
			return
		}
		q := &set.Queries[0]
		names := set.QueryNames()
		vals := []string{a, b}
		if len(names) > len(vals) {
			return
		}
		value := template
		switch q.Segment.Kind {
		case pattern.Composite:
			value = q.Segment.Matcher.Join(vals[:len(names)])
		case pattern.Param, pattern.Constrained, pattern.CatchAll:
			value = a
		}
		query := url.Values{"k": {value}}.Encode()
		got, _ := matcher.FindQuery(query, q.Key)
		ok := new(matcher.State).MatchesQuery(set.Queries, query)
		if ok && got != value {
			t.Errorf("template %q: found %q in %q, want %q", template, got, query, value)
		}
		if want := naiveTemplate(q, value) && len(query) <= 16384; ok != want {
			t.Errorf("template %q, value %q: got %t, want %t", template, value, ok, want)
		}
		if !ok {
			return
		}
		found := make([]string, len(names))
		set.QueryValues(found, query)
		if q.Segment.Kind == pattern.Composite && q.Segment.Matcher.Join(found) != value {
			t.Errorf("template %q, value %q: the parameters are %q", template, value, found)
		}
		if q.Segment.Kind > pattern.Composite && found[0] != value {
			t.Errorf("template %q, value %q: the parameter is %q", template, value, found[0])
		}
	})
}

// naiveTemplate reports whether a part takes a value, by what its kind says.
func naiveTemplate(q *matcher.QueryPart, value string) bool {
	g := &q.Segment
	switch {
	case q.Present || g.Kind == pattern.CatchAll:
		return true
	case g.Kind == pattern.Literal:
		return value == g.Text
	case g.Kind == pattern.Param:
		return value != ""
	}
	return g.Matcher.Matches(value) // compared with its naive reference by FuzzForm
}
