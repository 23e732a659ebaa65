package mux

import (
	"math/rand/v2"
	"net/url"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

// templatePieces are what random templates are made of, for each kind.
var templatePieces = map[templateKind][]string{
	pathTemplate: {
		"/", "/a", "/b", "/{v}", "/{v:[0-9]+}", "{v}", "-", ".", "/{v:.*}", "/{v:a|b}", "{v:[a-z]*}", "/x{v:(?i)ab?}", "/é",
		"/{v:[^/]*}", "/{v:.+}/", "{v:\\pL}", "/{v:[a-z]+(?:-[a-z]+)*}", "/{v:^a}", "%", "/{v:(?s).+}", "/\uFFFD",
	},
	hostTemplate:  {"a", ".", "{v}", "{v:[a-z]+}", "b.org", ":80", "{v:a|b}", "{v:.*}", "-"},
	queryTemplate: {"", "a", "{v}", "{v:[0-9]+}", "-", "{v:a|b}", "{v:.+}", "é", "{v:[a-z]*}"},
}

// randomTemplate returns a template of a kind; the text for a query has a key.
func randomTemplate(rng *rand.Rand, kind templateKind) *template {
	for {
		text, pieces := "", templatePieces[kind]
		if kind == prefixTemplate {
			pieces = templatePieces[pathTemplate]
		}
		for i := range rng.IntN(5) {
			piece := pieces[rng.IntN(len(pieces))]
			text += strings.Replace(piece, "{v", "{"+string(rune('a'+i)), 1)
		}
		if kind == queryTemplate {
			text = []string{"q", "k%", "{z}", ""}[min(3, rng.IntN(12)/3*rng.IntN(2))] + "=" + text
		} else if kind != hostTemplate && text != "" && text[0] != '/' {
			text = "/" + text
		}
		if t, err := newTemplate(text, kind, rng.IntN(3) == 0, false); err == nil {
			return t
		}
	}
}

// randomText returns a text that a template may match: made from it, or of pieces.
func randomText(rng *rand.Rand, t *template) string {
	values := []string{"a", "b", "7", "42", "a-b", "", "/", "x/y", "A", "é", "\xff", "a.b", "\n", "%", "ab", "a-"}
	var b strings.Builder
	for _, v := range t.vars {
		b.WriteString(v.before)
		b.WriteString(values[rng.IntN(len(values))])
	}
	b.WriteString(t.tail)
	text := b.String()
	switch rng.IntN(6) {
	case 0:
		text += values[rng.IntN(len(values))]
	case 1:
		text += "/"
	case 2:
		if text != "" {
			at := rng.IntN(len(text))
			text = text[:at] + values[rng.IntN(len(values))] + text[at+rng.IntN(2):]
		}
	}
	return text
}

// checkTemplate compares a template with its regular expression.
func checkTemplate(t *testing.T, tpl *template, text string) (matched bool) {
	t.Helper()
	re := regexp.MustCompile(tpl.pattern)
	vals := make([]string, len(tpl.vars))
	var got, found bool
	against := text
	if tpl.kind == queryTemplate {
		query := url.QueryEscape(tpl.key) + "=" + url.QueryEscape(strings.TrimPrefix(text, tpl.key+"="))
		against = tpl.key + "=" + strings.TrimPrefix(text, tpl.key+"=")
		got = tpl.matchesQuery("other=1&" + query + "&" + query + "x")
		found = len(vals) == 0 || tpl.findQuery(query, vals)
	} else {
		got = tpl.matches(text)
		found = tpl.find(text, vals)
	}
	want := re.FindStringSubmatch(against)
	if got != (want != nil) {
		t.Fatalf("%q (%s, method %d) matches %q: %v", tpl.text, tpl.pattern, tpl.how, against, got)
	}
	var s segments
	if tpl.kind <= prefixTemplate {
		if s.split(text); tpl.matchesPath(&s) != got {
			t.Fatalf("%q matches the path %q: %v, and its segments: %v", tpl.text, text, got, !got)
		}
	}
	if !got {
		return false
	}
	for i, segment := range tpl.at {
		if value := s.at(int(segment)); value != vals[i] {
			t.Fatalf("%q finds %q in %q, and %q as segment %d", tpl.text, vals[i], text, value, segment)
		}
	}
	if want = append([]string{}, want[1:]...); !found || !reflect.DeepEqual(append([]string{}, vals...), want) {
		t.Fatalf("%q (%s, method %d) finds %v, %q in %q, want %q", tpl.text, tpl.pattern, tpl.how, found, vals, against, want)
	}
	return true
}

// TestTemplates compares random templates with their regular expressions.
func TestTemplates(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	type outcome struct {
		kind    templateKind
		how     method
		matched bool
	}
	seen := make(map[outcome]int)
	bySegments := 0
	for range 8_000 {
		kind := []templateKind{pathTemplate, prefixTemplate, hostTemplate, queryTemplate}[rng.IntN(4)]
		tpl := randomTemplate(rng, kind)
		for range 4 {
			matched := checkTemplate(t, tpl, randomText(rng, tpl))
			seen[outcome{kind, tpl.how, matched}]++
			if matched && len(tpl.at) > 0 {
				bySegments++
			}
		}
	}
	if bySegments < 100 {
		t.Errorf("templates whose variables are segments match %d times", bySegments)
	}
	for _, kind := range []templateKind{pathTemplate, prefixTemplate, hostTemplate, queryTemplate} {
		for how := range anyValue + 1 {
			if how == simple && kind == queryTemplate || how > simple && how != compiled && kind != queryTemplate {
				continue
			}
			for _, matched := range []bool{false, true} {
				if how == anyValue && !matched {
					continue
				}
				if n := seen[outcome{kind, how, matched}]; n < 10 {
					t.Errorf("kind %d, method %d, matched %v: only %d times", kind, how, matched, n)
				}
			}
		}
	}
}

// FuzzTemplate compares a template with its regular expression.
func FuzzTemplate(f *testing.F) {
	f.Add("/a/{b}/{c:[0-9]+}", "/a/x/7", uint8(0))
	f.Add("/a-{b}.{c}/", "/a-x.y", uint8(4))
	f.Add("/p{x:.*}", "/pq/r", uint8(1))
	f.Add("{s}.b.org", "a.b.org", uint8(2))
	f.Add("q={v:[a-z]+}", "q=abc", uint8(3))
	f.Add("q=", "q=\n", uint8(3))
	f.Add("/a/{b}/c/{d}/", "/a/\n/c/x/", uint8(0))
	f.Add(strings.Repeat("/{x}", 14), strings.Repeat("/x", 14), uint8(0))
	f.Fuzz(func(t *testing.T, text, against string, options uint8) {
		kind := templateKind(options & 3)
		if len(text) > 200 || len(against) > 200 || kind == queryTemplate && !strings.Contains(text, "=") ||
			kind < hostTemplate && text != "" && text[0] != '/' {
			t.Skip()
		}
		defer func() { // capturing groups
			if r := recover(); r != nil && !strings.Contains(r.(string), "capture groups") {
				panic(r)
			}
		}()
		tpl, err := newTemplate(text, kind, options&4 != 0, false)
		if err != nil {
			t.Skip()
		}
		checkTemplate(t, tpl, against)
	})
}

// naiveFirstValue is firstValue without any care for speed.
func naiveFirstValue(query, key string) (string, bool) {
	for _, pair := range strings.FieldsFunc(query, func(r rune) bool { return r == '&' || r == ';' }) {
		name, value, _ := strings.Cut(pair, "=")
		name, err := url.QueryUnescape(name)
		if err != nil || name != key {
			continue
		}
		if value, err := url.QueryUnescape(value); err == nil {
			return value, true
		}
	}
	return "", false
}

// FuzzFirstValue compares firstValue with the naive one.
func FuzzFirstValue(f *testing.F) {
	for _, query := range []string{"", "a=1", "b=2&a=1&a=3", "a", "%61=1", "a=%zz&a=2", "a=1+2;b", "=x&a", "a%2=1&a+b=2", "&&;a=", "a=%C3%A9"} {
		f.Add(query, "a")
		f.Add(query, "a b")
		f.Add(query, "")
	}
	f.Fuzz(func(t *testing.T, query, key string) {
		got, ok := firstValue(query, key)
		if want, found := naiveFirstValue(query, key); got != want || ok != found {
			t.Errorf("firstValue(%q, %q) = %q, %v; want %q, %v", query, key, got, ok, want, found)
		}
	})
}
