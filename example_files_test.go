package muxwell_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing/fstest"

	"github.com/muxwell/muxwell"
)

// site is used instead of os.DirFS("public"), or an embed.FS.
var site = fstest.MapFS{
	"index.html":   {Data: []byte("the page")},
	"css/site.css": {Data: []byte("body {}")},
	"js/app.js":    {Data: []byte("go()")},
}

func ExampleMux_Files() {
	m := muxwell.New()
	m.Files("/static/", site)

	fmt.Println(get(m, "GET", "/static/css/site.css"))
	fmt.Println(get(m, "POST", "/static/css/site.css"))
	fmt.Println(get(m, "GET", "/static/css%2Fsite.css")) // another spelling is no file
	// Output:
	// 200 body {}
	// 405 Allow: GET, HEAD Method Not Allowed
	// 404 404 page not found
}

// An application that routes in the browser has one page for all its paths,
// next to an API and the files that the page needs.
func ExampleFallbackPage() {
	m := muxwell.New()
	m.Get("/api/users/{id}", show("user", "id"))
	m.Files("/", site, muxwell.FallbackPage("index.html"))

	fmt.Println(get(m, "GET", "/api/users/42"))
	fmt.Println(get(m, "GET", "/users/42"))
	fmt.Println(get(m, "GET", "/js/app.js"))
	fmt.Println(get(m, "GET", "/js/gone.js")) // a script is not answered with a page
	// Output:
	// 200 user 42
	// 200 the page
	// 200 go()
	// 404 404 page not found
}

// With the pattern "/" the page also answers what no route of a group matches, outside of
// the group's middleware. A route of the group for what is left prevents that.
func ExampleFallbackPage_group() {
	guard := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Authorization") == "" {
				http.Error(w, "who are you?", http.StatusUnauthorized)
				return
			}
			next.ServeHTTP(w, r)
		})
	}
	m := muxwell.New()
	m.Route("/api", func(api *muxwell.Group) {
		api.Use(guard)
		api.Get("/users/{id}", show("user", "id"))
		api.Handle("/", http.NotFoundHandler())
	})
	m.Files("/", site, muxwell.FallbackPage("index.html"))

	fmt.Println(get(m, "GET", "/api/users/42"))
	fmt.Println(get(m, "GET", "/api/nope"))
	fmt.Println(get(m, "GET", "/users/42"))
	// Output:
	// 401 who are you?
	// 401 who are you?
	// 200 the page
}

func ExampleNoListing() {
	m := muxwell.New()
	m.Files("/static/", site, muxwell.NoListing())

	fmt.Println(get(m, "GET", "/static/css/"))
	fmt.Println(get(m, "GET", "/static/css/site.css"))
	// Output:
	// 404 404 page not found
	// 200 body {}
}

// The zero FilesOption sets nothing, so an option may depend on a setting.
func ExampleFilesOption() {
	var listing muxwell.FilesOption
	if production := true; production {
		listing = muxwell.NoListing()
	}
	m := muxwell.New()
	m.Files("/static/", site, listing)

	w := httptest.NewRecorder()
	m.ServeHTTP(w, httptest.NewRequest("HEAD", "/static/js/app.js", nil))
	fmt.Println(w.Code, w.Header().Get("Content-Length"))
	fmt.Println(get(m, "GET", "/static/js/"))
	// Output:
	// 200 4
	// 404 404 page not found
}
