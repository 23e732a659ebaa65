package main

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/muxwell/muxwell/internal/routelist"
	"github.com/muxwell/muxwell/internal/routepage"
)

//go:embed page.html
var pageHTML string

//go:embed page.css
var pageCSS string

var (
	pageTemplate = routepage.Parse(pageHTML, nil)
	pageStyle    = routepage.Style + pageCSS

	// pagePolicy lets the page use its own style and script, known by their hashes,
	// and load itself for another search. What a pattern holds can do nothing.
	pagePolicy = fmt.Sprintf("default-src 'none'; style-src '%s'; script-src '%s'; img-src data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
		hashSource(pageStyle), hashSource(routepage.Script))
)

const htmlType = "text/html"

// hashSource returns the CSP source of an inline element with the given text.
func hashSource(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// An index shows a list of routes, as JSON or as a page. The page is a function of its
// query, q for the search and page for what is listed of the result, so that it works
// by links and a form.
type index struct {
	list listJSON
	json []byte
	rows []string // what a search looks at, in lower case, by route
}

// listJSON is the list as JSON.
type listJSON struct {
	List     string      `json:"list"`
	Explorer string      `json:"explorer,omitempty"` // where the list is explored
	Routes   []routeJSON `json:"routes"`
}

// routeJSON is a route of the list. Without methods it matches any, without a host
// all; the example is a path that a GET request reaches it with. Options are as the
// list has them.
type routeJSON struct {
	Line    int      `json:"line"`
	Pattern string   `json:"pattern"`
	Methods []string `json:"methods"`
	Host    string   `json:"host"`
	Path    string   `json:"path"`
	Params  []string `json:"params"`
	Options []string `json:"options"`
	Example string   `json:"example,omitempty"`
}

// searchText returns what a search looks at.
func (r routeJSON) searchText() string {
	methods := strings.Join(r.Methods, " ")
	if methods == "" {
		methods = "ANY"
	}
	return strings.ToLower(methods + " " + r.Host + r.Path + " " + strings.Join(r.Options, " "))
}

// newIndex returns the index of the site's list.
func newIndex(s *site) *index {
	ix := &index{list: listJSON{List: s.name}}
	if s.explored {
		ix.list.Explorer = explorerPath
	}
	for _, rt := range s.routes {
		entry, _ := routelist.EntryOf(rt)
		r := routeJSON{
			Line:    entry.Line,
			Pattern: rt.Pattern(),
			Methods: append([]string{}, rt.Methods()...),
			Host:    rt.Host(),
			Path:    rt.Path(),
			Params:  append([]string{}, rt.ParamNames()...),
			Options: append([]string{}, optionTexts(entry)...),
			Example: s.example(rt),
		}
		ix.list.Routes, ix.rows = append(ix.list.Routes, r), append(ix.rows, r.searchText())
	}
	ix.json = encodeJSON(ix.list)
	return ix
}

// A listPage is what the page shows.
type listPage struct {
	Header routepage.Header
	Query  string
	Rows   []routeJSON
	Window routepage.Window // of the rows
	Style  template.CSS
	Script template.JS
}

// Several reports whether a row has more than one method.
func (p listPage) Several() bool {
	return slices.ContainsFunc(p.Rows, func(r routeJSON) bool { return len(r.Methods) > 1 })
}

// page returns the page that a query asks for.
func (ix *index) page(query url.Values) []byte {
	p := listPage{Query: query.Get("q"), Style: template.CSS(pageStyle), Script: template.JS(routepage.Script)}
	found := ix.search(routepage.Words(p.Query))
	number, _ := strconv.Atoi(query.Get("page"))
	p.Window = routepage.NewWindow(len(found), number, func(page int) string {
		q := url.Values{"page": {strconv.Itoa(page)}}
		if p.Query != "" {
			q.Set("q", p.Query)
		}
		return "./?" + q.Encode()
	})
	p.Rows = found[p.Window.First-1 : p.Window.Last]
	p.Header = routepage.Header{Title: ix.list.List, Shown: len(found), Total: len(ix.list.Routes)}
	if ix.list.Explorer != "" {
		p.Header.Links = []routepage.Link{{Text: listLink}, {Text: "Explorer", URL: ix.list.Explorer}}
		p.Header.Files = ix.list.Explorer
	}
	var b bytes.Buffer
	if err := pageTemplate.Execute(&b, p); err != nil {
		panic(err) // the template does not fit the data
	}
	return b.Bytes()
}

// search returns the routes that have all of the words.
func (ix *index) search(words []string) []routeJSON {
	if len(words) == 0 {
		return ix.list.Routes
	}
	var found []routeJSON
rows:
	for i, text := range ix.rows {
		for _, word := range words {
			if !strings.Contains(text, word) {
				continue rows
			}
		}
		found = append(found, ix.list.Routes[i])
	}
	return found
}

func (ix *index) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Vary", "Accept")
	h.Set("X-Content-Type-Options", "nosniff")
	body := ix.json
	if negotiate(r.Header.Values("Accept"), htmlType, jsonType) == jsonType {
		h.Set("Content-Type", jsonType)
	} else {
		body = ix.page(r.URL.Query())
		h.Set("Content-Type", htmlType+"; charset=utf-8")
		h.Set("Content-Security-Policy", pagePolicy)
		h.Set("Referrer-Policy", "no-referrer")
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.Write(body)
}
