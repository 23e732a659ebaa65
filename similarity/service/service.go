package service

import (
	"log/slog"
	"net/http"
	"runtime"
	"sync/atomic"

	"github.com/muxwell/muxwell"

	"github.com/muxwell/muxwell/similarity/score"
)

// MaxMaxBody is the largest Config.MaxBody: package score accepts texts of up to 64 MiB.
const MaxMaxBody = 64_000_000

// A Config is the configuration of a service. All fields must be set.
type Config struct {
	MaxBody     int          // maximum bytes of a body, from 1 to MaxMaxBody
	MaxInFlight int          // bodies that are read and compared at the same time, 1 or more
	Logger      *slog.Logger // gets a line for each request, and errors
}

// A Service is the handler for the routes that the package comment lists. It is safe for
// concurrent use.
type Service struct {
	mux      *muxwell.Mux
	maxBody  int
	slots    slots // of bodies that are in memory
	turns    slots // of large bodies that are compared
	log      *slog.Logger
	metrics  *metrics
	draining atomic.Bool
}

// New returns a service. It panics if a field of the configuration is out of range.
func New(c Config) *Service {
	if c.MaxBody < 1 || c.MaxBody > MaxMaxBody || c.MaxInFlight < 1 || c.Logger == nil {
		panic("service: a field of the configuration is out of range")
	}
	s := &Service{
		maxBody: c.MaxBody,
		slots:   make(slots, c.MaxInFlight),
		turns:   make(slots, runtime.GOMAXPROCS(0)),
		log:     c.Logger,
		metrics: newMetrics(),
	}
	s.mux = muxwell.New(
		muxwell.TrailingSlash(muxwell.SlashStrict),
		muxwell.UncleanPath(muxwell.PathStrict),
		muxwell.NotFound(s.observe("", notFound)),
		muxwell.MethodNotAllowed(s.observe("", methodNotAllowed)),
	)
	for _, rt := range s.routes() {
		s.mux.Handle(rt.pattern, s.observe(rt.pattern, rt.endpoint))
	}
	return s
}

// A route is a pattern with its endpoint.
type route struct {
	pattern  string
	endpoint endpoint
}

func (s *Service) routes() []route {
	return []route{
		{"POST /similarity", s.post(score.AppendAnswer)},
		{"POST /similarity/words", s.post(appendWords)},
		{"GET /{$}", s.pageFile("index.html")},
		{"GET /page.css", s.pageFile("page.css")},
		{"GET /page.js", s.pageFile("page.js")},
		{"GET /openapi.yaml", description},
		{"GET /healthz", healthy},
		{"GET /readyz", s.ready},
		{"GET /metrics", s.metrics.serve},
	}
}

// ServeHTTP answers a request.
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.mux.ServeHTTP(w, r) }

// Mux returns the router, for tools that list its routes.
func (s *Service) Mux() *muxwell.Mux { return s.mux }

// Drain makes GET /readyz answer 503, so that a load balancer sends no more requests, and
// makes each answer ask its client to close the connection. All other requests are answered
// as before.
func (s *Service) Drain() { s.draining.Store(true) }
