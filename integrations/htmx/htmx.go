// Package htmx serves pages and the parts of them that htmx requests, with components of
// github.com/a-h/templ.
//
// A path has two routes. One is for htmx and answers with a fragment, the other answers
// with the whole page:
//
//	g := m.With(htmx.Vary)
//	g.Get("/items", htmx.List(items), htmx.Fragment())
//	g.Get("/items", htmx.Page(items))
//
// Notes:
//
//   - Without Vary, a cache or the Back button may show a fragment as a page.
//   - [muxwell.Headers] with "HX-Request" is not enough: htmx sends that header also for
//     links with hx-boost and for history that it no longer has, and needs the page then.
//   - The header is no authentication, since every client can send it. Both routes need
//     the same middleware.
//   - htmx does not show answers with 4xx and 5xx unless it is configured to. It follows a
//     redirect and swaps in what it finds; to leave the page, set HX-Redirect.
//   - A component is rendered to a buffer, so an error is a 500 and not half a page.
//     [templ.WithStreaming] sends it at once.
//   - With a Content-Security-Policy without 'unsafe-inline', set includeIndicatorStyles
//     to false and serve htmx.min.js yourself, for example with [muxwell.Mux.Files].
//
// The components are in pages.templ. After a change of it:
//
//	go generate ./htmx
package htmx

import (
	"net/http"

	"github.com/a-h/templ"
	"github.com/muxwell/muxwell"
)

//go:generate go run github.com/a-h/templ/cmd/templ@v0.3.977 generate -include-version=false -f pages.templ

// Fragment makes a route match only requests of htmx that need a part of a page.
func Fragment() muxwell.RouteOption {
	return muxwell.MatchFunc(func(r *http.Request) bool {
		return r.Header.Get("HX-Request") == "true" &&
			r.Header.Get("HX-Boosted") == "" && r.Header.Get("HX-History-Restore-Request") == ""
	})
}

// Vary is middleware that tells caches which headers decide between fragment and page.
func Vary(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Add("Vary", "HX-Request, HX-Boosted, HX-History-Restore-Request")
		next.ServeHTTP(w, r)
	})
}

// List returns a handler that answers with the list only.
func List(items func(*http.Request) []string) http.HandlerFunc { return render(list, items) }

// Page returns a handler that answers with the page that contains the list.
func Page(items func(*http.Request) []string) http.HandlerFunc { return render(page, items) }

func render(component func([]string) templ.Component, items func(*http.Request) []string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		templ.Handler(component(items(r))).ServeHTTP(w, r)
	}
}
