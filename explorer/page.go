package explorer

import (
	"bytes"
	_ "embed"
	"hash/fnv"
	"html/template"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/muxwell/muxwell/internal/routepage"
)

// The page is a function of its query, q for the search, view, under, sort and page
// for what is listed, method and url for the request to explain, so that all of it
// works by links and forms. The script asks for the same pages and puts their parts,
// the elements with data-part, in place of those it shows.

//go:embed page.html
var pageHTML string

var pageTemplate = routepage.Parse(pageHTML, template.FuncMap{"latency": latency, "requests": routepage.Number[uint64], "stats": statsText})

// How much a page lists besides the rows of the table: no more of a large mux is
// sent at once.
const (
	maxItems  = 500 // of the tree, nodes and routes
	maxOthers = 50  // of an explanation
)

// A pageData is what the page shows.
type pageData struct {
	Header  routepage.Header
	Version string // tells whether the routes are those of before
	Other   *Stats
	State   pageState

	Method, URL string
	Asked       bool
	Answer      *explanation
	Fault       string
	MoreOthers  int // that Answer has no more

	Tree    *treeItem
	Crumbs  []crumb
	Columns []column
	Rows    []*route
	Window  routepage.Window // of the rows

	SpecFault   string           // why there are no operations
	Shared      []string         // the middleware around all routes
	Without     []*specOperation // the first of those that have no route
	MoreWithout int
}

// page returns the page that a request asks for.
func (h *handler) page(r *http.Request) []byte {
	v := h.view()
	p := &pageData{Version: v.version(), Shared: v.Shared, Other: v.Other, State: newPageState(r.URL.Query())}
	p.explain(h, r)
	words := p.State.words()
	p.document(h, v, words)
	routes := slices.DeleteFunc(v.pointers(), func(r *route) bool { return !r.has(words) || !r.isBelow(p.State.Under) })
	p.Header = routepage.Header{Title: v.Title, Shown: len(routes), Total: len(v.Routes), Links: h.pages(), Files: "./", Live: v.Other != nil}
	p.Crumbs = p.State.crumbs(routes)
	if p.State.View == "table" {
		p.list(routes)
	} else {
		p.Tree = newTreeItem(routes, p.State)
	}
	var b bytes.Buffer
	if err := pageTemplate.Execute(&b, p); err != nil {
		panic(err) // the template does not fit the data
	}
	return b.Bytes()
}

// document sets the operations of the routes, and those that have none.
func (p *pageData) document(h *handler, v *view, words []string) {
	if h.spec == nil {
		return
	}
	s, err := h.spec.at(v, p.Version)
	if err != nil {
		p.SpecFault = err.Error()
		return
	}
	for i := range v.Routes {
		v.Routes[i].Operations = s.ofRoute[v.Routes[i].ID]
	}
	for _, op := range s.without {
		switch {
		case !op.has(words):
		case len(p.Without) < maxOthers:
			p.Without = append(p.Without, op)
		default:
			p.MoreWithout++
		}
	}
}

// pages returns the links between the pages that the explorer is one of.
func (h *handler) pages() []routepage.Link {
	if len(h.links) == 0 {
		return nil
	}
	return append(slices.Clone(h.links), routepage.Link{Text: "Explorer"})
}

// explain sets what the page says of the request that it was asked about, if any.
func (p *pageData) explain(h *handler, r *http.Request) {
	p.Method, p.URL = asked(r)
	if !r.URL.Query().Has("url") {
		return
	}
	p.Asked = true
	e, err := h.explain(p.Method, p.URL, r)
	if err != nil {
		p.Fault = err.Error()
		return
	}
	p.Answer, p.MoreOthers = e, max(0, len(e.Others)-maxOthers)
	e.Others = e.Others[:len(e.Others)-p.MoreOthers]
}

// A candidateTable is a table of routes that did not get a request.
type candidateTable struct {
	ID, Title string
	Rows      []candidate
}

// Candidates returns the tables of routes that match too, and of those that miss the
// request by one thing; neither if it is empty.
func (p *pageData) Candidates() []candidateTable {
	also := candidateTable{ID: "also-matches", Title: "Also matches"}
	nearly := candidateTable{ID: "nearly-matches", Title: "Nearly matches"}
	for _, c := range p.Answer.Others {
		if c.Matched {
			also.Rows = append(also.Rows, c)
		} else {
			nearly.Rows = append(nearly.Rows, c)
		}
	}
	return slices.DeleteFunc([]candidateTable{also, nearly}, func(t candidateTable) bool { return len(t.Rows) == 0 })
}

// version returns a text that is the same as long as the routes are.
func (v *view) version() string {
	h := fnv.New64a()
	for _, routes := range [][]route{v.Routes, v.hidden} {
		for i := range routes {
			r := &routes[i]
			for _, text := range append([]string{r.Pattern, r.Name}, r.Matchers...) {
				io.WriteString(h, text)
				h.Write([]byte{0xff})
			}
		}
		h.Write([]byte{0xfe})
	}
	return strconv.FormatUint(h.Sum64(), 36)
}

// has reports whether a route has all of the words, in lower case, somewhere in
// what is shown of it.
func (r *route) has(words []string) bool {
	if len(words) == 0 {
		return true
	}
	texts := []string{r.MethodText(), r.Pattern, r.Name, strings.Join(r.Matchers, " "), strings.Join(r.Middleware, " "), strings.Join(metaTexts(r), " "), r.Source}
	for _, op := range r.Operations {
		texts = append(texts, op.searchText())
	}
	text := strings.ToLower(strings.Join(texts, "\n"))
	for _, word := range words {
		if !strings.Contains(text, word) {
			return false
		}
	}
	return true
}

// A pageState is what the query says about the list.
type pageState struct {
	Query string // that is searched
	View  string // tree or table
	Under string // the branch that is shown, or ""
	Sort  string // a column's key, with '-' in front if the order is turned round
	Page  int    // from 1
	ask   url.Values
}

func newPageState(q url.Values) pageState {
	s := pageState{Query: q.Get("q"), View: "tree", Under: q.Get("under"), Sort: q.Get("sort"), ask: url.Values{}}
	if q.Get("view") == "table" {
		s.View = "table"
	}
	s.Page, _ = strconv.Atoi(q.Get("page"))
	for _, key := range []string{"method", "url"} {
		if q.Has(key) {
			s.ask.Set(key, q.Get(key))
		}
	}
	return s
}

// words returns the words to search for, in lower case, each once.
func (s pageState) words() []string {
	words := routepage.Words(s.Query)
	slices.Sort(words)
	return slices.Compact(words)
}

// A crumb is a link to a list around the one that is shown.
type crumb struct{ Label, Link string }

// crumbs returns the way to the branch that is shown, if that is not the whole tree.
func (s pageState) crumbs(routes []*route) []crumb {
	if s.Under == "" {
		return nil
	}
	top := s
	top.Under, top.Page = "", 0
	all := []crumb{{"All routes", top.Link()}}
	if len(routes) == 0 {
		return append(all, crumb{s.Under, ""})
	}
	prefix := ""
	for _, label := range routes[0].labels() {
		prefix += label
		at := s
		at.Under, at.Page = prefix, 0
		if prefix == s.Under {
			return append(all, crumb{label, ""})
		}
		all = append(all, crumb{label, at.Link()})
	}
	return all
}

// values returns the query that has the state.
func (s pageState) values() url.Values {
	q := url.Values{}
	for key, value := range map[string]string{"q": s.Query, "under": s.Under, "sort": s.Sort} {
		if value != "" {
			q.Set(key, value)
		}
	}
	if s.View != "tree" {
		q.Set("view", s.View)
	}
	if s.Page > 1 {
		q.Set("page", strconv.Itoa(s.Page))
	}
	for key := range s.ask {
		q.Set(key, s.ask.Get(key))
	}
	return q
}

// Link returns the link to a state.
func (s pageState) Link() string { return "./?" + s.values().Encode() }

// ViewLink returns the link to the same in another view.
func (s pageState) ViewLink(view string) string {
	s.View, s.Page = view, 0
	return s.Link()
}

// Hidden returns the parts of the state, by key, that a form must keep which sets
// those of the given keys.
func (s pageState) Hidden(keys ...string) []metaEntry {
	var hidden []metaEntry
	s.Page = 0
	q := s.values()
	for _, key := range []string{"method", "q", "sort", "under", "url", "view"} {
		if q.Has(key) && !slices.Contains(keys, key) {
			hidden = append(hidden, metaEntry{key, q.Get(key)})
		}
	}
	return hidden
}

// statsText returns statistics in words, as in "1 request · p50 213 µs · p99 213 µs".
// Latencies are left out if no request was timed.
func statsText(s *Stats) string {
	text := routepage.Plural(s.Requests, "request")
	if s.Timed > 0 {
		text += " · p50 " + latency(s.P50) + " · p99 " + latency(s.P99)
	}
	return text
}

// latency returns a duration with two digits or three, or "–" if it is 0.
func latency(d time.Duration) string {
	const almost = 9995 // of 10,000: what rounds to 1,000 is 1.0 of the next unit
	switch {
	case d == 0:
		return "–"
	case d < time.Microsecond:
		return strconv.Itoa(int(d)) + " ns"
	case d < time.Millisecond*almost/10_000:
		return digits(d, time.Microsecond) + " µs"
	case d < time.Second*almost/10_000:
		return digits(d, time.Millisecond) + " ms"
	}
	return digits(d, time.Second) + " s"
}

func digits(d, unit time.Duration) string {
	x := float64(d) / float64(unit)
	if x < 10 {
		return strconv.FormatFloat(x, 'f', 1, 64)
	}
	return strconv.FormatFloat(x, 'f', 0, 64)
}
