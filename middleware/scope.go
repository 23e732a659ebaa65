package middleware

import (
	"context"
	"log/slog"
	"net/http"
	"sync"
)

// A scope is the context of a request that [RequestID] or [Log] made. A context costs a
// copy of the request, so a Log uses the scope of the RequestID around it if no other Log
// does. Attributes and user are collected in an open scope:
//
//	free ──open──► open ──close──► closed
type scope struct {
	context.Context
	id, traceID string
	header      [1]string // has id; separate, in case a handler changes the header
	pattern     string    // the request's when the scope was made

	mu    sync.Mutex // of all below
	state scopeState
	user  string
	attrs []slog.Attr
}

type scopeState uint8

const (
	scopeFree scopeState = iota
	scopeOpen
	scopeClosed
)

// AddAttrs adds attributes to the line that [Log] writes about the request whose context
// is ctx or a parent of ctx. If several Logs are around the caller, each line has the
// attributes. Attributes are in the order of the calls. Equal keys are all kept, as slog
// keeps them.
//
// AddAttrs has no effect without Log, or after Log has written the line, as in a handler
// that a [Timeout] has abandoned. It is safe for concurrent use. It keeps the attributes
// but not the slice.
func AddAttrs(ctx context.Context, attrs ...slog.Attr) {
	for s := scopeOf(ctx); s != nil; s = scopeOf(s.Context) {
		s.add(attrs)
	}
}

// logUser sets the user in the lines of all Logs around the caller.
func logUser(ctx context.Context, user string) {
	for s := scopeOf(ctx); s != nil; s = scopeOf(s.Context) {
		s.setUser(user)
	}
}

type scopeKey struct{}

// scopeOf returns the innermost scope of a request, or nil.
func scopeOf(ctx context.Context) *scope {
	s, _ := ctx.Value(scopeKey{}).(*scope)
	return s
}

func (s *scope) Value(key any) any {
	if key == (scopeKey{}) {
		return s
	}
	return s.Context.Value(key)
}

// openScope returns an open scope and the request that has it. That is r if a scope of r
// is free and has the same pattern; otherwise it is a copy, whose scope also has the IDs.
func openScope(r *http.Request) (*scope, *http.Request) {
	outer := scopeOf(r.Context())
	if outer != nil && outer.pattern == r.Pattern && outer.open() {
		return outer, r
	}
	s := &scope{Context: r.Context(), pattern: r.Pattern, state: scopeOpen}
	if outer != nil {
		s.id, s.traceID = outer.id, outer.traceID
	}
	return s, r.WithContext(s)
}

// open reports whether the scope was free, and opens it.
func (s *scope) open() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	free := s.state == scopeFree
	if free {
		s.state = scopeOpen
	}
	return free
}

func (s *scope) add(attrs []slog.Attr) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.state == scopeOpen {
		s.attrs = append(s.attrs, attrs...)
	}
}

func (s *scope) setUser(user string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.state == scopeOpen {
		s.user = user
	}
}

// close returns what was collected. Nothing is added to it afterwards.
func (s *scope) close() (user string, attrs []slog.Attr) {
	s.mu.Lock()
	defer s.mu.Unlock()
	user, attrs = s.user, s.attrs
	s.state, s.attrs = scopeClosed, nil
	return user, attrs
}
