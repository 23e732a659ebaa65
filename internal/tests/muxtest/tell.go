package muxtest

import (
	"fmt"
	"net/http"
	"strings"
)

// TellValues registers a handler that answers with the values of the pattern's
// parameters.
func TellValues[R interface{ ParamNames() []string }, O any](m interface {
	Add(pattern string, handler http.Handler, options ...O) (R, error)
}, pattern string,
) error {
	var rt R
	rt, err := m.Add(pattern, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		for _, name := range rt.ParamNames() {
			fmt.Fprintf(w, " %s=%s", name, r.PathValue(name))
		}
	}))
	return err
}

// TellAll answers with the values that the pattern in the outermost mux has.
func TellAll(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/plain")
	for name := range strings.SplitSeq("t tenant x y p id h", " ") {
		if v := r.PathValue(name); v != "" {
			fmt.Fprintf(w, " %s=%s", name, v)
		}
	}
}
