package soak

import (
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/explorer"
	gorilla "github.com/muxwell/muxwell/gorilla/mux"
	"github.com/muxwell/muxwell/middleware"
)

// An app is the program under test. From the outside in:
//
//	ledger → MethodOverride → Canonical → Observe → mux → RequestID, ClientIP, Log, Metrics,
//	Recover, SecureHeaders, Timeout → groups with more of them → handlers
type app struct {
	ledger   *ledger
	faults   *faults
	mux      *muxwell.Mux
	inner    *muxwell.Mux // mounted at /admin
	observer *explorer.Observer
	handler  http.Handler
	root     *os.Root // of the files

	exact   map[string]*atomic.Uint64 // handlers' runs by pattern, where nothing refuses requests before
	routed  atomic.Int64              // requests that came to the mux
	metered atomic.Int64              // calls of the hook of Metrics
	logged  logCounts
	errors  errorLog
	panics  atomic.Int64 // that handlers made, but for aborts
	failed  atomic.Int64 // errors of status 500 that handlers returned
	late    atomic.Int64 // panics after the 503 of a timeout
	seats   atomic.Int64 // requests behind Throttle
	gates   sync.Map     // from ids to channels that let handlers go on; see timeouts.go
	storm   *storm
}

// newApp returns the program, with files in dir.
func newApp(l *ledger, dir string) (*app, error) {
	a := &app{ledger: l, faults: l.faults, exact: make(map[string]*atomic.Uint64)}
	if err := os.WriteFile(filepath.Join(dir, "hello.txt"), []byte(helloText), 0o600); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	a.root = root
	a.errors.app = a
	a.mux = muxwell.New(muxwell.AutoOptions(),
		muxwell.Constraint("even", func(s string) bool { return s != "" && (s[len(s)-1]-'0')%2 == 0 }))
	a.inner = muxwell.New(muxwell.NotFound(text(http.StatusNotFound, "admin: not found")))
	logger := slog.New(&a.logged)
	a.mux.Use(
		middleware.RequestID(nil),
		middleware.ClientIP(middleware.FromRemoteAddr()),
		middleware.Log(logger, nil),
		middleware.Metrics(func(middleware.Measure) { a.metered.Add(1) }),
		middleware.Recover(logger),
		middleware.SecureHeaders(nil),
		middleware.Timeout(time.Minute),
	)
	a.routes()
	a.matchers()
	a.guarded()
	a.mounts()
	a.rough()
	a.storm = newStorm(a)

	a.observer = explorer.Observe(a.mux)
	a.mux.Handle("GET /_routes/", explorer.Handler(a.mux, explorer.Counts(a.observer)))
	canonical := middleware.Canonical("http://www.soak.test", &middleware.CanonicalOptions{
		Except: func(r *http.Request) bool { return r.Host != oldHost },
	})
	a.handler = middleware.MethodOverride(canonical(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a.routed.Add(1)
		a.observer.ServeHTTP(w, r)
	})))
	return a, nil
}

// close closes the files.
func (a *app) close() error { return a.root.Close() }

// counted is a handler of the pattern without middleware that refuses requests, so the
// explorer must count the same number.
func (a *app) counted(pattern string, h http.HandlerFunc) http.HandlerFunc {
	n := new(atomic.Uint64)
	a.exact[pattern] = n
	return a.ledger.route(func(w http.ResponseWriter, r *http.Request) {
		n.Add(1)
		h(w, r)
	})
}

// say registers a handler that answers with its pattern and the values of the named
// parameters.
func (a *app) say(pattern string, names ...string) {
	a.mux.HandleFunc(pattern, a.counted(pattern, sayer("", names...)))
}

// routes registers the parts of the pattern language.
func (a *app) routes() {
	a.say("GET /plain")
	a.say("GET /users/{id:int}", "id")
	a.say("GET /users/{name}", "name")
	a.say("GET /docs/{path...}", "path")
	a.say("GET /docs/{path...}/raw", "path")
	a.say("GET /v{version}/{item}.{ext}", "version", "item", "ext")
	a.say("GET /even/{n:even}", "n")
	a.say("GET /years/{year:[0-9]{4}}", "year")
	a.say("GET {tenant}.soak.test/home", "tenant")
	a.say("PUT /override/{id}", "id")
	a.mux.HandleFunc("GET /tree/", a.ledger.route(sayer("")))
	a.mux.HandleFunc("POST /echo", a.ledger.route(a.echo))

	pattern := "GET /values/{a}/{b}"
	count := a.counted(pattern, func(http.ResponseWriter, *http.Request) {})
	a.mux.HandleParams(pattern, func(w http.ResponseWriter, r *http.Request, p muxwell.Params) {
		count(w, r)
		_, _ = io.WriteString(w, r.Pattern+" a="+p.Get("a")+" b="+p.Get("b"))
	})

	api := a.mux.Route("/api", nil)
	api.Use(middleware.NoCache)
	api.NotFound(text(http.StatusNotFound, "api: not found"))
	api.Get("/users/{id}", a.counted("GET /api/users/{id}", sayer("", "id")))
	api.With(middleware.Deprecated(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), nil)).
		Get("/v0/users", a.counted("GET /api/v0/users", sayer("")))
	a.mux.With(middleware.ETag(nil)).Get("/tagged/{id}", a.counted("GET /tagged/{id}", sayer("", "id")))
}

// matchers registers routes with matchers.
func (a *app) matchers() {
	add := func(pattern, word string, names []string, option muxwell.RouteOption) {
		must(a.mux.Add(pattern, a.ledger.route(sayer(word, names...)), option))
	}
	add("GET /feed", " beta", nil, muxwell.Headers("X-Beta", "1"))
	add("GET /feed", " stable", nil, muxwell.RouteOption{})
	add("GET /report", " json", nil, muxwell.Accept("application/json"))
	add("GET /report", " csv", nil, muxwell.Accept("text/csv"))
	add("GET /search", " page", []string{"q", "page"}, muxwell.Queries("q", "{q}", "page", "{page:int}"))
	add("POST /import", " csv", nil, muxwell.ContentType("text/csv"))
	add("GET /odd", " long", nil, muxwell.MatchFunc(func(r *http.Request) bool { return len(r.URL.RawQuery) > 3 }))
	add("GET /odd", " short", nil, muxwell.RouteOption{})
}

// guarded registers routes with authentication and limits.
func (a *app) guarded() {
	users := middleware.Users(map[string]string{"ann": "secret"})
	a.mux.With(middleware.BasicAuth("soak", users)).Get("/basic", a.ledger.route(sayer("")))
	tokens := middleware.Tokens(map[string]string{"token-1": "bob"})
	a.mux.With(middleware.BearerAuth("soak", tokens)).Get("/bearer", a.ledger.route(sayer("")))
	a.mux.With(middleware.RateLimit(rateLimit, time.Hour, &middleware.RateLimitOptions{
		Key: func(r *http.Request) string { return r.URL.Query().Get("key") },
	})).Get("/limited", a.ledger.route(sayer("")))
	a.mux.With(middleware.Throttle(seats, &middleware.ThrottleOptions{Backlog: seats, Wait: time.Minute})).
		Get("/throttled", a.ledger.route(a.seated))
	a.mux.With(middleware.MaxBytes(maxBody)).Post("/upload", a.ledger.route(a.upload))
}

// mounts registers other handlers: a mux, a router of package gorilla/mux, files.
func (a *app) mounts() {
	a.inner.HandleFunc("GET /users/{id}", a.ledger.route(sayer("", "id")))
	a.inner.HandleFunc("GET /panic", a.ledger.route(a.panicking("a mounted mux's handler")))
	a.mux.Mount("/admin", a.inner)

	old := gorilla.NewRouter()
	old.HandleFunc("/things/{id:[0-9]+}", a.ledger.route(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, "old thing "+gorilla.Vars(r)["id"])
	})).Methods(http.MethodGet)
	old.HandleFunc("/panic", a.ledger.route(a.panicking("a gorilla router's handler")))
	a.mux.Mount("/old", old)

	a.mux.With(middleware.ETag(nil)).Files("/static/", a.root.FS(), muxwell.NoListing())
}

// must returns the route, and panics on an error.
func must(rt *muxwell.Route, err error) *muxwell.Route {
	if err != nil {
		panic(err)
	}
	return rt
}
