package pattern

import (
	"fmt"
	"hash/maphash"
	"net/url"
	"slices"
	"strings"

	"github.com/muxwell/muxwell/internal/excerpt"
	"github.com/muxwell/muxwell/internal/urlpath"
)

// A Pattern is a parsed registration string: methods, folded host, and a path split
// into segments.
type Pattern struct {
	Text     string    // the text as registered
	Methods  []string  // in the order written; nil means every method
	Host     string    // identifies the host: folded by [hostname.Fold], without the names of parameters; "" means every host
	PathAt   int       // where the path begins in Text
	Segments []Segment // never empty
	Extra    *Extra    // nil for most patterns
}

// Extra has fields that few patterns need.
type Extra struct {
	Host  *HostPattern // of a host with parameters
	Order []Segment    // the segments in the order of matching, if there is an inner catch-all
	// Written has the segments as they were written if they are matched without regard
	// to case.
	Written []Segment
}

// Last returns the last segment.
func (p *Pattern) Last() Segment { return p.Segments[len(p.Segments)-1] }

// Order returns the segments in the order in which a path is matched: from left to
// right; those after an inner catch-all from the end of the path to the left, where
// a {$} is a literal without text.
//
//	/a/{x...}/b/{$}    "a" {x...} "" "b"
func (p *Pattern) Order() []Segment {
	if p.Extra != nil && p.Extra.Order != nil {
		return p.Extra.Order
	}
	return p.Segments
}

// HostPattern returns the matcher of the host if it has parameters, otherwise nil.
func (p *Pattern) HostPattern() *HostPattern {
	if p.Extra == nil {
		return nil
	}
	return p.Extra.Host
}

// HostText returns the host in the form in which it is compared, with its parameters as
// written, or "" if the pattern matches every host.
func (p *Pattern) HostText() string {
	if f := p.HostPattern(); f != nil {
		return f.Text
	}
	return p.Host
}

// MethodsOrAny returns the methods, or "" alone for every method.
func (p *Pattern) MethodsOrAny() []string {
	if p.Methods == nil {
		return []string{""}
	}
	return p.Methods
}

// Rules are the options of a mux for patterns.
type Rules struct {
	Unclean     bool                         // paths are served as they were sent
	Constraints map[string]func(string) bool // in addition to the built-in ones
	Lenient     bool                         // constraints need not be known; the pattern is not for matching
}

// Parse parses a registration string:
//
//	pattern    = [ [ methods ] spaces ] [ host ] path
//	methods    = token *( "," token )
//	spaces     = 1*( SP | TAB )
//	host       = label *( "." label ) [ ":" port ]
//	label      = segment | "{" name "...}"          one with dots at most
//	           | "*"                                at the beginning only
//	port       = text                               digits, in a host with parameters
//	path       = 1*( "/" segment ) [ "/" [ "{$}" ] ]
//	segment    = 1*( text | parameter )             no two parameters next to each other
//	           | "{" name "...}"                    at most one, and no trailing slash with it
//	parameter  = "{" name [ ":" constraint ] "}"
//	constraint = identifier | expression
//
// The methods end at the first space or tab before the first "/" and "{". A name is
// any text without "{", "}", ":" and "/" that is not "$" and that no other router
// gives a meaning to; see foreignName. Names are distinct within a pattern. A path
// with "//", "/./" or "/../" is legal only where a request can reach it: without a
// method, for CONNECT alone, or under [Rules.Unclean].
//
// Errors are of type *Error.
func Parse(s string, r Rules) (*Pattern, error) {
	p := &Pattern{Text: s}
	if s == "" {
		return nil, Errorf(s, 0, `the pattern is empty; to match every path write "/"`)
	}
	off := 0
	if blank := strings.IndexAny(s, " \t/{"); blank >= 0 && (s[blank] == ' ' || s[blank] == '\t') {
		methods, err := parseMethods(s, blank)
		if err != nil {
			return nil, err
		}
		p.Methods = methods
		off = blank + len(s[blank:]) - len(strings.TrimLeft(s[blank:], " \t"))
	}
	ps := &parser{Rules: r, s: s}
	if err := ps.host(p, off); err != nil {
		return nil, err
	}
	if err := ps.path(p); err != nil {
		return nil, err
	}
	return p, nil
}

// noPath returns the reason why methods and what follows them, which has no slash, are
// not a pattern.
func noPath(methods, what string) string {
	switch {
	case what == "":
		return fmt.Sprintf("no path after the method; to match every path write %q", excerpt.Abridge(methods+"/"))
	case methods == "" && LooksLikeMethods(what):
		return fmt.Sprintf("no path after the method; to match every path write %q", excerpt.Abridge(what+" /"))
	case strings.ContainsAny(what, ".:"):
		return fmt.Sprintf("no path; for this host write %q, for a path %q", excerpt.Abridge(methods+what+"/"), excerpt.Abridge(methods+"/"+what))
	}
	return fmt.Sprintf("no path: a pattern is [METHOD ][HOST]/PATH; for a path write %q", excerpt.Abridge(methods+"/"+what))
}

// IsConnect reports whether a method is CONNECT, whose paths are not cleaned.
func IsConnect(method string) bool { return method == "CONNECT" }

// MaxSegments is the most segments of a pattern. Tables are built by recursion,
// which has its limits; requests have none.
const MaxSegments = 1 << 16

// path parses the path of p, which begins at p.path.
func (ps *parser) path(p *Pattern) error {
	s := ps.s
	ps.stop = '/'
	if strings.Count(s[p.PathAt:], "/") > MaxSegments {
		return ps.fail(p.PathAt, "the path has more than %d segments", MaxSegments)
	}
	if err := p.CheckClean(ps.Rules); err != nil {
		return err
	}
	p.Segments = make([]Segment, 0, strings.Count(s[p.PathAt:], "/"))
	catchAll := -1 // its index
	for off := p.PathAt; off < len(s); {
		off++ // the slash
		if stop := plainSegment(s, off); stop >= 0 && (stop > off || stop < len(s)) {
			p.Segments = append(p.Segments, Segment{Kind: Literal, Text: unescape(s[off:stop])})
			off = stop
			continue
		}
		parts, next, err := ps.parts(off, len(s))
		if err != nil {
			return err
		}
		g, err := ps.segment(parts, unescape)
		if err != nil {
			return err
		}
		final := next == len(s)
		if len(parts) == 0 {
			g.Kind = CatchAll
		}
		switch {
		case g.Kind == CatchAll && catchAll >= 0 && len(parts) == 0:
			return ps.fail(off, "a trailing slash is a catch-all, and there is one at offset %d; omit the slash, or write {$} after it", catchAll)
		case g.Kind == CatchAll && catchAll >= 0:
			return ps.fail(off, "a second catch-all: the end of the first one would be ambiguous; write out the segments of one of them")
		case g.Kind == CatchAll && final:
			catchAll = off
		case g.Kind == CatchAll:
			catchAll, g.Kind = off, InnerCatchAll
		case g.Kind == Dollar && !final:
			return ps.fail(off, "{$} is the end of a path; nothing can follow it")
		}
		p.Segments = append(p.Segments, g)
		off = next
	}
	p.SetOrder()
	return nil
}

// plainSegment returns where the segment of s that begins at off ends, or -1 if
// it has a brace.
func plainSegment(s string, off int) int {
	for i := off; i < len(s); i++ {
		switch s[i] {
		case '/':
			return i
		case '{':
			return -1
		}
	}
	return len(s)
}

// SetOrder sets the order of matching if there is an inner catch-all. It is called
// when the segments of a pattern were changed.
func (p *Pattern) SetOrder() {
	at := InnerCatchAllAt(p.Segments)
	if at < 0 {
		return
	}
	order := slices.Clone(p.Segments)
	slices.Reverse(order[at+1:])
	if g := &order[at+1]; g.Kind == Dollar {
		*g = Segment{Kind: Literal}
	}
	if p.Extra == nil {
		p.Extra = new(Extra)
	}
	p.Extra.Order = order
}

// CheckClean checks that requests can have the path: paths are cleaned, except for
// CONNECT, or if r serves paths as they were sent.
func (p *Pattern) CheckClean(r Rules) error {
	if r.Unclean || !slices.ContainsFunc(p.Methods, func(m string) bool { return !IsConnect(m) }) {
		return nil
	}
	text := p.Text[p.PathAt:]
	if urlpath.Clean(text) == text {
		return nil // clean, whatever is in braces
	}
	var kept []string
	fault := -1
	for off := p.PathAt; off < len(p.Text); {
		off++
		next := SegmentEnd(p.Text, off)
		switch seg := p.Text[off:next]; {
		case seg == "" && next == len(p.Text):
			kept = append(kept, "")
		case seg == "" || urlpath.IsDots(seg):
			if fault < 0 {
				fault = off
			}
			if seg == ".." && len(kept) > 0 {
				kept = kept[:len(kept)-1]
			}
		default:
			kept = append(kept, seg)
		}
		off = next
	}
	if fault < 0 {
		return nil
	}
	if host := p.Text[:p.PathAt]; strings.HasSuffix(host, ":") && fault == p.PathAt+1 {
		scheme := strings.LastIndexAny(host, " \t") + 1
		return Errorf(p.Text, scheme, "a pattern has no scheme; write %q", p.Text[:scheme]+p.Text[p.PathAt+2:])
	}
	return Errorf(p.Text, fault, "no %s request reaches this path, since paths are cleaned first; write %q",
		strings.Join(slices.DeleteFunc(slices.Clone(p.Methods), IsConnect), ","), p.Text[:p.PathAt]+"/"+strings.Join(kept, "/"))
}

// SegmentEnd returns where the segment of s that begins at off ends, at a slash
// that is outside of braces. What follows a brace that is not closed is part of
// the segment.
func SegmentEnd(s string, off int) int {
	for i := off; i < len(s); i++ {
		switch s[i] {
		case '/':
			return i
		case '{':
			if i = parameterStop(s, i); i < 0 {
				return len(s)
			}
		}
	}
	return len(s)
}

// A nameSet finds a name that was added twice. Few patterns have more than a
// handful of names, so it makes a map only for those.
type nameSet struct {
	few   []string
	many  map[string]bool
	twice bool
	space [8]string
}

func (n *nameSet) add(name string) {
	if n.many == nil && len(n.few) < len(n.space) {
		n.twice = slices.Contains(n.few, name)
		n.few = append(n.space[:len(n.few)], name)
		return
	}
	if n.many == nil {
		n.many = make(map[string]bool)
		for _, m := range n.few {
			n.many[m] = true
		}
	}
	n.twice = n.many[name]
	n.many[name] = true
}

// commonMethods backs the methods of most patterns.
var commonMethods = []string{"GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS"}

// unescape returns s with its percent escapes resolved, or unchanged if one is invalid.
func unescape(s string) string {
	if strings.IndexByte(s, '%') < 0 {
		return s
	}
	u, err := url.PathUnescape(s)
	if err != nil {
		return s
	}
	return u
}

// InnerCatchAllAt returns the index of the inner catch-all, or -1.
func InnerCatchAllAt(segs []Segment) int {
	return slices.IndexFunc(segs, func(g Segment) bool { return g.Kind == InnerCatchAll })
}

// CatchAllAt returns the index of the catch-all, inner or last, or -1.
func CatchAllAt(segs []Segment) int {
	return slices.IndexFunc(segs, func(g Segment) bool { return g.Kind == InnerCatchAll || g.Kind == CatchAll })
}

// ShareSegments makes p use the segments of q if they are equal, to save memory.
func (p *Pattern) ShareSegments(q *Pattern) {
	if slices.Equal(p.Segments, q.Segments) {
		p.Segments = q.Segments
	}
}

// SamePath reports whether two paths match the same requests and have the same
// precedence: they differ at most in the names of parameters.
func SamePath(p, q []Segment) bool { return slices.EqualFunc(p, q, Segment.Same) }

var shapeSeed = maphash.MakeSeed()

// Hash returns a hash of host and path that ignores the names of parameters. It
// differs from one run of the program to the next.
func (p *Pattern) Hash() uint64 {
	var h maphash.Hash
	h.SetSeed(shapeSeed)
	h.WriteString(p.Host)
	for _, g := range p.Segments {
		h.WriteByte(byte(g.Kind))
		switch {
		case g.Kind == Literal:
			h.WriteString(g.Text)
		case g.Matcher != nil:
			h.WriteString(g.Matcher.Key)
		}
	}
	return h.Sum64()
}

// Names returns the names of the pattern's parameters from left to right,
// those of the host first.
func (p *Pattern) Names() []string {
	var names []string
	if f := p.HostPattern(); f != nil {
		names = AppendNames(names, f.Labels)
	}
	return AppendNames(names, p.Segments)
}

// AppendNames appends the names of the parameters of segments.
func AppendNames(names []string, segs []Segment) []string {
	for _, g := range segs {
		switch {
		case g.Kind == Composite:
			names = append(names, g.Matcher.Names...)
		case g.Params() > 0:
			names = append(names, g.Text)
		}
	}
	return names
}
