package migrate

import (
	"fmt"
	"go/version"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/muxwell/muxwell"
)

// A suite is one section of a guide, which compares the code and the answers of one other
// router with those of muxwell.
type suite struct {
	doc     string // the guide's file, in docs
	section string // its heading
	source  string // the files of this package that have the rows, as a pattern of filepath.Glob
	rows    []row
	traps   []trap
}

// suites are all sections.
var suites = []suite{
	{"migrate.md", "From chi", "chi_test.go", chiRows, chiTraps},
	{"migrate.md", "From httprouter", "httprouter_test.go", httprouterRows, httprouterTraps},
	{"migrate.md", "From gin", "gin_test.go", ginRows, ginTraps},
	{"migrate.md", "From http.ServeMux", "servemux_test.go", serveMuxRows, serveMuxTraps},
	{"migrate-from-gorilla.md", "On to muxwell's own API", "gorilla*_test.go", slices.Concat(gorillaRows, gorillaMoreRows), gorillaTraps},
}

// A row is a line of a table "what | there | here". Both handlers give the same answers to
// the requests. send documents their format.
type row struct {
	name         string
	theirs, ours func() http.Handler
	requests     []string
}

// A trap is a line of a table "routes | request | there | here". The handlers look alike and
// answer differently.
type trap struct {
	name, request          string
	theirs, ours           func() http.Handler
	theirAnswer, ourAnswer string
	fixed                  string // the Go release from which on theirs answers as ours; "" for none
}

func TestRows(t *testing.T) {
	for _, s := range suites {
		for _, c := range s.rows {
			t.Run(s.section+"/"+c.name, func(t *testing.T) {
				theirs, ours := c.theirs(), c.ours()
				served := false
				for _, request := range c.requests {
					want, got := send(t, theirs, request), send(t, ours, request)
					if got != want {
						t.Errorf("%s: muxwell answers %q, the other router %q", request, got, want)
					}
					served = served || !strings.HasPrefix(want, "404")
				}
				if !served {
					t.Error("all requests are answered with 404")
				}
			})
		}
	}
}

func TestTraps(t *testing.T) {
	for _, s := range suites {
		for _, c := range s.traps {
			t.Run(s.section+"/"+c.name, func(t *testing.T) {
				want := c.theirAnswer
				if c.fixed != "" && version.Compare(runtime.Version(), c.fixed) >= 0 {
					want = c.ourAnswer
				}
				if got := send(t, c.theirs(), c.request); got != want {
					t.Errorf("%s: the other router answers %q, want %q", c.request, got, want)
				}
				if got := send(t, c.ours(), c.request); got != c.ourAnswer {
					t.Errorf("%s: muxwell answers %q, want %q", c.request, got, c.ourAnswer)
				}
				if c.theirAnswer == c.ourAnswer {
					t.Error("the answers are the same")
				}
			})
		}
	}
}

// send serves a request and returns the answer in short: the status, and behind
// it the location of a redirect or the body. The routers' texts of errors differ
// and are left out.
//
// A request is "METHOD TARGET", with headers behind it, as in "GET /x X-Beta:1".
// Host sets the host, Body the body.
func send(t *testing.T, h http.Handler, request string) string {
	t.Helper()
	fields := strings.Fields(request)
	header := http.Header{}
	for _, f := range fields[2:] {
		name, value, _ := strings.Cut(f, ":")
		header.Add(name, value)
	}
	r := httptest.NewRequest(fields[0], fields[1], strings.NewReader(header.Get("Body")))
	if host := header.Get("Host"); host != "" {
		r.Host = host
	}
	for name, values := range header {
		if name != "Host" && name != "Body" {
			r.Header[name] = values
		}
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)

	text := w.Header().Get("Location")
	if text == "" {
		text = strings.TrimSpace(w.Body.String())
	}
	if w.Code >= 400 && !slices.ContainsFunc(ownTexts, func(own string) bool { return strings.Contains(text, own) }) {
		text = ""
	}
	return strings.TrimSpace(fmt.Sprint(w.Code, " ", text))
}

// h is the handler of routes of which the row is not about what they answer.
func h(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "h") }

// other is another one.
func other(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "other") }

// ownTexts are those of errors that come from here: from notFound and notAllowed.
var ownTexts = []string{"nothing here", "not like this"}

// notFound and notAllowed answer in their own words.
func notFound(w http.ResponseWriter, r *http.Request) {
	w.WriteHeader(http.StatusNotFound)
	io.WriteString(w, "nothing here")
}

func notAllowed(w http.ResponseWriter, r *http.Request) {
	w.WriteHeader(http.StatusMethodNotAllowed)
	io.WriteString(w, "not like this")
}

// mark is middleware that can be seen in the answer.
func mark(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, "marked ")
		next.ServeHTTP(w, r)
	})
}

// deny is middleware that lets nothing pass.
func deny(http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusForbidden) })
}

// show is a handler that answers with what f returns.
func show(f func(r *http.Request) string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, f(r)) }
}

// onMux returns a function that makes a mux without options and fills it.
func onMux(fill func(m *muxwell.Mux)) func() http.Handler {
	return func() http.Handler {
		m := muxwell.New()
		fill(m)
		return m
	}
}
