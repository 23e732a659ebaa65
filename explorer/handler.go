package explorer

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/internal/routepage"
)

// An Option sets a property of a [Handler]. The zero Option sets none.
type Option struct {
	apply func(*handler)
}

// Counts lets the page and routes.json show the statistics of an Observer. [Handler]
// panics if that observes another mux.
func Counts(o *Observer) Option {
	return Option{func(h *handler) { h.observer = o }}
}

// MetaKeys names the metadata to show: what [muxwell.Meta] attached to a route under
// one of the keys, as fmt.Sprint has it. Nothing else of it is shown.
func MetaKeys(keys ...string) Option {
	return Option{func(h *handler) { h.keys = append(h.keys, keys...) }}
}

// Title sets the title of the page and of the files, which is "Routes" without it.
func Title(title string) Option {
	return Option{func(h *handler) { h.title = title }}
}

// Hide leaves out the routes for which hidden returns true, such as the explorer's own,
// from the page, its counts and the files. An explanation of a request names them
// nevertheless: it reports what the mux does. Operations of a [Spec] are left out with
// the routes, as are those without a route that a hidden route could match, with any
// method. hidden may be called from several goroutines at once.
func Hide(hidden func(*muxwell.Route) bool) Option {
	return Option{func(h *handler) { h.hidden = append(h.hidden, hidden) }}
}

// Link adds a link to the header of the page, such as to the page that leads to the
// explorer. Links appear in the order of the options.
func Link(text, url string) Option {
	return Option{func(h *handler) { h.links = append(h.links, routepage.Link{Text: text, URL: url}) }}
}

// A handler is what Handler returns.
type handler struct {
	mux      *muxwell.Mux
	observer *Observer
	title    string
	keys     []string
	hidden   []func(*muxwell.Route) bool
	links    []routepage.Link
	spec     *specSource // nil without Spec
	readOnly bool
}

// hides reports whether a route is left out.
func (h *handler) hides(rt *muxwell.Route) bool {
	return slices.ContainsFunc(h.hidden, func(hidden func(*muxwell.Route) bool) bool { return hidden(rt) })
}

// Handler returns a handler that shows the current routes of mux, including those
// that [muxwell.Mux.Update] adds. The last segment of the path selects what it serves:
//
//	(none)         the page, which works without JavaScript
//	match          ?method=GET&url=/users/7: which route matches that request, as JSON
//	routes.json    the routes, with statistics if there are any
//	openapi.json   the document of Spec; without it a skeleton of an OpenAPI 3.1 description
//	operation      ?method=GET&path=/users/{id}: the page of an operation of Spec
//	routes.md      a Markdown table
//	routes.dot     the tree, for Graphviz
//
// All links are relative, so the handler works below any prefix, stripped or not: as
// Handle("GET /_routes/", h), Mount("/_routes", h), or behind [http.StripPrefix]. The
// prefix without a slash is redirected to the one with a slash. Methods other than
// GET and HEAD are answered with 405, queries of more than 32 KB with 414.
//
// The handler changes nothing and calls no other handler; "Try it" is a request of the
// page to the server, see [ReadOnly]. To explain a request it
// looks at every route and calls the functions of [muxwell.MatchFunc] and
// [muxwell.Constraint]. Put it behind a check of who asks: the package comment says
// why. Its answers are not cached, cannot be framed, and run no script but their own,
// whatever patterns and URLs contain.
func Handler(mux *muxwell.Mux, options ...Option) http.Handler {
	h := &handler{mux: mux, title: "Routes"}
	for _, o := range options {
		if o.apply != nil {
			o.apply(h)
		}
	}
	if h.observer != nil && h.observer.mux != mux {
		panic("explorer: Counts was given the Observer of another mux; give Handler and Observe the same")
	}
	return h
}

const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// maxQuery is the length of the longest query, which a page repeats in its links.
const maxQuery = 32 << 10

func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("Content-Security-Policy", policy)
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("Cross-Origin-Resource-Policy", "same-origin")
	header.Set("Cache-Control", "no-store")
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		header.Set("Allow", "GET, HEAD")
		http.Error(w, "the explorer is read-only; use GET", http.StatusMethodNotAllowed)
		return
	}
	if len(r.URL.RawQuery) > maxQuery {
		http.Error(w, "the query is longer than 32 KB", http.StatusRequestURITooLong)
		return
	}
	if target := slashless(r); target != "" {
		header.Set("Location", target)
		w.WriteHeader(http.StatusTemporaryRedirect)
		return
	}
	serve := files[r.URL.Path[strings.LastIndexByte(r.URL.Path, '/')+1:]]
	if serve == nil {
		http.Error(w, "the explorer has no such file", http.StatusNotFound)
		return
	}
	serve(h, w, r)
}

// slashless returns where a request for the prefix itself, without a final slash, is
// to go, relative to it, and "" for any other. It is a request for the path of the
// pattern that the handler was registered with, or one of which all was stripped;
// what the client sent is in the request's first line.
func slashless(r *http.Request) string {
	at := strings.IndexByte(r.Pattern, '/')
	registered := at >= 0 && r.Pattern[at:] == r.URL.Path && files[path.Base(r.URL.Path)] == nil
	sent, query, asks := strings.Cut(r.RequestURI, "?")
	if strings.HasSuffix(sent, "/") || sent == "" || r.URL.Path != "" && r.URL.Path != "/" && !registered {
		return ""
	}
	target := "./" + path.Base(sent) + "/"
	if asks {
		target += "?" + query
	}
	return target
}

//go:embed explorer.css
var styleText string

//go:embed explorer.js
var scriptText string

//go:embed operation.js
var operationScript string

// files are what there is, by name.
var files = map[string]func(*handler, http.ResponseWriter, *http.Request){
	"":             (*handler).servePage,
	"match":        (*handler).serveMatch,
	"routes.json":  ofView("application/json", routesJSON),
	"openapi.json": (*handler).serveOpenAPI,
	"operation":    (*handler).serveOperation,
	"routes.md":    ofView("text/markdown; charset=utf-8", markdown),
	"routes.dot":   ofView("text/vnd.graphviz; charset=utf-8", dot),
	"explorer.css": asset("text/css; charset=utf-8", routepage.Style+styleText),
	"operation.js": asset("text/javascript; charset=utf-8", operationScript),
	"explorer.js":  asset("text/javascript; charset=utf-8", routepage.Script+scriptText),
}

// ofView returns what serves a file that is made of the view.
func ofView(contentType string, file func(*view) []byte) func(*handler, http.ResponseWriter, *http.Request) {
	return func(h *handler, w http.ResponseWriter, r *http.Request) {
		send(w, r, http.StatusOK, contentType, file(h.view()))
	}
}

// asset returns what serves a file that changes with the program only: a client that
// has it is told so.
func asset(contentType, text string) func(*handler, http.ResponseWriter, *http.Request) {
	body := []byte(text)
	sum := sha256.Sum256(body)
	tag := `"` + base64.RawURLEncoding.EncodeToString(sum[:12]) + `"`
	return func(_ *handler, w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-cache")
		w.Header().Set("ETag", tag)
		w.Header().Set("Content-Type", contentType)
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(body))
	}
}

func (h *handler) servePage(w http.ResponseWriter, r *http.Request) {
	send(w, r, http.StatusOK, "text/html; charset=utf-8", h.page(r))
}

func (h *handler) serveOpenAPI(w http.ResponseWriter, r *http.Request) {
	v := h.view()
	if h.spec == nil {
		send(w, r, http.StatusOK, "application/json", openAPI(v))
		return
	}
	s, err := h.spec.at(v, v.version())
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	send(w, r, http.StatusOK, "application/json", s.text)
}

// serveMatch answers which route matches a request. An invalid request is a 400 with
// the reason.
func (h *handler) serveMatch(w http.ResponseWriter, r *http.Request) {
	method, target := asked(r)
	if !r.URL.Query().Has("url") {
		send(w, r, http.StatusBadRequest, "application/json", encodeJSON(faultJSON{"missing URL; write match?method=GET&url=/users/7"}))
		return
	}
	e, err := h.explain(method, target, r)
	if err != nil {
		send(w, r, http.StatusBadRequest, "application/json", encodeJSON(faultJSON{err.Error()}))
		return
	}
	send(w, r, http.StatusOK, "application/json", encodeJSON(e))
}

type faultJSON struct {
	Error string `json:"error"`
}

// asked returns the method and the URL that a request asks about.
func asked(r *http.Request) (method, target string) {
	q := r.URL.Query()
	if method = strings.TrimSpace(q.Get("method")); method == "" {
		method = http.MethodGet
	}
	return method, strings.TrimSpace(q.Get("url"))
}

func send(w http.ResponseWriter, r *http.Request, status int, contentType string, body []byte) {
	w.Header().Set("Content-Type", contentType)
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		w.Write(body)
	}
}
