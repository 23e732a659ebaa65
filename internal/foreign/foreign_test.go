package foreign

import (
	"strings"
	"testing"

	"github.com/muxwell/muxwell/internal/pattern"
)

// rules has a constraint of its own.
var rules = pattern.Rules{Constraints: map[string]func(string) bool{"sku": func(string) bool { return true }}}

// find returns the hint for a pattern, which has to be valid.
func find(t *testing.T, text string) (Hint, bool) {
	t.Helper()
	p, err := pattern.Parse(text, rules)
	if err != nil {
		t.Fatal(err)
	}
	return Find(p, rules)
}

// What other routers write: the pattern to write instead, and where the other syntax is.
func TestFind(t *testing.T) {
	const (
		parameter = " is literal text; for a parameter write "
		rest      = " is literal text; for the rest of the path write "
		segments  = " is literal text; for one or more segments write "
		segment   = " is literal text; for any one segment write "
		optional  = " is literal text, since nothing in a path is optional; write "
		method    = " is a method of its own, since methods are case-sensitive; write "
	)
	for _, tt := range []struct {
		pattern string
		offset  int
		instead string
		text    string
		reason  string // between the text and Instead
		notes   string
	}{
		// gin, httprouter, echo, fiber, Express, Rails
		{"/users/:id", 7, "/users/{id}", ":id", parameter, ""},
		{"GET /users/:id", 11, "GET /users/{id}", ":id", parameter, ""},
		{"/:id", 1, "/{id}", ":id", parameter, ""},
		{"/users/:id/", 7, "/users/{id}/", ":id", parameter, ""},
		{"/users/:id/posts/:post_id", 7, "/users/{id}/posts/{post_id}", ":id", parameter, ""},
		{"/users/:user-id", 7, "/users/{user-id}", ":user-id", parameter, ""},
		{"/users/:größe", 7, "/users/{größe}", ":größe", parameter, ""},
		{"/flights/:from-:to", 9, "/flights/{from}-{to}", ":from-:to", parameter, ""},
		{"/f/:name.:ext", 3, "/f/{name}.{ext}", ":name.:ext", parameter, ""},
		{"/f/:name.json", 3, "/f/{name}.json", ":name.json", parameter, ""},
		{"/users/{org}/:id", 13, "/users/{org}/{id}", ":id", parameter, ""},
		{"api.example.com/:id", 16, "api.example.com/{id}", ":id", parameter, ""},
		{"{t}.example.com:8080/:id", 21, "{t}.example.com:8080/{id}", ":id", parameter, ""},
		{"*.example.com/:id", 14, "*.example.com/{id}", ":id", parameter, ""},
		{`/users/:id(\d+)`, 7, `/users/{id:\d+}`, `:id(\d+)`, parameter, ""},
		{"/users/:id([0-9]{2})", 7, "/users/{id:[0-9]{2}}", ":id([0-9]{2})", parameter, ""},
		{"/users/:id<int>", 7, "/users/{id:int}", ":id<int>", parameter, ""},
		{"/users/:id<guid>", 7, "/users/{id:uuid}", ":id<guid>", parameter, ""},
		{"/users/:id<sku>", 7, "/users/{id:sku}", ":id<sku>", parameter, ""},
		{"/users/:id<min(5)>", 7, "/users/{id}", ":id<min(5)>", parameter, "; unknown constraint min(5)"},
		{"/users/:id?", 7, "/users/{id}", ":id?", parameter, ", and register the path without {id} too"},
		{"/a/:x/:id?", 3, "/a/{x}/{id}", ":x", parameter, ", and register the path without {id} too"},
		{"/files/:path*", 7, "/files/{path...}", ":path*", rest, ""},
		{"/files/:path+", 7, "/files/{path...}", ":path+", rest, ""},
		{"/users/:id(.:format)", 7, "/users/{id}", ":id(.:format)", optional, ", and register the path with .{format} at its end too"},
		{"/users(.:format)", 1, "/users", "users(.:format)", optional, ", and register the path with .{format} at its end too"},
		{"/*path(.:format)", 1, "/{path...}", "*path(.:format)", rest, ", and register the path with .{format} at its end too"},

		// chi, gin and others
		{"/files/*", 7, "/files/{path...}", "*", rest, ""},
		{"/*", 1, "/{path...}", "*", rest, ""},
		{"/files/**", 7, "/files/{path...}", "**", rest, ""},
		{"/files/*path", 7, "/files/{path...}", "*path", rest, ""},
		{"/files/*filepath", 7, "/files/{filepath...}", "*filepath", rest, ""},
		{"/{path}/*", 8, "/{path}/{rest...}", "*", rest, ""},
		{"/repos/*/raw", 7, "/repos/{name}/raw", "*", segment, ""},
		{"/:name/*/raw", 1, "/{name}/{segment}/raw", ":name", parameter, ""},
		{"/books/*section/:title", 7, "/books/{section...}/{title}", "*section", segments, ""},

		// Flask, Django, Rocket
		{"/<id>", 1, "/{id}", "<id>", parameter, ""},
		{"/<int:id>", 1, "/{id:int}", "<int:id>", parameter, ""},
		{"/users/<int:id>/", 7, "/users/{id:int}/", "<int:id>", parameter, ""},
		{"/users/<string:name>", 7, "/users/{name}", "<string:name>", parameter, ""},
		{"/users/<uuid:id>", 7, "/users/{id:uuid}", "<uuid:id>", parameter, ""},
		{"/files/<path:sub>", 7, "/files/{sub...}", "<path:sub>", rest, ""},
		{"/files/<path..>", 7, "/files/{path...}", "<path..>", rest, ""},
		{"/<float:x>", 1, "/{x}", "<float:x>", parameter, "; unknown constraint float"},
		{"/<a>-<b>", 1, "/{a}-{b}", "<a>-<b>", parameter, ""},

		// Methods
		{"get /x", 0, "GET /x", "get", method, ""},
		{"Get /x", 0, "GET /x", "Get", method, ""},
		{"GET,post /x", 4, "GET,POST /x", "post", method, ""},
		{"get,GET /x", 0, "GET /x", "get", method, ""},
		{"get\t example.com/x", 0, "GET\t example.com/x", "get", method, ""},
		{"delete /users/:id", 0, "DELETE /users/{id}", "delete", method, ""},
	} {
		h, ok := find(t, tt.pattern)
		want := Hint{tt.offset, tt.instead, `"` + strings.ReplaceAll(tt.text, `\`, `\\`) + `"` + tt.reason + `"` + strings.ReplaceAll(tt.instead, `\`, `\\`) + `"` + tt.notes}
		want.Reason = strings.ReplaceAll(want.Reason, "\t", `\t`)
		if !ok || h != want {
			t.Errorf("%q: got %v\n%+v, want\n%+v", tt.pattern, ok, h, want)
		}
	}
}

// A hint without a pattern to write instead says what a parameter is.
func TestFindWithoutInstead(t *testing.T) {
	for pattern, reason := range map[string]string{
		"/:id/:id":   `":id" is literal text; for a parameter write "{id}"`,
		"/:id(^a^b)": `":id(^a^b)" is literal text; for a parameter write "{id:^a^b}"`,
		"/*a/b/*c":   `"*a" is literal text; for one or more segments write "{a...}"`,
	} {
		h, ok := find(t, pattern)
		if !ok || h.Instead != "" || h.Reason != reason {
			t.Errorf("%q: got %v, %+v, want %q", pattern, ok, h, reason)
		}
	}
}

// Text that is meant, and patterns that have the syntax of this router.
func TestFindNothing(t *testing.T) {
	for _, text := range []string{
		"/", "/users/{id}", "GET /users/{id:int}", "/files/{path...}", "/docs/{$}", "M-SEARCH /x", "m-search /x", "propfind /x", "PURGE /x", " /x",
		"/jobs/{id}:cancel", "/v1/users:batchGet", "/v1/{name}:undelete", "/a:b", "/:", "/:80", "/:{id}", "/:-)", "/:smile:", "/::id", "/x:id", "/:id.{ext}", "/:a:b", "/:id%20x",
		"/*.example", "/*.txt", "/a*", "/a*b", "/*-a", "/***", "/*path.txt", "/{x}*", "*.example.com/", "*.example.com/a",
		"/<", "/<>", "/a<b>", "/<b", "/<:id>", "/<int:>", "/<a b>", "/<1>", "/<a>b>", "/<a><b>", "/<path..>x", "/->x",
		"/x(y)", "/x(.:)", "/(.:format)", "/x(.:format)y", "/:id(", "/:id(a", "/:id()b)", "/:id<int", "/:id?x", "/:path*x", "/:a?-:b",
		"/users/%3Aid", "/files/%2A", "/%3Cid>", "get.example.com/x", "get/x",
	} {
		if h, ok := find(t, text); ok {
			t.Errorf("%q: got %+v, want no hint", text, h)
		}
	}
}

// A pattern that is proposed is valid, and has no hint. The reason is short, whatever the
// pattern is.
func FuzzFind(f *testing.F) {
	for _, text := range []string{
		"/users/:id", "get,GET /files/*path", "/<int:id>/<path:p>", "/:a-:b(.:format)", `/:id(\d+)?`, "/*/x/:y*", "/users/:id<min(5)>", "/{id}/:id", "/:x(.:a)(.:b)",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := pattern.Parse(text, rules)
		if err != nil {
			t.Skip()
		}
		h, ok := Find(p, rules)
		if !ok {
			if h != (Hint{}) {
				t.Fatalf("%q: no hint, and %+v", text, h)
			}
			return
		}
		if h.Offset < 0 || h.Offset >= len(text) || h.Reason == "" || len(h.Reason) > 4000 {
			t.Errorf("%q: %+v", text, h)
		}
		if h.Instead == "" {
			return
		}
		q, err := pattern.Parse(h.Instead, rules)
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if again, ok := Find(q, rules); ok {
			t.Errorf("%q: for %q there is the hint %+v", text, h.Instead, again)
		}
	})
}
