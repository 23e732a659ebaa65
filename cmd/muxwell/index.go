package main

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"net/http"
	"strconv"

	"github.com/muxwell/muxwell/internal/routelist"
)

//go:embed page.html
var pageHTML string

//go:embed page.css
var pageCSS string

//go:embed page.js
var pageJS string

var (
	pageTemplate = template.Must(template.New("page").Parse(pageHTML))

	// pagePolicy lets the page use its own style and script, known by their
	// hashes, and nothing else: what a pattern holds can do nothing.
	pagePolicy = fmt.Sprintf("default-src 'none'; style-src '%s'; script-src '%s'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
		hashSource(pageCSS), hashSource(pageJS))
)

const htmlType = "text/html"

// hashSource returns the CSP source of an inline element with the given text.
func hashSource(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// An index shows a list of routes, as a page or as JSON. It never changes, so
// both are made once.
type index struct {
	html, json []byte
}

// listJSON is the list as JSON.
type listJSON struct {
	List     string      `json:"list"`
	Explorer string      `json:"explorer,omitempty"` // where the list is explored
	Routes   []routeJSON `json:"routes"`
}

// routeJSON is a route of the list. Without methods it takes any, without a
// host all; the example is a path that a GET request reaches it with. Options are
// as the list has them.
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

// HostPieces returns the host split for display.
func (r routeJSON) HostPieces() []routelist.Piece { return routelist.Pieces(r.Host) }

// PathPieces returns the path split for display.
func (r routeJSON) PathPieces() []routelist.Piece { return routelist.Pieces(r.Path) }

// newIndex returns the index of the site's list.
func newIndex(s *site) *index {
	list := listJSON{List: s.name}
	if s.explored {
		list.Explorer = explorerPath
	}
	for _, rt := range s.routes {
		entry, _ := routelist.EntryOf(rt)
		list.Routes = append(list.Routes, routeJSON{
			Line:    entry.Line,
			Pattern: rt.Pattern(),
			Methods: append([]string{}, rt.Methods()...),
			Host:    rt.Host(),
			Path:    rt.Path(),
			Params:  append([]string{}, rt.ParamNames()...),
			Options: append([]string{}, optionTexts(entry)...),
			Example: s.example(rt),
		})
	}
	return &index{html: renderPage(list), json: encodeJSON(list)}
}

// renderPage returns the page of a list. It panics if the template does not fit
// the data.
func renderPage(list listJSON) []byte {
	var b bytes.Buffer
	err := pageTemplate.Execute(&b, struct {
		listJSON
		Style  template.CSS
		Script template.JS
	}{list, template.CSS(pageCSS), template.JS(pageJS)})
	if err != nil {
		panic(err)
	}
	return b.Bytes()
}

func (ix *index) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Vary", "Accept")
	h.Set("X-Content-Type-Options", "nosniff")
	body := ix.html
	if negotiate(r.Header.Values("Accept"), htmlType, jsonType) == jsonType {
		body = ix.json
		h.Set("Content-Type", jsonType)
	} else {
		h.Set("Content-Type", htmlType+"; charset=utf-8")
		h.Set("Content-Security-Policy", pagePolicy)
		h.Set("Referrer-Policy", "no-referrer")
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.Write(body)
}
