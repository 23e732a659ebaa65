package docs

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/internal/routelist"
)

// A table of examples has a column "request", and routes, as lines of a list, in the
// column "pattern" or "patterns". What else it has is what happens:
//
//	values       of the parameters, or that nothing matches
//	wins         of the routes, all of which match; "because" is the rule that decides
//	matched by   of the routes, of which some do not match
//	answer       of the mux: the status, and headers
//
// The column "options" has options of the mux.

// muxOptions are what tables say of a mux.
var muxOptions = map[string]muxwell.Option{
	"TrailingSlash(SlashStrict)": muxwell.TrailingSlash(muxwell.SlashStrict),
	"TrailingSlash(SlashIgnore)": muxwell.TrailingSlash(muxwell.SlashIgnore),
	"UncleanPath(PathStrict)":    muxwell.UncleanPath(muxwell.PathStrict),
	"UncleanPath(PathServe)":     muxwell.UncleanPath(muxwell.PathServe),
	"CaseInsensitive()":          muxwell.CaseInsensitive(),
	"AutoOptions()":              muxwell.AutoOptions(),
	"StrictConflicts()":          muxwell.StrictConflicts(),
}

// TestExamples: each row of a table of examples is so.
func TestExamples(t *testing.T) {
	rows := 0
	for _, p := range guides(t) {
		for _, r := range rowsOf(p, "request") {
			if e, ok := newExample(t, r); ok {
				rows++
				for _, fault := range e.faults() {
					t.Errorf("%s:%d: %s", r.page, r.line, fault)
				}
			}
		}
	}
	if rows < 60 {
		t.Errorf("%d rows with examples found, want 60 at least", rows)
	}
}

// An example is a row of a table, with its mux and its request.
type example struct {
	row     row
	lines   []string
	mux     *muxwell.Mux
	routes  []*muxwell.Route // of lines
	request *http.Request
	values  []string // NAME=VALUE, as the handler found them
}

var requestCell = regexp.MustCompile("^`(\\S+) (\\S+)`(?: of `(\\S+)`)?(?: with `(\\S+): ([^`]+)`)?$")

// newExample returns the example of a row, and whether it is one.
func newExample(t *testing.T, r row) (e *example, ok bool) {
	t.Helper()
	lines := codeSpans(r.cells["pattern"] + r.cells["patterns"])
	if lines == nil {
		return nil, false
	}
	parts := requestCell.FindStringSubmatch(r.cells["request"])
	if parts == nil {
		t.Errorf("%s:%d: the request is not written `METHOD TARGET` of `HOST` with `NAME: VALUE`", r.page, r.line)
		return nil, false
	}
	var options []muxwell.Option
	for _, text := range codeSpans(r.cells["options"]) {
		option, ok := muxOptions[text]
		if !ok {
			t.Errorf("%s:%d: the option %s is not in muxOptions", r.page, r.line, text)
		}
		options = append(options, option)
	}
	e = &example{row: r, lines: lines, mux: muxwell.New(options...)}
	e.request = httptest.NewRequest(parts[1], parts[2], nil)
	if parts[3] != "" {
		e.request.Host = parts[3]
	}
	if parts[4] != "" {
		e.request.Header.Set(parts[4], parts[5])
	}
	list := strings.NewReader(strings.Join(lines, "\n"))
	err := routelist.Load(e.mux, r.page, list, func(routelist.Entry) http.Handler { return http.HandlerFunc(e.serve) })
	if err != nil {
		t.Errorf("%s:%d: %v", r.page, r.line, err)
		return nil, false
	}
	e.routes = slices.Collect(e.mux.Routes())
	return e, true
}

// serve notes the values of the request's parameters.
func (e *example) serve(w http.ResponseWriter, r *http.Request) {
	for _, name := range e.mux.RouteOf(r).ParamNames() {
		e.values = append(e.values, name+"="+r.PathValue(name))
	}
	io.WriteString(w, "ok")
}

// faults says what a row has that is not so.
func (e *example) faults() []string {
	explained := e.mux.Explain(e.request)
	w := httptest.NewRecorder()
	e.mux.ServeHTTP(w, e.request)
	var faults []string
	check := func(column, want, got string) {
		if want != got {
			faults = append(faults, fmt.Sprintf("%q: the row has %s, got %s\n%v", column, want, got, explained))
		}
	}
	for column, cell := range e.row.cells {
		switch column {
		case "values":
			check(column, cell, e.valuesCell(w))
		case "answer":
			check(column, strings.Join(codeSpans(cell), " "), answer(w))
		case "wins", "matched by":
			check(column, cell, e.nameOf(explained.Route))
		case "because":
			check(column, cell, why(explained))
		}
	}
	return faults
}

// why returns the rule by which the first of several routes that match wins.
func why(e *muxwell.Explanation) string {
	if len(e.Others) == 0 || !e.Others[0].Matched {
		return "no other route matches"
	}
	return e.Others[0].Reason
}

// nameOf returns a route as the cells have it.
func (e *example) nameOf(rt *muxwell.Route) string {
	if i := slices.Index(e.routes, rt); i >= 0 {
		return "`" + e.lines[i] + "`"
	}
	return "none"
}

// valuesCell returns what a handler found, as the cells have it.
func (e *example) valuesCell(w *httptest.ResponseRecorder) string {
	switch {
	case w.Code != http.StatusOK:
		return "no match"
	case len(e.values) == 0:
		return "none"
	}
	return "`" + strings.Join(e.values, "`, `") + "`"
}

// answer returns an answer as the cells have it.
func answer(w *httptest.ResponseRecorder) string {
	text := fmt.Sprint(w.Code)
	for _, name := range []string{"Location", "Allow"} {
		if value := w.Header().Get(name); value != "" {
			text += " " + name + ": " + value
		}
	}
	return text
}
