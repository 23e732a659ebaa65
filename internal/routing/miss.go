package routing

import (
	"net/http"
	"strings"

	"github.com/muxwell/muxwell/internal/pattern"
	"github.com/muxwell/muxwell/internal/trie"
	"github.com/muxwell/muxwell/internal/urlpath"
)

// Missed is Resolve for most requests that no entry matches, after a Find without a
// result: those with a short, clean path without a dot, at a mux without hosts. It does
// once what Resolve does for every method. ok is false if Resolve must decide.
func (t *Tables) Missed(r *http.Request) (a Answer, ok bool) {
	path, h := r.URL.Path, &t.anywhere
	if t.hosts != nil || t.policy.Fold || uint(len(path)-1) >= urlpath.MaxShort || len(h.methods) > 64 || r.Method == http.MethodConnect {
		return a, false
	}
	slashes := urlpath.Slashes(path)
	if slashes&1 == 0 || slashes&(slashes<<1) != 0 || strings.IndexByte(path, '.') >= 0 {
		return a, false
	}
	// It may match with a final slash added or removed.
	redirects := t.policy.Slash == SlashRedirect && slashes>>(len(path)-1) == 0
	own := h.of(r.Method)
	if t.policy.Slash == SlashIgnore || redirects && own.Slashy {
		return a, false
	}
	var allowed uint64
	var near uint32
	for i, table := range h.named {
		if table == own {
			continue
		}
		if redirects && table.Slashy {
			return a, false
		}
		rec := uint32(0)
		if table.Static.May(path) {
			rec = table.Static.Find(path)
		}
		if rec == 0 {
			rec = table.FindClean(path, slashes)
		}
		switch {
		case rec == 0:
			continue
		case rec == trie.Undecided:
			return a, false
		}
		if rec&trie.Conditional != 0 || t.Entry(rec).Pattern.Methods == nil || t.Entry(rec).Pattern.Last().Kind == pattern.CatchAll {
			return a, false
		}
		allowed |= 1 << i
		if near == 0 {
			near = rec
		}
	}
	options := t.policy.Options
	methods, header := h.allowance(allowed, options)
	return refusalOf(methods, header, options && r.Method == http.MethodOptions, near), true
}
