package inspect

import (
	"fmt"
	"strings"

	"github.com/muxwell/muxwell/internal/excerpt"
	"github.com/muxwell/muxwell/internal/pattern"
	"github.com/muxwell/muxwell/internal/urlpath"
)

// A path is the path of a request, which is compared with those of patterns one by one.
type path struct {
	text    string
	escaped bool
	connect bool     // a parameter may be "." or ".."
	parts   []string // the path, split at its slashes; nil if it does not begin with one
	slashed []string // the same with a final slash added or removed
}

func newPath(text string, escaped, connect bool) path {
	p := path{text: text, escaped: escaped, connect: connect}
	if text == "" || text[0] != '/' {
		return p
	}
	p.parts = strings.Split(text[1:], "/")
	n := len(p.parts)
	switch {
	case p.parts[n-1] != "":
		p.slashed = append(p.parts[:n:n], "")
	case n > 1:
		p.slashed = p.parts[:n-1]
	}
	return p
}

// MatchPath returns how a pattern's path matches a path: unchanged, or otherwise with a
// final slash added or removed. It returns false if neither does. connect is set for
// the path of a CONNECT request, which may have dot segments.
func MatchPath(segs []pattern.Segment, text string, escaped, connect bool) (matched string, ok bool) {
	p := newPath(text, escaped, connect)
	if ok, _ = p.matches(segs, p.parts); ok {
		return text, true
	}
	ok, _ = p.matches(segs, p.slashed)
	return "/" + strings.Join(p.slashed, "/"), ok
}

// matches reports whether a pattern's path matches parts, which are p.parts or
// p.slashed. If only one constraint fails, the reason names it and the text that it
// refused.
func (p *path) matches(segs []pattern.Segment, parts []string) (ok bool, reason string) {
	// The catch-all matches the parts from here to there, whatever they are.
	from, more := pattern.CatchAllAt(segs), len(parts)-len(segs)
	if more < 0 || more > 0 && from < 0 {
		return false, ""
	}
	for i := range segs {
		if i == from {
			continue
		}
		g, part := &segs[i], ""
		if from < 0 || i < from {
			part = parts[i]
		} else {
			part = parts[i+more]
		}
		if g.Kind != pattern.Literal && g.Kind != pattern.Dollar && (part == "" || !p.connect && urlpath.IsDots(part)) {
			return false, ""
		}
		if p.escaped {
			part = urlpath.Unescape(part)
		}
		if g.Matches(part) {
			continue
		}
		why := mismatch(*g, part)
		if why == "" || reason != "" {
			return false, ""
		}
		reason = why
	}
	if from >= 0 && segs[from].Kind == pattern.InnerCatchAll && more == 0 && parts[from] == "" {
		return false, ""
	}
	return reason == "", reason
}

// mismatch returns which constraint of a segment refuses which text, if the segment
// matches the text without its constraints. Otherwise it returns "".
func mismatch(g pattern.Segment, text string) string {
	if g.Matcher == nil {
		return ""
	}
	free := *g.Matcher
	free.Check, free.Program = nil, nil
	if !free.Matches(text) {
		return ""
	}
	vals := make([]string, len(free.Names))
	free.Split(vals, text)
	for i, c := range g.Matcher.Constraints {
		if c.Check != nil && !c.Check(vals[i]) {
			return fmt.Sprintf("constraint %s refused %q", c.Text, excerpt.Abridge(vals[i]))
		}
	}
	return fmt.Sprintf("constraints of %s refused %q", g.Matcher, excerpt.Abridge(text))
}
