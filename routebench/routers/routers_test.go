package routers

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/muxwell/muxwell/routebench/route"
	"github.com/muxwell/muxwell/routebench/router"
	"github.com/muxwell/muxwell/routes"
)

// list returns the routes of a list.
func list(t testing.TB, name string) []*route.Route {
	t.Helper()
	text, err := routes.FS.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return parse(t, slices.DeleteFunc(strings.Split(string(text), "\n"), func(line string) bool {
		return line == "" || strings.HasPrefix(line, "#")
	})...)
}

// parse returns the routes of patterns.
func parse(t testing.TB, patterns ...string) []*route.Route {
	t.Helper()
	var list []*route.Route
	for _, p := range patterns {
		rt, err := route.Parse(p)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, rt)
	}
	return list
}

// requests returns a request for each route; the value of a parameter is its name
// and its number.
func requests(t testing.TB, list []*route.Route) []*route.Request {
	t.Helper()
	var requests []*route.Request
	for i, rt := range list {
		var target strings.Builder
		var values []string
		for _, g := range rt.Path {
			target.WriteByte('/')
			for _, p := range g {
				if p.Param != "" {
					values = append(values, fmt.Sprintf("%s%d", p.Param, len(values)))
					target.WriteString(values[len(values)-1])
				}
				target.WriteString(p.Literal)
			}
		}
		q, err := route.NewRequest(rt.Method, "", target.String())
		if err != nil {
			t.Fatal(err)
		}
		q.Route, q.Values, q.Status = i, values, 200
		requests = append(requests, q)
	}
	return requests
}

// load loads a router, which must take all routes.
func load(t testing.TB, r router.Router, list []*route.Route, task router.Task) *router.Loaded {
	t.Helper()
	l, err := r.Load(list, task)
	if err != nil {
		t.Fatalf("%s: %v", r.Name, err)
	}
	for _, f := range l.Faults {
		t.Errorf("%s does not take %s: %s", r.Name, list[f.Route], f.Reason)
	}
	return l
}

// TestClassic has every router answer every route of the classic lists.
func TestClassic(t *testing.T) {
	for _, name := range []string{"static.txt", "github.txt", "gplus.txt", "parse.txt"} {
		list := list(t, name)
		if len(list) < 13 {
			t.Fatalf("%s has %d routes", name, len(list))
		}
		requests := requests(t, list)
		for _, r := range All() {
			for _, f := range load(t, r, list, router.Answer).Prove(requests) {
				t.Errorf("%s, %s: %s: %s", name, r.Name, f.Request, f.Reason)
			}
		}
	}
}

// TestPlaces checks that parameters are renamed for those routers that need it, and
// for no others.
func TestPlaces(t *testing.T) {
	list := parse(t, "GET /a/{x}", "GET /a/{y}/b", "DELETE /a/{z}", "GET /c/{user_id}")
	requests := requests(t, list)
	for _, r := range All() {
		renamed := r.Syntax.Places
		r.Syntax.Places = false
		l, err := r.Load(list, router.Answer)
		if err != nil {
			t.Fatal(err)
		}
		if needed := len(l.Faults)+len(l.Prove(requests)) > 0; needed != renamed {
			t.Errorf("%s: Places is %t, want %t", r.Name, renamed, needed)
		}
		if renamed != strings.Contains(r.Note, "renamed") {
			t.Errorf("%s: Places is %t, and the note %q", r.Name, renamed, r.Note)
		}
	}
}

// TestTasks has a handler of every router do each task.
func TestTasks(t *testing.T) {
	list := parse(t, "GET /a/{x}/b/{y}")
	requests := requests(t, list)
	want := map[router.Task]string{
		router.Nothing: "", router.Write: "x0", router.ReadAll: "",
		router.Answer: `0 "x0" "y1"`, router.Keep: `0 "x0" "y1"`,
	}
	for _, r := range All() {
		for task, want := range want {
			if got := load(t, r, list, task).Reply(requests[0].HTTP); got.Status != 200 || got.Body != want {
				t.Errorf("%s, task %d: answer %d %q, want 200 %q", r.Name, task, got.Status, got.Body, want)
			}
		}
	}
}

// TestFiles checks that every router is in a short file with its name.
func TestFiles(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(name, "_test.go") || !strings.Contains(string(text), "func init() {") {
			continue
		}
		if n := strings.Count(string(text), "\n"); n > 60 {
			t.Errorf("%s has %d lines, want 60 or less", name, n)
		}
		if r, err := Find(strings.TrimSuffix(name, ".go")); err != nil {
			t.Errorf("%s: %v", name, err)
		} else if !strings.Contains(strings.Join(strings.Fields(string(text)), " "), fmt.Sprintf("Name: %q", r[0].Name)) {
			t.Errorf("%s does not hold %s", name, r[0].Name)
		}
	}
	for _, r := range All() {
		if name := strings.ToLower(r.Name) + ".go"; r.Variant == "" && !slices.Contains(files, name) {
			t.Errorf("there is no file %s", name)
		}
	}
}

// TestModules checks that go.mod has the modules of all routers.
func TestModules(t *testing.T) {
	mod, err := os.ReadFile(filepath.Join("..", "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range All() {
		if r.Module != "" && !strings.Contains(string(mod), "\n\t"+r.Module+" v") {
			t.Errorf("go.mod does not require %s, the module of %s", r.Module, r.Name)
		}
	}
}

func TestAll(t *testing.T) {
	names, known := make(map[string]bool), 0
	for i, r := range All() {
		if i > 0 && compare(All()[i-1].Name, r.Name) >= 0 {
			t.Errorf("%s comes after %s", r.Name, All()[i-1].Name)
		}
		if r.Name == "" || strings.ContainsAny(r.Name, " \t/") || names[r.Name] {
			t.Errorf("%q is no name for one router", r.Name)
		}
		names[r.Name] = true
		if r.Known {
			known++
		}
	}
	if known != 10 {
		t.Errorf("%d routers are known best, want 10", known)
	}
}

func TestFind(t *testing.T) {
	tests := []struct {
		names string
		want  string // the names found, or the error's text from its beginning
	}{
		{"gin chi", "chi gin"},
		{"servemux GIN gin", "gin ServeMux"},
		{"gorilla-main-omit", "gorilla-main-omit"},
		{"", ""},
		{"jin", `unknown router "jin"; did you mean gin?`},
		{"muxwel", `unknown router "muxwel"; did you mean muxwell?`},
		{"chi nothing-like-it", `unknown router "nothing-like-it"; the routers are bunrouter, bunrouter-http, chi, `},
	}
	for _, tt := range tests {
		found, err := Find(strings.Fields(tt.names)...)
		var names []string
		for _, r := range found {
			names = append(names, r.Name)
		}
		got := strings.Join(names, " ")
		if err != nil {
			got = err.Error()
		}
		if got != tt.want && (err == nil || !strings.HasPrefix(got, tt.want)) {
			t.Errorf("Find(%q) = %s, want %s", tt.names, got, tt.want)
		}
	}
}
