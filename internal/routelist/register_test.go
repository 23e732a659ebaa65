package routelist_test

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/internal/routelist"
)

var noop = http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})

func noops(routelist.Entry) http.Handler { return noop }

func TestLoadErrors(t *testing.T) {
	tests := []struct {
		list string
		want string
	}{
		{"GET /a\n\n\n\n\n\nGET /users/{id", `routes.txt:7: '{' is never closed; add the '}', or for the character itself write %7B
	7 | GET /users/{id
	  |            ^`},
		{"# x\n   GET,get, /a # y\n", `routes.txt:2: a method is missing after the comma
	2 |    GET,get, /a # y
	  |            ^`},
		{"GET /a\nPOST /a\nGET /u/{id}\n\n\n\n GET /u/{name}\n", `routes.txt:7: conflicts with line 3: both match the same GET requests like "/u/id". Names of parameters and escapes are ignored. Remove one of them
	3 | GET /u/{id}
	7 |  GET /u/{name}
	  |  ^`},
		{strings.Repeat("\n", 8) + "GET,POST /a\nGET /b\nPOST /a\n", `routes.txt:11: conflicts with line 9: both match the same POST requests like "/a". A method list means one route for each method. Remove one of them
	 9 | GET,POST /a
	11 | POST /a
	   | ^`},
		{"GET /" + strings.Repeat("é/", 100) + "{/" + strings.Repeat("x", 100), `routes.txt:1: '{' is never closed; add the '}', or for the character itself write %7B
	1 | …` + strings.Repeat("é/", 20) + "{/" + strings.Repeat("x", 58) + `…
	  |  ` + strings.Repeat(" ", 40) + `^`},
		{"GET {t}.h/a # a\n\nGET {u}.h/a # b\n", `routes.txt:3: conflicts with line 1: both match the same GET requests like "u.h/a". The case of hosts, their final dot and the names of parameters are ignored. Remove one of them
	1 | GET {t}.h/a # a
	3 | GET {u}.h/a # b
	  | ^`},
		{"# x\n/{x:[ #+} # y\n", `routes.txt:2: invalid regular expression: missing closing ]
	2 | /{x:[ #+} # y
	  |     ^`},
		// Faults of lines and of patterns come in the order of lines.
		{"GET x\nGET /a b\n/{}\n", `routes.txt:1: no path: a pattern is [METHOD ][HOST]/PATH; for a path write "GET /x"
	1 | GET x
	  |      ^
routes.txt:2: a space in a path; write it as %20, begin a comment with '#', put each route on its own line, or write options after the path, as in name=user; options are ` + keyList() + `
	2 | GET /a b
	  |       ^
routes.txt:3: the parameter has no name; write {id}, or {path...} for a catch-all
	3 | /{}
	  |   ^`},
	}
	for _, tt := range tests {
		err := routelist.Load(muxwell.New(), "routes.txt", strings.NewReader(tt.list), noops)
		if err == nil || err.Error() != tt.want {
			t.Errorf("Load(%q):\ngot:\n%v\nwant:\n%s", tt.list, err, tt.want)
		}
	}
}

func TestLoadCapsItsMessage(t *testing.T) {
	err := routelist.Load(muxwell.New(), "routes.txt", strings.NewReader(strings.Repeat("not a list\n", 1000)), noops)
	errs, _ := errors.AsType[routelist.Errors](err)
	if len(errs) != 1000 {
		t.Errorf("%d errors, want 1000", len(errs))
	}
	msg := err.Error()
	if got, want := strings.Count(msg, " | not a list"), 10; got != want {
		t.Errorf("the message shows %d lines, want %d:\n%s", got, want, msg)
	}
	if want := "\nroutes.txt: and 990 more errors"; !strings.HasSuffix(msg, want) {
		t.Errorf("the message ends %q, want %q", msg[len(msg)-60:], want)
	}
}

// The errors of the router stay in reach, and so does the other line.
func TestLoadErrorsAreTyped(t *testing.T) {
	err := routelist.Load(muxwell.New(), "routes.txt", strings.NewReader("/a\n/{\n/a\n"), noops)
	if _, ok := errors.AsType[*muxwell.PatternError](err); !ok {
		t.Errorf("no *muxwell.PatternError in %v", err)
	}
	if _, ok := errors.AsType[*muxwell.ConflictError](err); !ok {
		t.Errorf("no *muxwell.ConflictError in %v", err)
	}
	errs, _ := errors.AsType[routelist.Errors](err)
	if len(errs) != 2 || errs[1].Other == nil || errs[1].Other.Line != 1 {
		t.Errorf("errors = %+v, want the second to name line 1 as the other", errs)
	}
}

// The other line is found whatever lines are refused or empty.
func TestLoadConflictsNameTheirLines(t *testing.T) {
	var list strings.Builder
	for i := range 200 {
		fmt.Fprintf(&list, "GET /a%d\n\n/{\nGET /a%d\n", i, i)
	}
	err := routelist.Load(muxwell.New(), "a:1", strings.NewReader(list.String()), noops)
	errs, _ := errors.AsType[routelist.Errors](err)
	conflicts := 0
	for _, e := range errs {
		if _, ok := errors.AsType[*muxwell.ConflictError](e); ok {
			if conflicts++; e.Other == nil || e.Other.Line != e.Line-3 || e.Other.Text != e.Text {
				t.Errorf("line %d conflicts with %+v, want line %d", e.Line, e.Other, e.Line-3)
			}
		}
	}
	if conflicts != 200 {
		t.Errorf("%d conflicts, want 200", conflicts)
	}
}

// A conflict with a route that is not of the list names where it is.
func TestRegisterConflictOutsideTheList(t *testing.T) {
	m := muxwell.New()
	m.Handle("GET /a", noop)
	err := routelist.Register(m, "routes.txt", []routelist.Entry{{Line: 4, Column: 1, Pattern: "GET /a", Text: "GET /a"}}, noops)
	if err == nil || !strings.Contains(err.Error(), "register_test.go:") || !strings.HasPrefix(err.Error(), "routes.txt:4: ") {
		t.Errorf("err = %v, want routes.txt:4 and the Go source of the other", err)
	}
}

func TestEntryOf(t *testing.T) {
	m := muxwell.New()
	if err := routelist.Load(m, "routes.txt", strings.NewReader("# users\n GET /users/{id} # one\n"), noops); err != nil {
		t.Fatal(err)
	}
	m.Handle("/other", noop)
	want := map[string]routelist.Entry{
		"GET /users/{id}": {Line: 2, Column: 2, Pattern: "GET /users/{id}", Text: " GET /users/{id} # one"},
	}
	for rt := range m.Routes() {
		if source, want := rt.Source(), "routes.txt:2"; rt.Pattern() != "/other" && source != want {
			t.Errorf("source of %s: %s, want %s", rt, source, want)
		}
		got, ok := routelist.EntryOf(rt)
		if e, listed := want[rt.Pattern()]; ok != listed || !reflect.DeepEqual(got, e) {
			t.Errorf("EntryOf(%s) = %+v, %v, want %+v, %v", rt, got, ok, e, listed)
		}
	}
}

// The lists of the repository load, each route on its line.
func TestLoadRepositoryLists(t *testing.T) {
	for list, routes := range map[string]int{"github": 203, "gplus": 13, "parse": 26, "static": 157, "github-rest": 1223, "options": 10} {
		text, err := os.ReadFile(filepath.Join("..", "..", "routes", list+".txt"))
		if err != nil {
			t.Fatal(err)
		}
		m := muxwell.New()
		if err := routelist.Load(m, list, strings.NewReader(string(text)), noops); err != nil {
			t.Errorf("%s: %v", list, err)
		}
		n := 0
		for rt := range m.Routes() {
			e, _ := routelist.EntryOf(rt)
			if line := strings.Split(string(text), "\n")[e.Line-1]; rt.Pattern() != e.Pattern || line != e.Text {
				t.Errorf("%s: route %q is of line %d, %q", list, rt, e.Line, line)
			}
			n++
		}
		if n != routes {
			t.Errorf("%s: %d routes, want %d", list, n, routes)
		}
	}
}

func FuzzLoad(f *testing.F) {
	for _, seed := range []string{
		"GET /a\n\nGET,POST example.com/{x}/{y...} # c\r\n",
		"\ufeff# x\n/a b\n/{\n/a\n/a\n", "GET\u00a0/a", "\xff\xfe", "\x00", "/é/{é", "GET, /", "\r\r\n", "/{a b}#\t#",
		"/{x:[ #]+} # {x}", "GET {t:a b}.h/{y:\\}} #", "/{{{ # }",
		"/a name=x header=\"X: # \\\"b\" query=q={q:[a-z]+} # c\n/a name=x", "/a trusted=::1 client=10.0.0.0/8,::1 meta=k:v header-regexp=X:(",
		"/a nam=x\n/b scheme=ftp accept=a/b,c/* content-type=text/*\n/c meta=\"k\"v", "/{q} query=q={q} x # \"",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, list string) {
		entries, err := routelist.Parse("list", strings.NewReader(list))
		if (len(entries) == 0) && err == nil {
			t.Fatalf("Parse(%q): neither routes nor an error", list)
		}
		last := 0
		for _, e := range entries {
			checkEntry(t, list, e, last)
			last = e.Line
		}
		checkErrors(t, list, routelist.Load(muxwell.New(), "list", strings.NewReader(list), noops))
	})
}

// checkEntry checks that an entry comes after line last, is where it says, and
// is a list of its own; with a comment too, if it is a pattern.
func checkEntry(t *testing.T, list string, e routelist.Entry, last int) {
	if e.Line <= last || e.Line > strings.Count(list, "\n")+1 || !strings.HasPrefix(e.Text[e.Column-1:], e.Pattern) {
		t.Fatalf("Parse(%q): %+v after line %d", list, e, last)
	}
	again, err := routelist.Parse("list", strings.NewReader(e.Pattern))
	if err != nil || len(again) != 1 || again[0].Pattern != e.Pattern {
		t.Fatalf("Parse(%q) = %+v, %v, want one route with that pattern", e.Pattern, again, err)
	}
	checkOptions(t, e)
	if _, err := muxwell.New().Add(e.Pattern, noop); err != nil {
		return
	}
	again, err = routelist.Parse("list", strings.NewReader(e.Pattern+" # } {x:\\"))
	if err != nil || len(again) != 1 || again[0].Pattern != e.Pattern {
		t.Fatalf("Parse(%q and a comment) = %+v, %v, want that pattern", e.Pattern, again, err)
	}
}

// checkOptions checks that an entry's options are where they say, and are the same
// behind another pattern.
func checkOptions(t *testing.T, e routelist.Entry) {
	line := "/x"
	for _, o := range e.Options {
		if !strings.HasPrefix(e.Text[o.Column-1:], o.Text) || !strings.HasPrefix(o.Text, o.Key+"=") || o.Value == "" {
			t.Fatalf("%q: option %+v", e.Text, o)
		}
		line += "\t" + o.Text
	}
	again, err := routelist.Parse("list", strings.NewReader(line+" # \" x=y"))
	if err != nil || len(again) != 1 || len(again[0].Options) != len(e.Options) {
		t.Fatalf("Parse(%q and a comment) = %+v, %v, want %d options", line, again, err, len(e.Options))
	}
	for i, o := range again[0].Options {
		if want := e.Options[i]; o.Key != want.Key || o.Value != want.Value || o.Text != want.Text {
			t.Fatalf("Parse(%q): option %+v, want %+v", line, o, want)
		}
	}
}

// checkErrors checks that each error tells its place, in order, in one line
// and at most four more, all of which print.
func checkErrors(t *testing.T, list string, err error) {
	errs, _ := errors.AsType[routelist.Errors](err)
	last := 0
	for _, e := range errs {
		msg := e.Error()
		place := fmt.Sprintf("list:%d: ", e.Line)
		if e.Line == 0 {
			place = "list: "
		}
		if !strings.HasPrefix(msg, place) || strings.Count(msg, "\n") > 4 || strings.ContainsAny(msg, "\x00\r\x1b") {
			t.Fatalf("Load(%q): message %q, want %q and a few lines", list, msg, place)
		}
		if e.Line < last || e.Text != "" && (e.Column < 1 || e.Column > len(e.Text)+1) {
			t.Fatalf("Load(%q): %+v after line %d", list, e, last)
		}
		last = max(last, e.Line)
	}
}
