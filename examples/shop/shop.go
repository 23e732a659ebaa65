package main

import (
	"log/slog"
	"net/http"
	"net/netip"
	"time"

	"github.com/alexedwards/scs/v2"
	"github.com/danielgtaylor/huma/v2"
	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel/trace"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/explorer"
	"github.com/muxwell/muxwell/graceful"
	"github.com/muxwell/muxwell/humamuxwell"
	"github.com/muxwell/muxwell/middleware"
)

type config struct {
	store        *store
	passwordHash []byte // by bcrypt
	proxies      []netip.Prefix
	secure       bool // clients use https
	logger       *slog.Logger
	registry     prometheus.Registerer
	tracer       trace.TracerProvider
}

// A shop has the handlers.
type shop struct {
	config
	mux      *muxwell.Mux
	api      huma.API
	sessions *scs.SessionManager
	pages    pages
}

// newHandler returns all routes of the shop.
func newHandler(c config) http.Handler {
	s := &shop{config: c, pages: parsePages()}
	s.sessions = newSessions(c.store, c.secure, s.answerError)
	m := muxwell.New(muxwell.TrustedProxies(c.proxies...), muxwell.ErrorHandler(s.answerError))
	s.mux = m
	observer := explorer.Observe(m)

	client := middleware.FromRemoteAddr()
	if len(c.proxies) > 0 {
		client = middleware.FromXForwardedFor()
	}
	headers := &middleware.SecureHeadersOptions{Policy: "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'"}
	if c.secure {
		headers.HSTS, headers.HSTSBehindProxy = 180*24*time.Hour, true
	}
	crossOrigin := http.NewCrossOriginProtection()
	crossOrigin.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.answerError(w, r, &muxwell.HTTPError{Status: http.StatusForbidden, Reason: "cross_origin", Detail: "the request comes from another site"})
	}))
	m.Use(
		tracing(c.tracer),
		middleware.RequestID(nil),
		middleware.ClientIP(client),
		middleware.Metrics(metrics(c.registry)),
		middleware.Log(c.logger, nil),
		middleware.Recover(c.logger),
		middleware.SecureHeaders(headers),
		crossOrigin.Handler,
		middleware.RateLimit(600, time.Minute, nil),
		middleware.Timeout(10*time.Second),
		middleware.Throttle(200, &middleware.ThrottleOptions{Backlog: 100}),
		middleware.MaxBytes(64<<10),
	)

	// Health checks are answered at any load.
	health := m.With(middleware.NoRateLimit, middleware.NoThrottle)
	health.Get("/healthz", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) })
	health.HandleError("GET /readyz", s.ready)

	m.Files("/assets/"+assetsVersion+"/", assets, muxwell.Immutable("*"), muxwell.NoListing())

	m.Route("/api", func(g *muxwell.Group) {
		g.Use(middleware.NoCache, s.sessions.LoadAndSave, s.requireSecurity)
		s.api = newAPI(g, c)
		s.registerProducts(s.api)
		s.registerCart(s.api)
		s.registerOrders(s.api)
	})

	m.Group(func(g *muxwell.Group) {
		g.Use(middleware.NoCache, s.sessions.LoadAndSave)
		g.HandleError("GET /{$}", s.productsPage)
		g.HandleError("GET /cart", s.cartPage)
		g.HandleError("POST /cart/{id:uint}", s.cartForm)
		g.HandleError("GET /orders", s.ordersPage)
		g.HandleError("POST /orders", s.checkoutForm)
		g.HandleError("GET /login", s.loginPage)
		g.With(middleware.RateLimit(5, time.Minute, nil)).HandleError("POST /login", s.login)
		g.HandleError("POST /logout", s.logout)
		g.With(s.requireStaff).Handle("GET /routes/", explorer.Handler(m,
			explorer.Title("Shop"), explorer.Link("Orders", "/orders"), explorer.Counts(observer), explorer.Spec(s.api.OpenAPI())))
	})
	return observer
}

// ready answers 503 when the server shuts down or the database does not answer.
func (s *shop) ready(w http.ResponseWriter, r *http.Request) error {
	if err := s.store.db.PingContext(r.Context()); err != nil {
		return &muxwell.HTTPError{Status: http.StatusServiceUnavailable, Reason: "no_database", Err: err}
	}
	graceful.Ready(w, r)
	return nil
}

// staffOnly is the security requirement of operations for staff; see requireSecurity.
var staffOnly = []map[string][]string{{"staff": {}}}

// newAPI returns the API, without operations. Its document is at /api/openapi.json.
func newAPI(g *muxwell.Group, c config) huma.API {
	config := huma.DefaultConfig("Shop", "1.0.0")
	config.DocsPath = ""     // which loads a script from another site; the explorer shows the document
	config.SchemasPath = ""  // they are in the document
	config.CreateHooks = nil // no "$schema" in bodies
	config.Components.SecuritySchemes = map[string]*huma.SecurityScheme{
		"staff": {Type: "apiKey", In: "cookie", Name: sessionCookie(c.secure), Description: "A session that has logged in with POST /login."},
	}
	return humamuxwell.NewGroup(g, config)
}

// Operations return errors of the store: these have a status, and the text of all others goes
// to the log.
func init() { huma.NewErrorWithContext = humamuxwell.NewErrorWithContext }
