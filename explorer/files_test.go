package explorer

import (
	"bytes"
	"encoding/json"
	"flag"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/muxwell/muxwell"
)

var update = flag.Bool("update", false, "write the golden files")

func logging(next http.Handler) http.Handler { return next }

// shop returns a mux with a route for each thing that files show.
func shop(t testing.TB) *muxwell.Mux {
	t.Helper()
	m := muxwell.New(muxwell.Constraint("sku", func(v string) bool { return len(v) == 8 }))
	line := 0
	add := func(pattern string, options ...muxwell.RouteOption) {
		line++
		options = append(options, muxwell.Source("shop.txt", line))
		if _, err := m.Add(pattern, http.HandlerFunc(nothing), options...); err != nil {
			t.Fatal(err)
		}
	}
	m.Use(logging)
	add("GET /{$}", muxwell.Name("home"))
	add("GET,POST /users", muxwell.Name("users"), muxwell.Meta("owner", "accounts"), muxwell.Meta("secret", "not shown"))
	add("GET /users/{id:int}", muxwell.Name("user"))
	add("DELETE /users/{user:uuid}")
	add("PATCH /users/{name}")
	add("GET /users/{name}")
	add("/files/{path...}")
	add("GET /docs/")
	add("GET /repos/{path...}/raw/{file}.{ext:alnum}")
	add("GET /items/{sku:sku}/{n:uint}/{day:date}")
	add("GET /{year:(19|20)[0-9]{2}}/{tag:a\\|b}")
	add("PROPFIND /dav/{x}")
	add("GET {tenant}.example.com/a%2Fb c/{x}")
	add("GET *.example.org/")
	add("GET /a-b")
	add("GET /a_b")
	add("CONNECT proxy.example.com:443/up")
	add("GET /v", muxwell.Headers("x-beta", "1", "X-Any", ""), muxwell.HeadersRegexp("X-Expr", "a|b"), muxwell.Queries("q", "", "page", "{page:int}", "on", "yes"))
	add("GET /v", muxwell.Accept("application/json", "text/csv"))
	add("GET /v", muxwell.ClientIP([]netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}))
	add("GET /v")
	add("POST /v", muxwell.ContentType("application/json"), muxwell.Schemes("https"))
	add("/v", muxwell.MatchFunc(func(*http.Request) bool { return true }))
	add("GET /`\"<script>alert(1)</script>&amp;\\N/{<img src=x onerror=alert(1)>}", muxwell.Name("<b>|`*_\\|[x](javascript:alert(1))"))
	return m
}

// The files are made of the routes and nothing else. go test -update writes them.
func TestFiles(t *testing.T) {
	v := (&handler{title: "Shop | <b>", mux: shop(t), keys: []string{"owner"}}).view()
	for name, got := range map[string][]byte{
		"routes.json": routesJSON(v), "openapi.json": openAPI(v), "routes.md": markdown(v), "routes.dot": dot(v),
	} {
		file := filepath.Join("testdata", name)
		if *update {
			if err := os.WriteFile(file, got, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is\n%s\nwant\n%s", name, got, want)
		}
		if bytes.Contains(got, []byte("not shown")) {
			t.Errorf("%s has metadata that was not asked for", name)
		}
	}
	checkFiles(t, v)
}

// checkFiles reads the files of a view as their readers do, and compares what they
// say with the view.
func checkFiles(t *testing.T, v *view) {
	t.Helper()
	checkRoutesJSON(t, v)
	checkOpenAPI(t, v)
	checkMarkdown(t, v)
	checkDOT(t, v)
}

func checkRoutesJSON(t *testing.T, v *view) {
	t.Helper()
	var list listJSON
	if err := json.Unmarshal(routesJSON(v), &list); err != nil {
		t.Fatalf("routes.json: %v", err)
	}
	if len(list.Routes) != len(v.Routes) {
		t.Fatalf("routes.json has %d routes, want %d", len(list.Routes), len(v.Routes))
	}
	for i, r := range list.Routes {
		if want := strings.ToValidUTF8(v.Routes[i].Pattern, "\ufffd"); strings.ToValidUTF8(r.Pattern, "\ufffd") != want && !strings.Contains(r.Pattern, "\ufffd") {
			t.Errorf("routes.json: route %d is %q, want %q", i, r.Pattern, want)
		}
	}
}

// checkMarkdown reads the table as GitHub Flavored Markdown does: a '|' without a
// backslash ends a cell, and then the backslashes of others are taken away.
func checkMarkdown(t *testing.T, v *view) {
	t.Helper()
	lines := strings.Split(strings.TrimSuffix(string(markdown(v)), "\n"), "\n")
	if len(lines) != 4+len(v.Routes) {
		t.Fatalf("routes.md has %d lines, want %d:\n%s", len(lines), 4+len(v.Routes), strings.Join(lines, "\n"))
	}
	head := markdownCells(lines[2])
	for i, line := range lines[4:] {
		cells := markdownCells(line)
		if len(cells) != len(head) {
			t.Errorf("routes.md: row %d has %d cells, want %d: %s", i, len(cells), len(head), line)
			continue
		}
		r := &v.Routes[i]
		for j, cell := range cells {
			want, known := map[string]string{"methods": r.MethodText(), "host": r.Host, "path": r.Path, "name": r.Name}[head[j]]
			if got := markdownPlain(cell); known && got != printable(want) {
				t.Errorf("routes.md: row %d shows %s %q, want %q: %s", i, head[j], got, printable(want), line)
			}
		}
	}
}

// markdownCells splits a row as cmark-gfm does, in which a backslash takes the
// meaning of any punctuation behind it.
func markdownCells(row string) []string {
	var cells []string
	cell := ""
	for i := 1; i < len(row); i++ {
		switch {
		case row[i] == '\\' && i+1 < len(row) && row[i+1] == '|':
			cell, i = cell+"|", i+1
		case row[i] == '\\' && i+1 < len(row) && row[i+1] == '\\':
			cell, i = cell+`\\`, i+1
		case row[i] == '|':
			cells, cell = append(cells, strings.TrimSpace(cell)), ""
		default:
			cell += row[i : i+1]
		}
	}
	return cells
}

// markdownPlain returns the text of a cell that is a code span, or a code element
// with character references.
func markdownPlain(cell string) string {
	if text, ok := strings.CutPrefix(cell, "<code>"); ok {
		return unescapeHTML(strings.TrimSuffix(text, "</code>"))
	}
	fence := cell[:len(cell)-len(strings.TrimLeft(cell, "`"))]
	text := strings.TrimSuffix(strings.TrimPrefix(cell, fence), fence)
	if fence != "" && strings.Contains(text, fence) {
		return "the span ends early"
	}
	if strings.HasPrefix(text, " ") && strings.HasSuffix(text, " ") && strings.TrimSpace(text) != "" {
		text = text[1 : len(text)-1]
	}
	return text
}

// checkDOT reads the graph line by line: each is a node or an edge, whose strings
// end where they should.
func checkDOT(t *testing.T, v *view) {
	t.Helper()
	nodes, tips := map[string]bool{}, map[string]bool{}
	lines := strings.Split(strings.TrimSuffix(string(dot(v)), "\n"), "\n")
	for _, line := range lines[4 : len(lines)-1] {
		name, rest, _ := strings.Cut(strings.TrimPrefix(line, "\t"), " ")
		if to, edge := strings.CutPrefix(rest, "-> "); edge {
			if !nodes[name] || !nodes[to] {
				t.Errorf("routes.dot: an edge of a node that is not there: %s", line)
			}
			continue
		}
		nodes[name] = true
		rest, ok := strings.CutPrefix(rest, "[")
		for ok && rest != "]" {
			if after, box := strings.CutPrefix(rest, "shape=box, "); box {
				rest = after
			}
			key, quoted, _ := strings.Cut(rest, "=")
			var value string
			if value, rest, ok = dotValue(quoted); !ok || key != "label" && key != "tooltip" {
				ok = false
				break
			}
			if key == "tooltip" {
				tips[value] = true
			}
			rest = strings.TrimPrefix(rest, ", ")
		}
		if !ok {
			t.Errorf("routes.dot: no node: %s", line)
		}
	}
	for i := range v.Routes {
		if want := printable(v.Routes[i].Pattern); !tips[want] {
			t.Errorf("routes.dot: no route %q", want)
		}
	}
}

// dotValue reads a quoted string of DOT, and returns what it shows and what follows.
func dotValue(s string) (value, rest string, ok bool) {
	if !strings.HasPrefix(s, `"`) {
		return "", "", false
	}
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '"':
			return strings.ReplaceAll(value, "&amp;", "&"), s[i+1:], true
		case '\\':
			i++
			if i == len(s) || s[i] != '\\' && s[i] != '"' {
				return "", "", false // an escape that means something
			}
		}
		value += s[i : i+1]
	}
	return "", "", false
}
