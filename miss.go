package muxwell

import (
	"net/http"
	"strings"

	"github.com/muxwell/muxwell/internal/pattern"
	"github.com/muxwell/muxwell/internal/urlpath"
)

// Missed is resolve for most requests that no route takes, behind a find that
// knew of none: those with a short, clean path without a dot, at a mux without
// hosts. It does once what resolve does for every method. ok is false if it is
// for resolve to say.
func (s *snapshot) missed(r *http.Request) (a answer, ok bool) {
	path, h := r.URL.Path, &s.anywhere
	if s.hosts != nil || s.config.fold || uint(len(path)-1) >= urlpath.MaxShort || len(h.methods) > 64 || r.Method == http.MethodConnect {
		return a, false
	}
	slashes := urlpath.Slashes(path)
	if slashes&1 == 0 || slashes&(slashes<<1) != 0 || strings.IndexByte(path, '.') >= 0 {
		return a, false
	}
	// With another final slash it may match.
	redirects := s.config.slash == SlashRedirect && slashes>>(len(path)-1) == 0
	own := h.of(r.Method)
	if s.config.slash == SlashIgnore || redirects && own.slashy {
		return a, false
	}
	ends := slashes&^1 | 1<<len(path)
	var allowed uint64
	for i, t := range h.named {
		if t == own {
			continue
		}
		if redirects && t.slashy {
			return a, false
		}
		rec := uint32(0)
		if t.static.may(path) {
			rec = t.static.find(path)
		}
		if rec == 0 {
			rec = t.descend(0, 1, ends, path)
		}
		switch {
		case rec == 0:
			continue
		case rec == undecided:
			return a, false
		}
		if rec := &s.records[rec]; rec.shared != nil || rec.route.pattern.Methods == nil || rec.route.pattern.Last().Kind == pattern.CatchAll {
			return a, false
		}
		allowed |= 1 << i
	}
	options := s.config.answersOptions()
	methods, header := h.allowance(allowed, options)
	return refusalOf(methods, header, options && r.Method == http.MethodOptions), true
}
