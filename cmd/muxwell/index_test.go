package main

import (
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

// page returns the page of a list and the policy it is sent with.
func page(t *testing.T, list string) (body, policy string) {
	t.Helper()
	w := ask(t, mustSite(t, list), "GET", "/", "Accept", "text/html")
	if w.Code != http.StatusOK || w.Header().Get("Content-Type") != "text/html; charset=utf-8" {
		t.Fatalf("GET /: %d, %s", w.Code, w.Header().Get("Content-Type"))
	}
	return w.Body.String(), w.Header().Get("Content-Security-Policy")
}

func TestIndexNegotiates(t *testing.T) {
	s := mustSite(t, "GET /a\n")
	for accept, want := range map[string]string{
		"":                           "text/html; charset=utf-8",
		"*/*":                        "text/html; charset=utf-8",
		"application/json":           "application/json",
		"text/html;q=0.5, */*;q=0.6": "application/json",
		"text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8": "text/html; charset=utf-8",
	} {
		w := ask(t, s, "GET", "/", "Accept", accept)
		if got := w.Header().Get("Content-Type"); got != want || w.Header().Get("Vary") != "Accept" || w.Code != http.StatusOK {
			t.Errorf("GET / with Accept %q: %d, %q, Vary %q, want 200, %q, Accept", accept, w.Code, got, w.Header().Get("Vary"), want)
		}
	}
}

func TestIndexJSON(t *testing.T) {
	w := ask(t, mustSite(t, "# routes\nGET,POST /u/{id}/{rest...}\n\nExample.com/<b> name=b meta=k:<i> # c\n"), "GET", "/", "Accept", "application/json")
	var got listJSON
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	want := listJSON{List: "routes.txt", Explorer: "/_routes/", Routes: []routeJSON{
		{Line: 2, Pattern: "GET,POST /u/{id}/{rest...}", Methods: []string{"GET", "POST"}, Path: "/u/{id}/{rest...}", Params: []string{"id", "rest"}, Options: []string{}, Example: "/u/id/rest"},
		{Line: 4, Pattern: "Example.com/<b>", Methods: []string{}, Host: "example.com", Path: "/<b>", Params: []string{}, Options: []string{"name=b", "meta=k:<i>"}},
	}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	if strings.ContainsAny(w.Body.String(), "<>&") {
		t.Errorf("unescaped text: %s", w.Body)
	}
}

// What a pattern holds is text on the page, whatever it is.
func TestPageShowsHostilePatternsAsText(t *testing.T) {
	hostile := []string{
		`GET /<script>alert(1)</script>`,
		`GET /"onmouseover="alert(1)`,
		`GET /{<img src=x onerror=alert(1)>}/x`,
		`GET /'/};alert(1)`,
		`javascript:alert(1)/`,
		`//evil.example/x`,
		`GET /</style></title>`,
		"GET /`$alert(1)`",
		`GET /x meta="x:<img src=x onerror=alert(1)>"`,
	}
	body, _ := page(t, strings.Join(hostile, "\n"))
	for _, tag := range []string{"<script>alert", "<img", "</style></title>", `"onmouseover="`, `href="javascript`, `href="//`} {
		if strings.Contains(body, tag) {
			t.Errorf("the page holds %s", tag)
		}
	}
	for _, text := range []string{"/&lt;script&gt;alert(1)&lt;/script&gt;", "{&lt;img src=x onerror=alert(1)&gt;}"} {
		if !strings.Contains(body, text) {
			t.Errorf("the page does not hold the text %s", text)
		}
	}
}

// The policy lets in the page's own script and style, by their hashes, and
// nothing else; the page loads nothing from anywhere.
func TestPageIsSelfContained(t *testing.T) {
	body, policy := page(t, "GET /a\n")
	for tag, directive := range map[string]string{"script": "script-src", "style": "style-src"} {
		elements := regexp.MustCompile(`(?s)<`+tag+`>(.*?)</`+tag+`>`).FindAllStringSubmatch(body, -1)
		if len(elements) != 1 {
			t.Fatalf("%d %s elements, want 1", len(elements), tag)
		}
		if want := directive + " '" + hashSource(elements[0][1]) + "';"; !strings.Contains(policy, want) {
			t.Errorf("policy %q, want %s", policy, want)
		}
	}
	if !strings.HasPrefix(policy, "default-src 'none';") || strings.Contains(policy, "unsafe") {
		t.Errorf("policy %q, want default-src 'none' and nothing unsafe", policy)
	}
	if external := regexp.MustCompile(`(?i)(src|href|url|action)\s*[=(]\s*["']?(https?:|//)`).FindString(body); external != "" {
		t.Errorf("the page refers to something outside: %s", external)
	}
	if inline := regexp.MustCompile(`(?i)<[^>]+\s(on\w+|style)=`).FindString(body); inline != "" {
		t.Errorf("the policy forbids %s", inline)
	}
}

func TestPageShowsRoutes(t *testing.T) {
	body, _ := page(t, "GET,PURGE /u/{id}\n/any\nPOST Example.com/x\nGET /{y:[0-9]{4}}-{m}.html\n{t}.Example.com/\nPUT /v name=v header=X-B:<1> # c\n")
	for _, want := range []string{
		`<title>routes.txt · muxwell</title>`,
		`>6 routes<`,
		`<b data-method="GET">GET</b> <b data-method="PURGE">PURGE</b>`,
		`/u/<wbr><var>{id}</var>`,
		`<b>ANY</b>`,
		`<span class="host">example.com</span>/x`,
		`<code dir="ltr">/<wbr><var>{y:[0-9]{4}}</var>-<wbr><var>{m}</var>.html</code>`,
		`<span class="host"><wbr><var>{t}</var>.example.com</span>/</code>`,
		`href="/u/id"`,
		`href="/0000-a.html"`,
		`href="/any"`,
		`>/v</code> <code class="option">name=v</code> <code class="option">header=X-B:&lt;1&gt;</code></span>`,
	} {
		if !strings.Contains(body, want) {
			t.Errorf("the page does not hold %s", want)
		}
	}
	if n := strings.Count(body, `aria-label="Open`); n != 3 {
		t.Errorf("%d links, want 3: none for a host or without GET", n)
	}
	if body, _ := page(t, "GET /a\n"); !strings.Contains(body, ">1 route<") {
		t.Error("the page of one route does not say 1 route")
	}
}

// Each GET route of the repository's lists has a link, and it leads there.
func TestPageLinksLeadToTheirRoutes(t *testing.T) {
	for _, name := range []string{"github", "gplus", "parse"} {
		text, err := os.ReadFile(filepath.Join("..", "..", "routes", name+".txt"))
		if err != nil {
			t.Fatal(err)
		}
		s := mustSite(t, string(text))
		body := ask(t, s, "GET", "/").Body.String()
		for _, rt := range s.routes {
			if rt.Methods()[0] != "GET" {
				continue
			}
			link := s.example(rt)
			if link == "" || !strings.Contains(body, `<a href="`+html.EscapeString(link)+`"`) {
				t.Errorf("%s: %s: no link %q", name, rt, link)
				continue
			}
			if got := compact(t, ask(t, s, "GET", link)); !strings.HasPrefix(got, fmt.Sprintf(`{"pattern": %q,`, rt.Pattern())) {
				t.Errorf("%s: the link %s of %s leads to %s", name, link, rt, got)
			}
		}
	}
}

// A page of a large list is small, and its links lead to all routes, each once.
func TestPageOfTenThousandRoutes(t *testing.T) {
	var list strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&list, "GET /service%d/{tenant}/items/{id}\n", i)
	}
	s := mustSite(t, list.String())
	seen := make(map[string]int)
	next := regexp.MustCompile(`id="next" href="\.(/[^"]*)"`)
	for target, pages := "/", 0; target != ""; pages++ {
		body := ask(t, s, "GET", target).Body.String()
		if len(body) > 128<<10 || pages > 100 {
			t.Fatalf("%s, page %d: %d KB, want 128 at most", target, pages, len(body)>>10)
		}
		if !strings.Contains(body, ">10,000 routes<") || !strings.Contains(body, " of 10,000. Search to narrow the list.") {
			t.Errorf("%s does not say how many routes there are", target)
		}
		for _, m := range regexp.MustCompile(`aria-label="Open (/service\d+)/`).FindAllStringSubmatch(body, -1) {
			seen[m[1]]++
		}
		link := next.FindStringSubmatch(body)
		target = ""
		if link != nil {
			target = html.UnescapeString(link[1])
		}
	}
	for route, n := range seen {
		if n != 1 {
			t.Errorf("%s is on %d pages", route, n)
		}
	}
	if len(seen) != 10_000 {
		t.Errorf("the pages have %d routes, want 10000", len(seen))
	}
}

// A search finds the routes that have all of its words in methods, pattern or options,
// and the links to other pages keep it.
func TestPageSearch(t *testing.T) {
	var list strings.Builder
	list.WriteString("GET /users/{id} name=user\nDELETE /users/{id}\nExample.com/any\n")
	for i := range 600 {
		fmt.Fprintf(&list, "PUT /many/%d\n", i)
	}
	s := mustSite(t, list.String())
	for _, tt := range []struct {
		query, count string
		rows         int
		next         string
	}{
		{"", "603 routes", 250, "./?page=2"},
		{"?page=3", "603 routes", 103, ""},
		{"?page=99", "603 routes", 103, ""},
		{"?page=x", "603 routes", 250, "./?page=2"},
		{"?q=users", "2 of 603 routes", 2, ""},
		{"?q=+USERS++delete", "1 of 603 routes", 1, ""},
		{"?q=name%3Duser", "1 of 603 routes", 1, ""},
		{"?q=any+example", "1 of 603 routes", 1, ""},
		{"?q=put&page=2", "600 of 603 routes", 250, "./?page=3&amp;q=put"},
		{"?q=%3Cb%3E", "0 of 603 routes", 0, ""},
	} {
		body := ask(t, s, "GET", "/"+tt.query).Body.String()
		if rows := strings.Count(body, "<li>"); rows != tt.rows || !strings.Contains(body, ">"+tt.count+"<") {
			t.Errorf("%s: %d rows, want %d and %s", tt.query, rows, tt.rows, tt.count)
		}
		if got := strings.Contains(body, `id="next"`); got != (tt.next != "") || got && !strings.Contains(body, `id="next" href="`+tt.next+`"`) {
			t.Errorf("%s: want a link %q to the next page", tt.query, tt.next)
		}
		if none := strings.Contains(body, "No route matches the search."); none != (tt.rows == 0) {
			t.Errorf("%s: the notice that there is none is shown: %v", tt.query, none)
		}
	}
}

// The list and the explorer have the same title, the same heading and the same count,
// and lead to each other. The routes that serve adds itself are not counted.
func TestPagesAreOneProduct(t *testing.T) {
	const list = "GET /users/{id}\nPOST /users\n"
	parts := func(body string) string {
		var found []string
		for _, part := range []string{`<title>.*</title>`, `<h1>.*</h1>`, `data-part="count">[^<]*`, `<a href="[^"]*routes.json"`} {
			found = append(found, regexp.MustCompile(part).FindString(body))
		}
		return strings.NewReplacer("/_routes/routes", "routes", "./routes", "routes").Replace(strings.Join(found, "\n"))
	}
	s := mustSite(t, list)
	root, explored := ask(t, s, "GET", "/").Body.String(), ask(t, s, "GET", "/_routes/").Body.String()
	if a, b := parts(root), parts(explored); a != b || !strings.Contains(a, "2 routes") || !strings.Contains(a, "<title>routes.txt · muxwell<") {
		t.Errorf("the list has\n%s\nand the explorer\n%s", a, b)
	}
	for _, link := range []struct{ page, body, want string }{
		{"the list", root, `<span aria-current="page">List</span><a href="/_routes/">Explorer</a>`},
		{"the explorer", explored, `<a href="/">List</a><span aria-current="page">Explorer</span>`},
	} {
		if !strings.Contains(link.body, link.want) {
			t.Errorf("%s has not %s", link.page, link.want)
		}
	}
	for _, file := range []string{"", "?view=table", "routes.json", "openapi.json", "routes.md", "routes.dot"} {
		body := ask(t, s, "GET", "/_routes/"+file).Body.String()
		if strings.Contains(body, "/_routes") || strings.Contains(body, "site.go") {
			t.Errorf("/_routes/%s has the explorer's own route", file)
		}
	}
	if body := ask(t, mustSite(t, list+"GET /\n"), "GET", "/_routes/").Body.String(); strings.Contains(body, `aria-label="Pages"`) {
		t.Error("the explorer leads to a list that is not shown")
	}
}
