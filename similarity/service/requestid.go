package service

import (
	"crypto/rand"
	"log/slog"
	"net/http"
)

const (
	idHeader = "X-Request-Id"
	maxID    = 64
)

// requestID returns the ID of a request and sets it in the answer's header. It is the
// client's own if that is short and consists of letters, digits, '.', '_' and '-', so that
// it is safe in a log. Otherwise one is generated, if the request will be logged.
func (s *Service) requestID(h http.Header, r *http.Request) string {
	if ids := r.Header[idHeader]; len(ids) == 1 && isID(ids[0]) {
		h[idHeader] = ids
		return ids[0]
	}
	if !s.log.Enabled(r.Context(), slog.LevelInfo) {
		return ""
	}
	id := rand.Text()
	h[idHeader] = []string{id}
	return id
}

// needID returns the ID of a request that is logged at any level, and generates one if it
// has none. The answer has it too, if its header has not been written yet.
func (s *Service) needID(x *exchange) string {
	if x.id == "" {
		x.id = rand.Text()
		x.Header()[idHeader] = []string{x.id}
	}
	return x.id
}

// isID reports whether a client's ID can be used unchanged.
func isID(id string) bool {
	if id == "" || len(id) > maxID {
		return false
	}
	for _, c := range []byte(id) {
		switch {
		case '0' <= c && c <= '9', 'A' <= c && c <= 'Z', 'a' <= c && c <= 'z', c == '.', c == '_', c == '-':
		default:
			return false
		}
	}
	return true
}
