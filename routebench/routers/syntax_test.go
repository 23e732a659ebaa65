package routers

import (
	"slices"
	"strings"
	"testing"

	"github.com/muxwell/muxwell/routebench/route"
	"github.com/muxwell/muxwell/routebench/router"
)

// TestSyntax has routers write what they can write in a way of their own only, and
// checks that they read it so.
func TestSyntax(t *testing.T) {
	const expressions = "chi fasthttp-router fiber go-restful gorilla gorilla-main iris macaron martini muxwell"
	tests := []struct {
		routers, pattern string
		target           string
		values           []string
		not              string // targets that the route does not take
	}{
		{expressions, "GET /a/{x:k|v}", "/a/v", []string{"v"}, "/a/xv /a/kx"},
		{expressions, "GET /a/{x:(?:k|v)}/b", "/a/k/b", []string{"k"}, "/a/xv/b /a/kx/b"},
		{expressions, "GET /a/{x:[0-9]{4}}/b", "/a/1234/b", []string{"1234"}, "/a/123/b /a/12345/b"},
		{"echo gin go-restful goji1 martini muxwell ServeMux", "GET /a/b:run", "/a/b:run", nil, "/a/bx /a/b:runx /a/bxrun"},
		{"echo gin go-restful httptreemux martini muxwell ServeMux", "GET /a/:run/c", "/a/:run/c", nil, "/a/b/c"},
		{"chi fiber go-restful gorilla muxwell", "GET /a/{x}:run", "/a/b:run", []string{"b"}, "/a/b /a/b:runx"},
		{"goji1 goji2 muxwell", "GET /a/{x}.{y}", "/a/b.c", []string{"b", "c"}, "/a/b"},
		{"muxwell ServeMux", "GET /a/%7Bx%7D/100%25", "/a/%7Bx%7D/100%25", nil, "/a/b/100%25 /a/%7Bx%7D/100"},
		{"goji1 goji2 muxwell pat", "GET /a/{x}/{rest...}", "/a/b/c/d", []string{"b", "c/d"}, "/a/b /b/c/d"},
	}
	for _, tt := range tests {
		list := parse(t, tt.pattern)
		q := &route.Request{HTTP: target(t, tt.target).HTTP, Values: tt.values, Status: 200}
		found, err := Find(strings.Fields(tt.routers)...)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range found {
			l := load(t, r, list, router.Answer)
			for _, f := range l.Prove([]*route.Request{q}) {
				t.Errorf("%s, %s: %s: %s", r.Name, tt.pattern, f.Request, f.Reason)
			}
			for other := range strings.FieldsSeq(tt.not) {
				if got := l.Answers(target(t, other).HTTP); got != -1 {
					t.Errorf("%s: %s takes %s", r.Name, tt.pattern, other)
				}
			}
		}
	}
}

// target returns a GET request.
func target(t *testing.T, text string) *route.Request {
	t.Helper()
	q, err := route.NewRequest("GET", "", text)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

// TestCannotWrite checks that routers which cannot write a segment say so, instead of
// answering it wrongly.
func TestCannotWrite(t *testing.T) {
	for pattern, names := range map[string][]string{
		"GET /v{x}/a":            {"bunrouter", "goji1", "goji2", "go-restful", "ServeMux"},
		"GET /a/{x}.json":        {"echo", "gin", "go-restful", "httprouter", "ServeMux"},
		"GET /a/{x:[0-9]+}.json": {"macaron"},
	} {
		for _, r := range All() {
			if !slices.Contains(names, r.Name) {
				continue
			}
			if path, _, err := r.Syntax.Format(parse(t, pattern)[0]); err == nil {
				t.Errorf("%s writes %s as %s, want an error", r.Name, pattern, path)
			}
		}
	}
}
