package main

import (
	"embed"
	"io/fs"
	"log/slog"
	"net/http"
	"net/netip"
	"time"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/graceful"
	"github.com/muxwell/muxwell/middleware"
	"github.com/muxwell/muxwell/problem"
)

//go:embed site
var siteFiles embed.FS

type config struct {
	token   string
	proxies []netip.Prefix
	logger  *slog.Logger
}

// newHandler returns the routes of the service.
func newHandler(c config) http.Handler {
	m := muxwell.New(
		muxwell.TrustedProxies(c.proxies...), // also used by FromXForwardedFor
		muxwell.ErrorHandler(problem.Answer), // for all errors except those of Files
	)
	client := middleware.FromRemoteAddr()
	if len(c.proxies) > 0 {
		client = middleware.FromXForwardedFor()
	}
	m.Use(
		middleware.RequestID(nil),
		middleware.ClientIP(client),
		middleware.Log(c.logger, &middleware.LogOptions{Query: []string{"limit"}}),
		middleware.Recover(c.logger),
		middleware.SecureHeaders(nil),
		middleware.RateLimit(600, time.Minute, nil),
		middleware.Timeout(10*time.Second),
		middleware.Throttle(200, &middleware.ThrottleOptions{Backlog: 100}),
		middleware.MaxBytes(64<<10),
	)

	// Health checks are answered at any load.
	health := m.With(middleware.NoRateLimit, middleware.NoThrottle)
	health.Get("/healthz", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) })
	health.Get("/readyz", graceful.Ready)

	m.Route("/api", func(g *muxwell.Group) {
		g.Use(middleware.NoCache, middleware.BearerAuth("api", middleware.Tokens(map[string]string{c.token: "demo"})))
		a := newAPI(c.logger)
		g.HandleError("GET /orders", a.list)
		g.HandleError("GET /orders/{id:int}", a.get)
		g.HandleError("POST /orders", a.create, muxwell.ContentType("application/json"))
		// Uploads may be larger and take longer than other requests.
		g.With(middleware.MaxBytes(100<<20), middleware.Timeout(time.Minute)).
			HandleError("PUT /orders/{id:int}/invoice", a.upload)
		// Streams do not end by themselves, so they must not use the places of other requests.
		g.With(middleware.NoTimeout, middleware.NoThrottle, middleware.Throttle(1000, nil)).
			HandleError("GET /events", a.events)
	})

	site, err := fs.Sub(siteFiles, "site")
	if err != nil {
		panic(err) // only if the name differs from that of go:embed
	}
	m.Files("/", site,
		muxwell.FallbackPage("index.html", "api"), // for all paths that the application routes in the browser, not below /api
		muxwell.Immutable("assets/*-*.js", "assets/*-*.css"),
		muxwell.Precompressed("gzip"),
	)
	return m
}
