package soak

import (
	"io"
	"log"
	"log/slog"
	"net/http"

	"github.com/go-chi/chi/v5"
	chimiddleware "github.com/go-chi/chi/v5/middleware"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/middleware"
)

// A rival is a router with a few routes and four middleware. The fourth is a limit on
// concurrent requests instead of a timeout, because chi's Timeout only sets a deadline and
// leaves the answer to the handler, which is less work than muxwell's.
type rival struct {
	name    string
	handler http.Handler
}

const (
	atATime   = 256 // requests that handlers have; the others wait
	userRoute = "/users/{user}/posts/{post}"
)

// rivals returns the routers for a number of connections.
func rivals(connections int) []rival {
	m := muxwell.New()
	m.Use(fourMiddleware(connections)...)
	s := http.NewServeMux()
	c := chi.NewRouter()
	c.Use(chimiddleware.RequestID,
		chimiddleware.RequestLogger(&chimiddleware.DefaultLogFormatter{Logger: log.New(drop{}, "", log.LstdFlags), NoColor: true}),
		chimiddleware.Recoverer,
		chimiddleware.ThrottleBacklog(atATime, connections, patience))
	for _, route := range []string{"/", "/users/{user}", userRoute, "/posts/{post}"} {
		m.HandleFunc("GET "+route, answerUser)
		s.HandleFunc("GET "+route, answerUser)
		c.Get(route, answerUser)
	}
	var h http.Handler = s
	four := fourMiddleware(connections)
	for i := len(four) - 1; i >= 0; i-- {
		h = four[i](h)
	}
	return []rival{{"muxwell", m}, {"ServeMux", h}, {"chi", c}}
}

// fourMiddleware returns muxwell's.
func fourMiddleware(connections int) []muxwell.Middleware {
	logger := slog.New(slog.NewTextHandler(drop{}, nil))
	return []muxwell.Middleware{
		middleware.RequestID(nil),
		middleware.Log(logger, nil),
		middleware.Recover(logger),
		middleware.Throttle(atATime, &middleware.ThrottleOptions{Backlog: connections, Wait: patience}),
	}
}

// answerUser is the handler of all routes. The answer has a Content-Length, which the
// clients require.
func answerUser(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = io.WriteString(w, "user "+r.PathValue("user")+" post "+r.PathValue("post"))
}

// drop is like io.Discard, but package log formats lines for it.
type drop struct{}

func (drop) Write(p []byte) (int, error) { return len(p), nil }
