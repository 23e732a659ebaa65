package muxwell

import (
	"net/http"
	"slices"

	"github.com/muxwell/muxwell/internal/refuse"
	"github.com/muxwell/muxwell/internal/routing"
)

// handlerOf returns the handler for an answer that the mux gives itself.
func (c *config) handlerOf(a routing.Answer, s *snapshot) http.Handler {
	if a.Status == http.StatusNotFound && c.notFound != nil {
		return c.notFound
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { c.serve(w, r, &a, s) })
}

// serve writes an answer that the mux gives itself, as resolved by s.
func (c *config) serve(w http.ResponseWriter, r *http.Request, a *routing.Answer, s *snapshot) {
	switch {
	case a.Status == http.StatusTemporaryRedirect:
		http.Redirect(w, r, a.Location, a.Status)
	case a.Status == http.StatusNoContent:
		w.Header().Set("Allow", a.Allow)
		if c.optionsHandler != nil {
			c.optionsHandler(w, r, slices.Clone(a.Allowed))
			return
		}
		w.WriteHeader(a.Status)
	case a.Status == http.StatusNotFound && c.notFound != nil:
		c.notFound.ServeHTTP(w, r)
	case a.Status == http.StatusMethodNotAllowed && c.methodNotAllowed != nil:
		w.Header().Set("Allow", a.Allow)
		c.methodNotAllowed.ServeHTTP(w, r)
	case c.errors != nil:
		c.errors.refuse(w, r, *a, s)
	case a.Status == http.StatusNotFound:
		refuse.Write(w, a.Status, "404 page not found\n", "") // as http.NotFound writes it
	case a.Status == http.StatusMethodNotAllowed:
		refuse.Write(w, a.Status, "Method Not Allowed\n", a.Allow)
	default:
		refuse.Write(w, a.Status, http.StatusText(a.Status)+"\n", "")
	}
}
