// Code generated from ../oracle/handler.go by copymachine; DO NOT EDIT.

package v181

import (
	"context"
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"

	"github.com/muxwell/muxwell/gorilla/conformance/internal/program"
)

// A handler answers with what it sees of the request. The first of its three digits
// determines the status: 1 is 404, 2 is 405.
type handler struct {
	m  *Machine
	id int
}

// handler returns handler number id, or a nil interface.
func (m *Machine) handler(id int) http.Handler {
	if id == program.Nil {
		return nil
	}
	return &handler{m, id}
}

func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch h.id / 100 {
	case 1:
		w.WriteHeader(http.StatusNotFound)
	case 2:
		w.WriteHeader(http.StatusMethodNotAllowed)
	}
	route, router := currentRoute(r), "omitted"
	if !h.m.Old {
		router = h.m.number(currentRouter(r))
	}
	fmt.Fprintf(w, "handler=%d path=%q route=%s router=%s vars=%s",
		h.id, r.URL.Path, h.m.number(route), router, varsText(vars(r)))
	if route != nil {
		fmt.Fprintf(w, " name=%q", route.GetName())
		if h.m.deep {
			fmt.Fprint(w, "\n", h.m.getters(route))
		}
	}
}

// A layer is a middleware with the handler that it wraps. It records its number and what it
// sees of the request, and answers itself if the request demands it.
type layer struct {
	m    *Machine
	id   int
	next http.Handler
}

func (m *Machine) middleware(ids []int) []muxMiddlewareFunc {
	list := make([]muxMiddlewareFunc, len(ids))
	for i, id := range ids {
		list[i] = func(next http.Handler) http.Handler { return &layer{m, id, next} }
	}
	return list
}

func (l *layer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Add("X-Layer", fmt.Sprintf("%d route=%s vars=%s",
		l.id, l.m.number(currentRoute(r)), varsText(vars(r))))
	if r.Header.Get("X-Stop") != "" && l.id%2 == 0 {
		w.WriteHeader(http.StatusForbidden)
		return
	}
	switch l.id {
	case 3: // writes into the variables, if there are any: an empty map may be a new one
		if v := vars(r); len(v) > 0 {
			v["layer"] = "3"
		}
	case 5: // derives a context
		ctx, cancel := context.WithCancel(r.Context())
		defer cancel()
		r = r.WithContext(ctx)
	case 7: // changes the request
		r = r.Clone(r.Context())
		r.URL.Path, r.URL.RawQuery, r.Host = "/7", "k=changed", "changed.test"
	}
	l.next.ServeHTTP(w, r)
}

// chain returns a handler as text: the layers, then the handler of a program if it
// is one.
func (m *Machine) chain(h http.Handler) string {
	switch h := h.(type) {
	case nil:
		return "nil"
	case *layer:
		return fmt.Sprintf("%d(%s)", h.id, m.chain(h.next))
	case *handler:
		return fmt.Sprint("handler", h.id)
	case *muxRouter:
		return m.number(h)
	}
	return "other"
}

// response is the recorded part of a response. In the body of a redirect, LOCATION replaces
// the location.
func response(rec *httptest.ResponseRecorder) program.Seen {
	header := rec.Header()
	location := header.Get("Location")
	header.Del("Location")
	lines := make([]string, 0, len(header))
	for key, values := range header {
		lines = append(lines, key+": "+strings.Join(values, " | "))
	}
	slices.Sort(lines)
	body := rec.Body.String()
	if location != "" {
		body = strings.Replace(body, `"`+html.EscapeString(location)+`"`, `"LOCATION"`, 1)
	}
	seen := program.Seen{
		Code: rec.Code, Location: location, Header: strings.Join(lines, "\n"), Text: body,
	}
	if strings.Contains(body, "vars={\"") {
		seen.Vars = 1
	}
	return seen
}
