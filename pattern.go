package muxwell

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/muxwell/muxwell/internal/excerpt"
	"github.com/muxwell/muxwell/internal/urlpath"
)

// A pattern is what a registration string says, in the form that the rest of
// the package works on: methods, folded host, and a path split into segments.
// Three spellings are normalised here, so that no later step knows them:
//
//   - A trailing slash is an anonymous catch-all: "/a/" is a, {...}.
//   - "{$}" is the end of a path after a slash: "/a/{$}" is a, end.
//   - Literals are unescaped: "/a%20b" is the literal "a b". A literal may
//     therefore hold a slash (from %2F), which is text and separates nothing.
type pattern struct {
	str     string    // the text as registered
	methods []string  // in the order written; nil means every method
	host    string    // what tells hosts apart: as [hostname.Fold] returns it, without the names of parameters; "" means every host
	path    int       // where the path begins in str
	segs    []segment // never empty
	rare    *rare     // nil for most patterns
}

// A rare is what few patterns have.
type rare struct {
	host  *hostForm // of a host with parameters
	order []segment // the segments as they are matched, if there is a catch-all in the middle
	// written has the segments as they were written if they are matched without
	// regard to case.
	written []segment
}

func (p *pattern) last() segment { return p.segs[len(p.segs)-1] }

// order returns the segments in the order in which a path is matched: from left
// to right; behind a catch-all in the middle from the end of the path to the
// left. An end is there a literal without text.
//
//	/a/{x...}/b/{$}    "a" {x...} "" "b"
func (p *pattern) order() []segment {
	if p.rare != nil && p.rare.order != nil {
		return p.rare.order
	}
	return p.segs
}

// hostForm returns how the host is matched if it has parameters, else nil.
func (p *pattern) hostForm() *hostForm {
	if p.rare == nil {
		return nil
	}
	return p.rare.host
}

// rules are what a mux says about patterns.
type rules struct {
	unclean     bool                         // paths are served as they were sent
	constraints map[string]func(string) bool // beside the builtin ones
	lenient     bool                         // constraints need not be known; the pattern is not for matching
}

// parsePattern parses a registration string:
//
//	pattern    = [ [ methods ] blanks ] [ host ] path
//	methods    = token *( "," token )
//	blanks     = 1*( SP | TAB )
//	host       = label *( "." label ) [ ":" port ]
//	label      = segment | "{" name "...}"          one with dots at most
//	           | "*"                                at the beginning only
//	port       = text                               digits, in a host with parameters
//	path       = 1*( "/" segment ) [ "/" [ "{$}" ] ]
//	segment    = 1*( text | parameter )             no two parameters beside each other
//	           | "{" name "...}"                    one at most, and no trailing slash beside it
//	parameter  = "{" name [ ":" constraint ] "}"
//	constraint = identifier | expression
//
// A method ends at the first blank, if one comes before the first "/" and "{".
// A name is any text without "{", "}", ":" and "/" that is not "$" and that
// foreignName takes. Names are distinct within a pattern. A path with "//", "/./" or "/../" is legal only
// where a request can reach it: without a method, for CONNECT alone, or where
// the mux serves paths as they were sent.
//
// Errors are of type *parseError.
func parsePattern(s string, r rules) (*pattern, error) {
	p := &pattern{str: s}
	if s == "" {
		return nil, newParseError(s, 0, `the pattern is empty; to match every path write "/"`)
	}
	off := 0
	if blank := strings.IndexAny(s, " \t/{"); blank >= 0 && (s[blank] == ' ' || s[blank] == '\t') {
		methods, err := parseMethods(s, blank)
		if err != nil {
			return nil, err
		}
		p.methods = methods
		off = blank + len(s[blank:]) - len(strings.TrimLeft(s[blank:], " \t"))
	}
	ps := &patternParser{rules: r, s: s}
	if err := ps.host(p, off); err != nil {
		return nil, err
	}
	if err := ps.path(p); err != nil {
		return nil, err
	}
	return p, nil
}

// noPath returns the reason why methods and what follows them, which has no
// slash, are no pattern.
func noPath(methods, what string) string {
	switch {
	case what == "":
		return fmt.Sprintf("no path after the method; to match every path write %q", excerpt.Abridge(methods+"/"))
	case methods == "" && looksLikeMethods(what):
		return fmt.Sprintf("no path after the method; to match every path write %q", excerpt.Abridge(what+" /"))
	case strings.ContainsAny(what, ".:"):
		return fmt.Sprintf("no path; for this host write %q, for a path %q", excerpt.Abridge(methods+what+"/"), excerpt.Abridge(methods+"/"+what))
	}
	return fmt.Sprintf("no path: a pattern is [METHOD ][HOST]/PATH; for a path write %q", excerpt.Abridge(methods+"/"+what))
}

func isConnect(method string) bool { return method == "CONNECT" }

// maxSegments is the most segments of a pattern. Tables are built by recursion,
// which has its limits; requests have none.
const maxSegments = 1 << 16

// path parses the path of p, which begins at p.path.
func (ps *patternParser) path(p *pattern) error {
	s := ps.s
	ps.stop = '/'
	if strings.Count(s[p.path:], "/") > maxSegments {
		return ps.fail(p.path, "the path has more than %d segments", maxSegments)
	}
	if err := p.checkClean(ps.rules); err != nil {
		return err
	}
	p.segs = make([]segment, 0, strings.Count(s[p.path:], "/"))
	catchAll := -1 // where it stands
	for off := p.path; off < len(s); {
		off++ // the slash
		if stop := plainSegment(s, off); stop >= 0 && (stop > off || stop < len(s)) {
			p.segs = append(p.segs, segment{kind: literal, text: unescape(s[off:stop])})
			off = stop
			continue
		}
		pieces, next, err := ps.pieces(off, len(s))
		if err != nil {
			return err
		}
		g, err := ps.segment(pieces, unescape)
		if err != nil {
			return err
		}
		final := next == len(s)
		if len(pieces) == 0 {
			g.kind = rest
		}
		switch {
		case g.kind == rest && catchAll >= 0 && len(pieces) == 0:
			return ps.fail(off, "a trailing slash is a catch-all, and there is one at offset %d; leave the slash out, or write {$} behind it", catchAll)
		case g.kind == rest && catchAll >= 0:
			return ps.fail(off, "a second catch-all: where the first one ends could not be told; name the segments of one of them")
		case g.kind == rest && final:
			catchAll = off
		case g.kind == rest:
			catchAll, g.kind = off, middle
		case g.kind == end && !final:
			return ps.fail(off, "{$} is the end of a path; nothing can follow it")
		}
		p.segs = append(p.segs, g)
		off = next
	}
	p.setOrder()
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

// setOrder sets the order of matching if there is a catch-all in the middle.
func (p *pattern) setOrder() {
	at := middleAt(p.segs)
	if at < 0 {
		return
	}
	order := slices.Clone(p.segs)
	slices.Reverse(order[at+1:])
	if g := &order[at+1]; g.kind == end {
		*g = segment{kind: literal}
	}
	if p.rare == nil {
		p.rare = new(rare)
	}
	p.rare.order = order
}

// checkClean checks that requests reach the path: they are cleaned, but for
// CONNECT, unless r says that paths are served as they were sent.
func (p *pattern) checkClean(r rules) error {
	if r.unclean || !slices.ContainsFunc(p.methods, func(m string) bool { return !isConnect(m) }) {
		return nil
	}
	text := p.str[p.path:]
	if urlpath.Clean(text) == text {
		return nil // so it is, whatever stands in braces
	}
	var kept []string
	fault := -1
	for off := p.path; off < len(p.str); {
		off++
		next := segmentStop(p.str, off)
		switch seg := p.str[off:next]; {
		case seg == "" && next == len(p.str):
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
	if host := p.str[:p.path]; strings.HasSuffix(host, ":") && fault == p.path+1 {
		scheme := strings.LastIndexAny(host, " \t") + 1
		return newParseError(p.str, scheme, "a pattern has no scheme; write %q", p.str[:scheme]+p.str[p.path+2:])
	}
	return newParseError(p.str, fault, "no %s request reaches this path, since paths are cleaned first; write %q",
		strings.Join(slices.DeleteFunc(slices.Clone(p.methods), isConnect), ","), p.str[:p.path]+"/"+strings.Join(kept, "/"))
}

// segmentStop returns where the segment of s that begins at off ends, at a slash
// that is outside of braces. What follows a brace that is not closed is part of
// the segment.
func segmentStop(s string, off int) int {
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

// parseMethods parses the method list s[:blank].
func parseMethods(s string, blank int) ([]string, error) {
	next := strings.TrimLeft(s[blank:], " \t")
	fail := func(offset int, format string, args ...any) ([]string, error) {
		return nil, newParseError(s, offset, format, args...)
	}
	if strings.HasPrefix(next, ",") {
		return fail(blank, "no blank may stand before a comma; write %q", s[:blank]+","+strings.TrimLeft(next, ", \t"))
	}
	if blank == 0 {
		return nil, nil // as http.ServeMux has it: no method
	}
	if i := slices.Index(commonMethods, s[:blank]); i >= 0 {
		return commonMethods[i : i+1 : i+1], nil
	}
	methods, off := strings.Split(s[:blank], ","), 0
	for i, m := range methods {
		switch {
		case m == "" && i > 0 && i == len(methods)-1 && looksLikeMethods(firstField(next)):
			return fail(off, "no blank may follow a comma; write %q", s[:blank]+next)
		case m == "" && i > 0 && i == len(methods)-1:
			return fail(off, "a method is missing after the comma")
		case m == "":
			return fail(off, "a method is missing before the comma")
		case !isToken(m):
			at := strings.IndexFunc(m, func(r rune) bool { return !isTokenRune(r) })
			if r, size := utf8.DecodeRuneInString(m[at:]); size > 1 || r != utf8.RuneError {
				return fail(off+at, "%q cannot stand in a method", r)
			}
			return fail(off+at, "byte %#02x cannot stand in a method", m[at])
		case slices.Contains(methods[:i], m):
			return fail(off, "method %s is listed twice", m)
		}
		off += len(m) + 1
	}
	return methods, nil
}

func firstField(s string) string {
	if i := strings.IndexAny(s, " \t"); i >= 0 {
		return s[:i]
	}
	return s
}

// looksLikeMethods reports whether s is upper-case words, as a reader would
// take a method list to be.
func looksLikeMethods(s string) bool {
	for _, m := range strings.Split(s, ",") {
		if !isToken(m) || strings.ToUpper(m) != m || strings.Contains(m, ".") {
			return false
		}
	}
	return true
}

// isToken reports whether s is a token of RFC 9110 §5.6.2, as a method must be.
func isToken(s string) bool {
	for _, r := range s {
		if !isTokenRune(r) {
			return false
		}
	}
	return s != ""
}

func isTokenRune(r rune) bool {
	return '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' ||
		r < 0x80 && strings.ContainsRune("!#$%&'*+-.^_`|~", r)
}

// unescape returns s with its percent escapes resolved; where one is invalid,
// s as it is.
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

// middleAt returns which segment is a catch-all in the middle, or -1.
func middleAt(segs []segment) int {
	return slices.IndexFunc(segs, func(g segment) bool { return g.kind == middle })
}

// catchAllAt returns which of segs is a catch-all, or -1.
func catchAllAt(segs []segment) int {
	return slices.IndexFunc(segs, func(g segment) bool { return g.kind == middle || g.kind == rest })
}

// samePath reports whether two paths match the same requests and would take
// the same place in the order: they differ in the names of parameters at most.
func samePath(p, q []segment) bool { return slices.EqualFunc(p, q, segment.same) }
