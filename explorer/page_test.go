package explorer

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/internal/routepage"
)

var (
	rowPattern = regexp.MustCompile(`<td role="cell" data-label="Pattern"><code dir="ltr">(.*?)</code>`)
	tagPattern = regexp.MustCompile(`<[^>]*>`)
)

// rows returns the patterns of the table's rows without methods.
func rows(page string) []string {
	var all []string
	for _, match := range rowPattern.FindAllStringSubmatch(page, -1) {
		all = append(all, unescapeHTML(tagPattern.ReplaceAllString(match[1], "")))
	}
	return all
}

func TestTable(t *testing.T) {
	m := muxwell.New()
	for _, pattern := range []string{"GET /b", "POST /a", "GET example.com/c", "PUT /a"} {
		m.HandleFunc(pattern, nothing)
	}
	o := Observe(m)
	for range 3 {
		request(o, http.MethodGet, "/b")
	}
	request(o, http.MethodPost, "/a")
	h := Handler(m, Counts(o))
	for _, tt := range []struct{ query, want string }{
		{"", "/b /a example.com/c /a"},
		{"&sort=path", "/a /a /b example.com/c"},
		{"&sort=-path", "example.com/c /b /a /a"},
		{"&sort=methods", "/b example.com/c /a /a"},
		{"&sort=-requests", "/b /a example.com/c /a"},
		{"&sort=requests", "example.com/c /a /a /b"},
		{"&sort=-source", "/b /a example.com/c /a"},
		{"&sort=nothing", "/b /a example.com/c /a"},
		{"&q=get", "/b example.com/c"},
		{"&q=GET+exam", "example.com/c"},
		{"&q=nothing", ""},
		{"&under=/a", "/a /a"},
		{"&under=example.com", "example.com/c"},
		{"&under=example", ""},
		{"&page=7", "/b /a example.com/c /a"},
		{"&page=-1", "/b /a example.com/c /a"},
	} {
		page := request(h, http.MethodGet, "/?view=table"+tt.query).Body.String()
		if got := strings.Join(rows(page), " "); got != tt.want {
			t.Errorf("%s: rows %s, want %s", tt.query, got, tt.want)
		}
		if none := strings.Contains(page, "No route matches the search."); none != (tt.want == "") {
			t.Errorf("%s: the notice that there is none is shown: %v", tt.query, none)
		}
	}
	page := request(h, http.MethodGet, "/?view=table&sort=-requests&q=a").Body.String()
	for _, want := range []string{
		`aria-sort="descending"><a id="sort-requests" href="./?q=a&amp;sort=requests&amp;view=table">`,
		`aria-sort="none"><a id="sort-path" href="./?q=a&amp;sort=path&amp;view=table">`,
		`<input type="hidden" name="sort" value="-requests">`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has not %s", want)
		}
	}
}

func TestTree(t *testing.T) {
	m := muxwell.New()
	for _, pattern := range []string{"GET /users/{id}/posts", "GET /users", "GET /users/{id}", "GET /a/b/c", "GET x.example.com/{$}", "POST /users"} {
		m.HandleFunc(pattern, nothing)
	}
	var lines []string
	var walk func(n *node, depth int)
	walk = func(n *node, depth int) {
		lines = append(lines, fmt.Sprintf("%s%s %d/%d", strings.Repeat(".", depth), n.Label, len(n.Routes), n.Count))
		for _, child := range n.Children {
			walk(child, depth+1)
		}
	}
	walk(newTree((&handler{title: "t", mux: m}).view().pointers()), 0)
	want := " 0/6|./a/b/c 1/1|./users 2/4|../{id} 1/2|.../posts 1/1|.x.example.com/{$} 1/1"
	if got := strings.Join(lines, "|"); got != want {
		t.Errorf("tree %s, want %s", got, want)
	}
}

func TestSegments(t *testing.T) {
	for _, tt := range []struct{ path, want string }{
		{"/", "/"},
		{"/a/{b}/", "/a|/{b}|/"},
		{"/{x:[0-9]{2}}-{y}.z/{$}", "/{x:[0-9]{2}}-{y}.z|/{$}"},
		{"/a//b", "/a|/|/b"},
		{"//", "/|/"},
		{"/{p...}/raw/{f}", "/{p...}|/raw|/{f}"},
	} {
		got := segments(tt.path)
		if strings.Join(got, "|") != tt.want || strings.Join(got, "") != tt.path {
			t.Errorf("segments(%q) = %q, want %s", tt.path, got, tt.want)
		}
	}
}

// A page of a large mux is small.
func TestPageOfTenThousandRoutes(t *testing.T) {
	h := Handler(large(10_000))
	for _, query := range []string{"", "?view=table", "?view=table&sort=path&page=50", "?q=items", "?under=/service3", "?under=/service3/area2/{tenant}"} {
		page := request(h, http.MethodGet, "/"+query).Body.String()
		if len(page) > 256<<10 {
			t.Errorf("%s: the page has %d KB, want 256 at most", query, len(page)>>10)
		}
	}
	if got := rows(request(h, http.MethodGet, "/?view=table&page=50").Body.String()); len(got) != routepage.MaxRows || got[routepage.MaxRows-1] != "/service3/area0/{tenant}/items9999/{id}" {
		t.Errorf("the last page has %d rows to %q", len(got), got[len(got)-1])
	}
}

// So is one with many routes of one pattern.
func TestPageOfVariants(t *testing.T) {
	m := muxwell.New()
	for i := range 6000 {
		if _, err := m.Add(fmt.Sprintf("GET /path%d", i%10), http.HandlerFunc(nothing), muxwell.Headers("X-N", strconv.Itoa(i))); err != nil {
			t.Fatal(err)
		}
	}
	page := request(Handler(m), http.MethodGet, "/").Body.String()
	if len(page) > 256<<10 {
		t.Errorf("the page has %d KB, want 256 at most", len(page)>>10)
	}
	if !strings.Contains(page, `class="more"><a href="./?under=%2Fpath9&amp;view=table">599 more<`) {
		t.Error("no link to the routes of /path9 that were left out")
	}
}

// large returns a mux with as many routes.
func large(routes int) *muxwell.Mux {
	m := muxwell.New()
	for i := range routes {
		m.HandleFunc(fmt.Sprintf("GET /service%d/area%d/{tenant}/items%d/{id}", i%4, i%3, i), nothing)
	}
	return m
}

// The links for what the tree leaves out lead to all of it.
func TestTreeLeavesNothingOut(t *testing.T) {
	const routes = 5000 // 417 a branch
	if seen := crawl(t, Handler(large(routes))); seen != routes {
		t.Errorf("%d routes are reached by links from the tree, want %d", seen, routes)
	}
}

var moreLink = regexp.MustCompile(`(?:class="more"><a|id="next") href="\./([^"]*)"`)

// crawl follows the links from the tree to what it leaves out, and returns how many
// routes they lead to.
func crawl(t *testing.T, h http.Handler) int {
	t.Helper()
	seen, pages := map[string]bool{}, map[string]bool{}
	for queue := []string{""}; len(queue) > 0; queue = queue[1:] {
		if pages[queue[0]] {
			continue
		}
		pages[queue[0]] = true
		page := request(h, http.MethodGet, "/"+queue[0]).Body.String()
		for _, match := range regexp.MustCompile(`items[0-9]+`).FindAllString(tagPattern.ReplaceAllString(page, ""), -1) {
			seen[match] = true
		}
		for _, match := range moreLink.FindAllStringSubmatch(page, -1) {
			queue = append(queue, unescapeHTML(match[1]))
		}
		if len(pages) > 2000 {
			t.Fatal("the links do not end")
		}
	}
	return len(seen)
}

// What the page says of a request is there without JavaScript, and is text.
func TestPageExplains(t *testing.T) {
	m := shop(t)
	h := Handler(m)
	for _, tt := range []struct {
		query string
		has   []string
	}{
		{"method=GET&url=/users/7", []string{"<h3>Matched by</h3>", `<b data-method="GET">GET</b> </span> <code dir="ltr">/users/<wbr><var>{id:int}</var></code>`, "<h3 id=\"also-matches\">Also matches</h3>", "shop.txt:3", "<dt><code>id</code></dt><dd><code>&#34;7&#34;</code>", "constrained parameter beats parameter at segment 2"}},
		{"method=GET&url=/none", []string{"<h3>No route matches</h3>", "The answer is 404 Not Found."}},
		{"method=PUT&url=/users", []string{"405 Method Not Allowed", "the path allows GET, HEAD, POST"}},
		{"method=GET&url=users", []string{`class="fault"`, "neither a path nor an absolute URL"}},
		{"method=%3Cb%3E&url=/%22%3E%3Cimg+src=x%3E", []string{`class="fault"`, "&lt;b&gt;"}},
		{"method=GET&url=/files/%253Cimg%2520src=x%253E", []string{"&lt;img src=x&gt;"}},
	} {
		page := request(h, http.MethodGet, "/?"+tt.query).Body.String()
		for _, want := range tt.has {
			if !strings.Contains(page, want) {
				t.Errorf("%s: the page has not %q", tt.query, want)
			}
		}
		checkPage(t, page)
	}
}

// A search costs the same for each route, however often it says a word.
func TestWords(t *testing.T) {
	for query, want := range map[string]string{"": "[]", " \t": "[]", "users GET  Users": "[get users]", "é É": "[é]"} {
		if got := fmt.Sprint(pageState{Query: query}.words()); got != want {
			t.Errorf("%q: %s, want %s", query, got, want)
		}
	}
}

func TestNumbers(t *testing.T) {
	for n, want := range map[uint64]string{0: "0 requests", 1: "1 request", 1000: "1,000 requests", 1234567: "1,234,567 requests"} {
		if got := statsText(&Stats{Requests: n}); got != want {
			t.Errorf("%d requests: %s, want %s", n, got, want)
		}
	}
	var got []string
	for _, d := range []int64{0, 128, 1400, 23_000, 999_999, 4_200_000, 61_000_000_000} {
		got = append(got, latency(time.Duration(d)))
	}
	if want := []string{"–", "128 ns", "1.4 µs", "23 µs", "1.0 ms", "4.2 ms", "61 s"}; !slices.Equal(got, want) {
		t.Errorf("latencies %q, want %q", got, want)
	}
}

// A label of the tree is in its branch or with its only route, never in both.
func TestTreeRepeatsNoLabel(t *testing.T) {
	m := muxwell.New()
	for _, pattern := range []string{"GET /users", "POST /users", "GET /users/{id}", "DELETE /users/{id}", "GET /users/{id}/posts", "GET /docs/{$}", "PUT /docs/{page}", "PATCH /docs/{page}"} {
		m.HandleFunc(pattern, nothing)
	}
	page := request(Handler(m), http.MethodGet, "/").Body.String()
	var lines []string
	for _, line := range regexp.MustCompile(`(?s)<summary>.*?</summary>|<li class="route">.*?</li>`).FindAllString(page, -1) {
		line = regexp.MustCompile(`<span class="source">.*`).ReplaceAllString(line, "")
		lines = append(lines, strings.Join(strings.Fields(tagPattern.ReplaceAllString(line, " ")), ""))
	}
	want := "/docs3routes|GET/{$}|/{page}2routes|PUT|PATCH|/users5routes|GET|POST|/{id}3routes|GET|DELETE|GET/posts"
	if got := strings.Join(lines, "|"); got != want {
		t.Errorf("the tree is\n%s, want\n%s", got, want)
	}
	if strings.Contains(page, "<var>{$}</var>") {
		t.Error("{$} is shown as a parameter")
	}
}

// Statistics are words with a singular, and digits in groups.
func TestStatsText(t *testing.T) {
	for _, tt := range []struct {
		stats Stats
		want  string
	}{
		{Stats{}, "0 requests"},
		{Stats{Requests: 1, Timed: 1, P50: 213 * time.Microsecond, P99: 213 * time.Microsecond}, "1 request · p50 213 µs · p99 213 µs"},
		{Stats{Requests: 12345, Timed: 3, P50: 900, P99: 1500 * time.Microsecond}, "12,345 requests · p50 900 ns · p99 1.5 ms"},
		{Stats{Requests: 2}, "2 requests"},
	} {
		if got := statsText(&tt.stats); got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.stats, got, tt.want)
		}
	}
}

// What an answer does not name is not spoken of, and routes that match are apart from
// those that nearly do.
func TestAnswerTables(t *testing.T) {
	m := muxwell.New()
	for _, pattern := range []string{"GET /users/{id:int}", "GET /users/{name}", "POST /users/{id:int}", "GET /elsewhere"} {
		m.HandleFunc(pattern, nothing)
	}
	answer := func(url string) string {
		page := request(Handler(m), http.MethodGet, "/?method=GET&url="+url).Body.String()
		_, card, _ := strings.Cut(page, `<div class="card">`)
		card, _, _ = strings.Cut(card, "</div>\n</section>")
		return card
	}
	headings := func(card string) string {
		var all []string
		for _, m := range regexp.MustCompile(`<h3[^>]*>(.*?)</h3>|<td role="cell" data-label="Route">(.*?)</td>`).FindAllStringSubmatch(card, -1) {
			all = append(all, strings.Join(strings.Fields(tagPattern.ReplaceAllString(m[1]+m[2], "")), " "))
		}
		return strings.Join(all, "|")
	}
	for url, want := range map[string]string{
		"/users/7":   "Matched by|Also matches|GET /users/{name}|Nearly matches|POST /users/{id:int}",
		"/elsewhere": "Matched by",
		"/none":      "No route matches",
	} {
		card := answer(url)
		if got := headings(card); got != want {
			t.Errorf("%s: headings and routes %s, want %s", url, got, want)
		}
		if strings.Contains(card, "not named") || strings.Contains(card, "one thing") {
			t.Errorf("%s: the answer speaks of what it does not list: %s", url, card)
		}
	}
}

// Hidden routes are in no list and in no count, but explanations name them. Links are
// in the header, in their order.
func TestHideAndLink(t *testing.T) {
	m := shop(t)
	m.HandleFunc("GET /internal/{x}", nothing)
	h := Handler(m, Hide(func(rt *muxwell.Route) bool { return strings.HasPrefix(rt.Path(), "/internal") }),
		Link("Home", "/"), Link("<b>", "javascript:alert(1)"))
	all := 0
	for range m.Routes() {
		all++
	}
	for _, file := range []string{"", "?view=table", "?q=internal", "routes.json", "openapi.json", "routes.md", "routes.dot"} {
		if body := request(h, http.MethodGet, "/"+file).Body.String(); strings.Contains(body, "/internal") {
			t.Errorf("/%s has a hidden route", file)
		}
	}
	page := request(h, http.MethodGet, "/").Body.String()
	for _, want := range []string{
		fmt.Sprintf(`data-part="count">%d routes<`, all-1),
		`<nav class="switch" aria-label="Pages"><a href="/">Home</a><a href="#ZgotmplZ">&lt;b&gt;</a><span aria-current="page">Explorer</span></nav>`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has not %s", want)
		}
	}
	if body := request(h, http.MethodGet, "/match?url=/internal/7").Body.String(); !strings.Contains(body, `"pattern": "GET /internal/{x}"`) {
		t.Errorf("the explanation does not name the route that matches: %s", body)
	}
}
