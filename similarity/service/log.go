package service

import (
	"log/slog"
	"net/http"
	"time"
)

// logRequest writes the log line of a request. The level is debug for health checks, even
// if they return 503, error if the status is 500 or more, and info for all others. Errors
// of clients are not warnings, because clients could flood the log with them.
func (s *Service) logRequest(x *exchange, r *http.Request, pattern string, quiet bool, took time.Duration) {
	level := slog.LevelInfo
	switch {
	case quiet:
		level = slog.LevelDebug
	case x.status >= 500:
		level = slog.LevelError
	}
	if !s.log.Enabled(r.Context(), level) {
		return
	}
	written := x.written
	if r.Method == http.MethodHead {
		written = 0 // the server sends none of it
	}
	s.log.LogAttrs(r.Context(), level, "request",
		slog.String("request_id", x.id),
		slog.String("method", r.Method),
		slog.String("pattern", pattern),
		slog.String("path", r.URL.Path),
		slog.Int("status", x.status),
		slog.Int64("bytes", written),
		slog.Duration("duration", took),
		slog.String("remote", r.RemoteAddr),
	)
}
