package muxwell

import (
	"net/http"
	"slices"

	"github.com/muxwell/muxwell/internal/refuse"
	"github.com/muxwell/muxwell/internal/routing"
)

// handlerOf returns the handler for an answer that the mux gives itself.
func (c *config) handlerOf(a routing.Answer) http.Handler {
	if a.Status == http.StatusNotFound && c.notFound != nil {
		return c.notFound
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { c.serve(w, r, &a) })
}

// serve writes an answer that the mux gives itself.
func (c *config) serve(w http.ResponseWriter, r *http.Request, a *routing.Answer) {
	switch a.Status {
	case http.StatusTemporaryRedirect:
		http.Redirect(w, r, a.Location, a.Status)
	case http.StatusNotFound:
		if c.notFound != nil {
			c.notFound.ServeHTTP(w, r)
			return
		}
		refuse.Write(w, a.Status, "404 page not found\n", "") // as http.NotFound writes it
	case http.StatusMethodNotAllowed:
		if c.methodNotAllowed == nil {
			refuse.Write(w, a.Status, "Method Not Allowed\n", a.Allow)
			return
		}
		w.Header().Set("Allow", a.Allow)
		c.methodNotAllowed.ServeHTTP(w, r)
	case http.StatusNoContent:
		w.Header().Set("Allow", a.Allow)
		if c.optionsHandler != nil {
			c.optionsHandler(w, r, slices.Clone(a.Allowed))
			return
		}
		w.WriteHeader(a.Status)
	default:
		refuse.Write(w, a.Status, http.StatusText(a.Status)+"\n", "")
	}
}
