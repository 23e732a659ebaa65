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

// With the pattern "/" the page would also be the answer to what no route of a group
// matches, outside of the group's middleware. It is not for the group's prefix here.
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
	})
	m.Files("/", site, muxwell.FallbackPage("index.html", "api"))

	fmt.Println(get(m, "GET", "/api/users/42"))
	fmt.Println(get(m, "GET", "/api/nope"))
	fmt.Println(get(m, "GET", "/users/42"))
	// Output:
	// 401 who are you?
	// 401 who are you?
	// 200 the page
}

// built is used instead of the directory that a build writes: names with hashes, and
// precompressed files.
var built = fstest.MapFS{
	"index.html":             {Data: []byte("the page")},
	"assets/app-B3x9.js":     {Data: []byte("go() // a long script")},
	"assets/app-B3x9.js.gz":  {Data: []byte("a gzip file")},
	"assets/app-B3x9.js.zst": {Data: []byte("a zstd file, which is longer")},
	"docs/manual.html":       {Data: []byte("the manual")},
}

// showHeaders prints the status of an answer and some of its headers.
func showHeaders(h http.Handler, target, acceptEncoding string, names ...string) {
	w, r := httptest.NewRecorder(), httptest.NewRequest("GET", target, nil)
	r.Header.Set("Accept-Encoding", acceptEncoding)
	h.ServeHTTP(w, r)
	fmt.Print(w.Code)
	for _, name := range names {
		fmt.Printf(" %s: %s;", name, w.Header().Get(name))
	}
	fmt.Println()
}

func ExampleImmutable() {
	m := muxwell.New()
	m.Files("/", built, muxwell.FallbackPage("index.html"), muxwell.Immutable("assets/*-*.js"))

	showHeaders(m, "/assets/app-B3x9.js", "", "Cache-Control")
	showHeaders(m, "/users/42", "", "Cache-Control") // the page
	// Output:
	// 200 Cache-Control: public, max-age=31536000, immutable;
	// 200 Cache-Control: no-cache;
}

func ExampleCacheControl() {
	m := muxwell.New()
	m.Files("/", built, muxwell.CacheControl("*.html", "no-cache"), muxwell.CacheControl("docs/*.html", "max-age=300"))

	showHeaders(m, "/", "", "Cache-Control")
	showHeaders(m, "/docs/manual.html", "", "Cache-Control")
	// Output:
	// 200 Cache-Control: no-cache;
	// 200 Cache-Control: max-age=300;
}

func ExamplePrecompressed() {
	m := muxwell.New()
	m.Files("/", built, muxwell.Precompressed())

	showHeaders(m, "/assets/app-B3x9.js", "gzip, deflate, br, zstd", "Content-Encoding", "Content-Type", "Vary")
	showHeaders(m, "/assets/app-B3x9.js", "zstd, gzip;q=0.5", "Content-Encoding", "Content-Length")
	showHeaders(m, "/assets/app-B3x9.js", "identity", "Content-Encoding", "ETag")
	// Output:
	// 200 Content-Encoding: gzip; Content-Type: text/javascript; charset=utf-8; Vary: Accept-Encoding;
	// 200 Content-Encoding: zstd; Content-Length: 28;
	// 200 Content-Encoding: ; ETag: "sha256:vn4A9OkMvX1IlIS+QNILwg==";
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
