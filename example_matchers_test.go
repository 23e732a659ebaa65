package muxwell_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"

	"github.com/muxwell/muxwell"
)

// getWith returns the answer to a GET request that has headers, which are names
// and values in turn.
func getWith(m *muxwell.Mux, url string, headers ...string) string {
	r := httptest.NewRequest("GET", url, nil)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Add(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	m.ServeHTTP(w, r)
	return fmt.Sprint(w.Code, " ", strings.TrimSpace(w.Body.String()))
}

// Of routes with the same pattern those with matchers are tried in the order of
// registration, and the one without last.
func ExampleHeaders() {
	m := muxwell.New()
	m.Get("/search", show("new search"), muxwell.Headers("X-Beta", "1"))
	m.Get("/search", show("search"))

	fmt.Println(getWith(m, "/search", "X-Beta", "1"))
	fmt.Println(getWith(m, "/search", "X-Beta", "0"))
	fmt.Println(getWith(m, "/search"))
	// Output:
	// 200 new search
	// 200 search
	// 200 search
}

// An expression is for the whole of a line.
func ExampleHeadersRegexp() {
	m := muxwell.New()
	m.Get("/", show("a version from 2 to 9"), muxwell.HeadersRegexp("X-Version", "v[2-9]"))
	m.Get("/", show("another version"))

	fmt.Println(getWith(m, "/", "X-Version", "v2"))
	fmt.Println(getWith(m, "/", "X-Version", "v20"))
	// Output:
	// 200 a version from 2 to 9
	// 200 another version
}

// The values of a query are parameters like those of the path.
func ExampleQueries() {
	m := muxwell.New()
	search := func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "%s, page %s", r.PathValue("q"), r.PathValue("page"))
	}
	m.Get("/search", search, muxwell.Queries("q", "{q}", "page", "{page:uint}"))
	m.Get("/search", show("the form"))

	fmt.Println(getWith(m, "/search?page=2&q=go+router"))
	fmt.Println(getWith(m, "/search?page=two&q=go"))
	// Output:
	// 200 go router, page 2
	// 200 the form
}

func ExampleSchemes() {
	m := muxwell.New()
	m.Get("/login", show("the form"), muxwell.Schemes("https"))

	fmt.Println(getWith(m, "https://example.com/login"))
	fmt.Println(getWith(m, "http://example.com/login"))
	// Output:
	// 200 the form
	// 404 404 page not found
}

// A vendor's type without a format is a version of the API in all formats.
func ExampleAccept() {
	m := muxwell.New()
	m.Get("/hello", show("hello, version 2"), muxwell.Accept("application/vnd.acme.v2"))
	m.Get("/hello", show("hello"), muxwell.Accept("application/vnd.acme.v1", "application/json"))

	fmt.Println(getWith(m, "/hello", "Accept", "application/vnd.acme.v2+json"))
	fmt.Println(getWith(m, "/hello", "Accept", "text/html, application/json;q=0.9"))
	fmt.Println(getWith(m, "/hello", "Accept", "text/html")[:3])
	// Output:
	// 200 hello, version 2
	// 200 hello
	// 406
}

func ExampleContentType() {
	m := muxwell.New()
	m.Post("/notes", show("a note"), muxwell.ContentType("application/json", "text/*"))

	for _, contentType := range []string{"application/json; charset=utf-8", "text/markdown", "image/png"} {
		r := httptest.NewRequest("POST", "/notes", strings.NewReader("…"))
		r.Header.Set("Content-Type", contentType)
		w := httptest.NewRecorder()
		m.ServeHTTP(w, r)
		fmt.Println(w.Code)
	}
	// Output:
	// 200
	// 200
	// 415
}

// The admin's page is for one network; requests come through a proxy in another.
func ExampleClientIP() {
	office := netip.MustParsePrefix("203.0.113.0/24")
	proxy := netip.MustParsePrefix("192.0.2.0/24") // where httptest's requests come from
	m := muxwell.New()
	m.Get("/admin", show("welcome"), muxwell.ClientIP([]netip.Prefix{office}, proxy))

	fmt.Println(getWith(m, "/admin", "X-Forwarded-For", "203.0.113.7"))
	fmt.Println(getWith(m, "/admin", "X-Forwarded-For", "203.0.113.7, 198.51.100.1")) // who came so says the former
	fmt.Println(getWith(m, "/admin"))
	// Output:
	// 200 welcome
	// 404 404 page not found
	// 404 404 page not found
}

func ExampleTrustedProxies() {
	m := muxwell.New(muxwell.TrustedProxies(netip.MustParsePrefix("192.0.2.0/24"))) // where httptest's requests come from
	m.Get("/login", show("the form"), muxwell.Schemes("https"))

	fmt.Println(getWith(m, "/login", "X-Forwarded-Proto", "https"))
	fmt.Println(getWith(m, "/login", "X-Forwarded-Proto", "https, http"))
	// Output:
	// 200 the form
	// 404 404 page not found
}

func ExampleMatchFunc() {
	mobile := func(r *http.Request) bool { return strings.Contains(r.UserAgent(), "Mobile") }
	m := muxwell.New()
	m.Get("/", show("small page"), muxwell.MatchFunc(mobile))
	m.Get("/", show("page"))

	fmt.Println(getWith(m, "/", "User-Agent", "Mozilla/5.0 (Android; Mobile)"))
	fmt.Println(getWith(m, "/", "User-Agent", "Mozilla/5.0"))
	// Output:
	// 200 small page
	// 200 page
}
