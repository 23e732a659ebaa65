package muxwell

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"regexp"
	"strings"
	"testing"
)

// sourceLine is the place of a registration in this file.
var sourceLine = regexp.MustCompile(`\(\S*check_test.go:\d+\)`)

func TestCheck(t *testing.T) {
	odd := Constraint("odd", func(v string) bool { return len(v)%2 == 1 })
	long := Constraint("long", func(v string) bool { return len(v) > 500 })
	for _, row := range []struct {
		routes string
		want   string
	}{
		{"/a;/b;/c/{x}", ""},
		{"/users/me;/users/{id}", "/users/me before /users/{id}: literal beats parameter at segment 2: GET /users/me"},
		{"/a/{x};/{y}/b", "crossing: /a/{x} before /{y}/b: literal beats parameter at segment 1: GET /a/b"},
		{"GET /{x};/a", "crossing: /a before GET /{x}: literal beats parameter at segment 1: GET /a"},
		{"GET /a;POST /a;/a", "GET /a before /a: method: GET beats any method: GET /a\nPOST /a before /a: method: POST beats any method: POST /a"},
		{"{t}.h/a;h.{u}/a;h.h/a", ""},
		{"{t}.h/a;{u}.h/{x}", "{t}.h/a before {u}.h/{x}: literal beats parameter at segment 1: GET t.h/a"},
		{"/{x:int};/{y:uint}", "/{x:int} before /{y:uint}: constraint int was registered before constraint uint at segment 1: GET /0\nunreachable: /{y:uint} by /{x:int}"},
		{"/{y:uint};/{x:int}", "/{y:uint} before /{x:int}: constraint uint was registered before constraint int at segment 1: GET /0"},
		{"/{x:int};/{y:alpha}", ""},
		{"/{id}:apply;/{id}:cancel;/{id}", "/{id}:apply before /{id}: literal with parameters beats parameter at segment 1: GET /id:apply\n/{id}:cancel before /{id}: literal with parameters beats parameter at segment 1: GET /id:cancel"},
		{"/{a:[a-z]+};/{b:[a-z]{2}}/x", ""},
		{"/{a:[a-m].*};/{b:[n-z].*};/{c:[a-z].*}", "/{a:[a-m].*} before /{c:[a-z].*}: constraint [a-m].* was registered before constraint [a-z].* at segment 1: GET /c\n" +
			"/{b:[n-z].*} before /{c:[a-z].*}: constraint [n-z].* was registered before constraint [a-z].* at segment 1: GET /n\nunreachable: /{c:[a-z].*}: 2 routes together take all that {c:[a-z].*} does, as /{a:[a-m].*} (check_test.go) does some of it"},
		{"/{x:odd};/{y}", "/{x:odd} before /{y}: constrained parameter beats parameter at segment 1: GET /y"},
		{"/{x:long}", "unreachable: /{x:long}: unknown"},
		{"/{x:odd};/{y:long}", "crossing: /{x:odd} before /{y:long}: constraint odd was registered before constraint long at segment 1: unknown\nunreachable: /{y:long}: unknown"},
		{"/{p...}/raw;/{p...};/a/{x}", "/{p...}/raw before /{p...}: catch-all in the middle beats catch-all at segment 1: GET /p/raw\n" +
			"crossing: /a/{x} before /{p...}/raw: literal beats catch-all in the middle at segment 1: GET /a/raw\n/a/{x} before /{p...}: literal beats catch-all at segment 1: GET /a/x"},
		{"//a;CONNECT /b/../c", ""},
		{"GET h:80/x;CONNECT h:80/y;{t}.h:80/", "unreachable: GET h:80/x: only CONNECT requests have a port in their host; leave out :80"},
		{"/{a:b};GET /x", "bad"},
	} {
		m := New(odd, long)
		var got []string
		for _, pattern := range strings.Split(row.routes, ";") {
			if _, err := m.Add(pattern, http.NotFoundHandler()); err != nil {
				got = append(got, "bad")
			}
		}
		report := m.Check()
		for _, o := range report.Overlaps {
			line := fmt.Sprintf("%v before %v: %s: %s %s", o.First, o.Second, o.Rule, o.Method, o.Host+o.Path)
			if o.Path == "" {
				line = fmt.Sprintf("%v before %v: %s: unknown", o.First, o.Second, o.Rule)
			}
			if o.Crossing {
				line = "crossing: " + line
			}
			got = append(got, line)
		}
		for _, u := range report.Unreachable {
			switch {
			case u.By != nil:
				got = append(got, fmt.Sprintf("unreachable: %v by %v", u.Route, u.By))
			case u.Reason != "":
				got = append(got, fmt.Sprintf("unreachable: %v: %s", u.Route, sourceLine.ReplaceAllString(u.Reason, "(check_test.go)")))
			default:
				got = append(got, fmt.Sprintf("unreachable: %v: unknown", u.Route))
			}
		}
		if strings.Join(got, "\n") != row.want {
			t.Errorf("%s:\ngot\n%s\nwant\n%s", row.routes, strings.Join(got, "\n"), row.want)
		}
	}
}

// TestCheckIsTrue: what a report says of random routes is so.
func TestCheckIsTrue(t *testing.T) {
	sampled, unknown, covered := 0, 0, 0
	for seed := range uint64(300) {
		src := rand.New(rand.NewPCG(seed, 9))
		gen := []generator{plainPatterns, wholeLanguage}[seed%2]
		m := New(gen.options...)
		var routes []*Route
		for range 1 + src.IntN(25) {
			if rt, err := m.Add(gen.pattern(src), http.NotFoundHandler()); err == nil {
				routes = append(routes, rt)
			}
		}
		report := m.Check()
		for _, o := range report.Overlaps {
			if o.Path == "" {
				continue
			}
			for _, rt := range []*Route{o.First, o.Second} {
				if best, _ := naiveMatch([]*Route{rt}, o.Method, o.Host, o.Path); rt.host == "" && best == nil {
					t.Fatalf("%v and %v are said to match %s %s; %v does not", o.First, o.Second, o.Method, o.Path, rt)
				}
			}
			if best, _ := naiveMatch([]*Route{o.Second, o.First}, o.Method, o.Host, o.Path); o.First.host == "" && best != o.First && o.First.segs[0].kind == literal {
				t.Fatalf("%v is said to go before %v for %s %s", o.First, o.Second, o.Method, o.Path)
			}
		}
		lost := make(map[*Route]bool)
		for _, u := range report.Unreachable {
			lost[u.Route] = true
			if u.Reason == "" {
				unknown++
			} else {
				covered++
			}
		}
		for _, rt := range routes {
			r, ok := m.Sample(rt)
			if !ok {
				if !lost[rt] {
					t.Fatalf("no sample for %v, which is not reported as unreachable", rt)
				}
				continue
			}
			sampled++
			if e := m.Explain(r); e.Route != rt {
				t.Fatalf("sample of %v, %s %s%s, goes to\n%v", rt, r.Method, r.Host, r.RequestURI, e)
			}
		}
	}
	t.Logf("%d routes with a sample, %d covered, %d unknown", sampled, covered, unknown)
	if sampled < 1000 || unknown > sampled/10 || covered == 0 {
		t.Errorf("%d routes with a sample, %d covered, %d unknown", sampled, covered, unknown)
	}
}

// TestSampleReaches: these routes have samples, though another route goes first
// for what comes to mind.
func TestSampleReaches(t *testing.T) {
	for _, patterns := range []string{
		"/ /{$} /{a}/{$} /{a}/{b}/{$}",
		"/{p...} /{a} /{a}/{b} /{a}/{b}/{c}",
		"/%2e%2e/a /%2e /{x}/{y} /a/%2E%2E/{z...}",
		"/{q...}/%2e%2e /lit/{x}",
		"GET,POST /{x} POST /x GET /{y:int}",
		"-{q.14}-.com/ {a.b}.c/ {x:[.]}.d/x",
	} {
		m := New()
		for _, pattern := range strings.Fields(strings.NewReplacer("GET ", "GET\x00", "POST ", "POST\x00").Replace(patterns)) {
			m.Handle(strings.ReplaceAll(pattern, "\x00", " "), http.NotFoundHandler())
		}
		for _, u := range m.Check().Unreachable {
			if !strings.Contains(u.Route.Pattern(), "[.]") {
				t.Errorf("%s: %v", patterns, u)
			}
		}
	}
	m, other := New(), New()
	m.Handle("/x/{a}", http.NotFoundHandler())
	foreign, err := other.Add("/x/{b}", http.NotFoundHandler())
	if err != nil {
		t.Fatal(err)
	}
	if r, ok := m.Sample(foreign); ok {
		t.Errorf("a sample of another mux's route: %v", r.URL)
	}
}
