package muxwell

import (
	"fmt"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
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
	host    string    // as [foldHost] returns it; "" means every host
	path    int       // where the path begins in str
	segs    []segment // never empty
}

// A segment is one element of a pattern's path.
type segment struct {
	kind segmentKind
	text string // the unescaped literal, or the parameter's name; "" for an anonymous catch-all and the end
}

// A segmentKind orders segments by precedence: what is smaller is tried first.
type segmentKind uint8

const (
	literal segmentKind = iota // matches a segment that equals its text
	param                      // {x}: matches one non-empty segment
	end                        // {$}: matches the empty text after a path's last slash
	rest                       // {x...} or a trailing slash: matches all that is left, even nothing
)

func (p *pattern) last() segment { return p.segs[len(p.segs)-1] }

// parsePattern parses a registration string:
//
//	pattern = [ [ methods ] blanks ] [ host ] path
//	methods = token *( "," token )
//	blanks  = 1*( SP | TAB )
//	path    = 1*( "/" segment )
//	segment = text | "{" name "}" | last
//	last    = "" | "{$}" | "{" name "...}"     only at the end
//
// A method ends at the first blank, if one comes before the first "/" and "{".
// A name is any text without "{", "}", ":" and "/" that is not "$". Names are
// distinct within a pattern. A path with "//", "/./" or "/../" is legal only
// where a request can reach it: without a method, for CONNECT alone, or with
// unclean (the mux serves paths as they were sent).
//
// Errors are of type *PatternError.
func parsePattern(s string, unclean bool) (*pattern, error) {
	p := &pattern{str: s}
	fail := func(offset int, format string, args ...any) (*pattern, error) {
		return nil, patternError(s, offset, format, args...)
	}
	if s == "" {
		return fail(0, `the pattern is empty; to match every path write "/"`)
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

	slash := strings.IndexByte(s[off:], '/')
	if slash < 0 {
		return fail(len(s), "%s", noPath(s[:off], s[off:]))
	}
	host := s[off : off+slash]
	if i := strings.IndexByte(host, '{'); i >= 0 {
		if i == 0 && strings.IndexByte(host, '}') == len(host)-1 {
			return fail(off, "a host is literal text; to begin a path write %q", "/"+host)
		}
		return fail(off+i, "a host is literal text, '{' cannot stand in it")
	}
	if i := strings.IndexAny(host, " \t,"); i >= 0 {
		return fail(off+i, "blank or comma in a host; a pattern is [METHOD ][HOST]/PATH, and methods are listed as GET,POST without blanks")
	}
	if strings.HasPrefix(host, "*") {
		return fail(off, "a host is literal text, '*' cannot stand at its beginning")
	}
	p.host = foldHost(host)
	p.path = off + slash

	if text := s[p.path:]; !unclean && slices.ContainsFunc(p.methods, func(m string) bool { return !isConnect(m) }) {
		if c := cleanPath(text); c != text {
			return fail(p.path+uncleanAt(text), "no %s request reaches this path, since paths are cleaned first; write %q",
				strings.Join(slices.DeleteFunc(slices.Clone(p.methods), isConnect), ","), s[:p.path]+c)
		}
	}
	return parsePath(p, fail)
}

// noPath returns the reason why methods and what follows them, which has no
// slash, are no pattern.
func noPath(methods, what string) string {
	switch {
	case what == "":
		return fmt.Sprintf("no path after the method; to match every path write %q", abridge(methods+"/"))
	case methods == "" && looksLikeMethods(what):
		return fmt.Sprintf("no path after the method; to match every path write %q", abridge(what+" /"))
	case strings.ContainsAny(what, ".:"):
		return fmt.Sprintf("no path; for this host write %q, for a path %q", abridge(methods+what+"/"), abridge(methods+"/"+what))
	}
	return fmt.Sprintf("no path: a pattern is [METHOD ][HOST]/PATH; for a path write %q", abridge(methods+"/"+what))
}

func isConnect(method string) bool { return method == "CONNECT" }

// maxSegments is the most segments of a pattern. Tables are built by recursion,
// which has its limits; requests have none.
const maxSegments = 1 << 16

// parsePath appends the segments of p's path to p.segs.
func parsePath(p *pattern, fail func(int, string, ...any) (*pattern, error)) (*pattern, error) {
	s := p.str
	if strings.Count(s[p.path:], "/") > maxSegments {
		return fail(p.path, "the path has more than %d segments", maxSegments)
	}
	p.segs = make([]segment, 0, strings.Count(s[p.path:], "/"))
	var seen nameSet
	for off := p.path; off < len(s); {
		off++ // the slash
		stop := len(s)
		if i := strings.IndexByte(s[off:], '/'); i >= 0 {
			stop = off + i
		}
		text, final := s[off:stop], stop == len(s)
		open := strings.IndexByte(text, '{')
		switch {
		case text == "" && final:
			p.segs = append(p.segs, segment{kind: rest})
			return p, nil
		case open < 0:
			p.segs = append(p.segs, segment{literal, unescape(text)})
			off = stop
			continue
		}
		closing := strings.IndexByte(s[off+open:], '}')
		switch {
		case closing < 0:
			return fail(off+open, "'{' is never closed; for the character itself write %%7B")
		case open > 0:
			return fail(off+open, "a parameter is a whole segment: put a '/' before it; for the character itself write %%7B")
		}
		name := s[off+1 : off+closing]
		if after := off + closing + 1; after < len(s) && s[after] != '/' {
			return fail(after, "a parameter is a whole segment: a '/' or the end must follow its '}'")
		}
		kind := param
		if name == "$" {
			if !final {
				return fail(off, "{$} is the end of a path; nothing can follow it")
			}
			p.segs = append(p.segs, segment{kind: end})
			return p, nil
		}
		if base, ok := strings.CutSuffix(name, "..."); ok {
			if !final {
				return fail(off, "a catch-all takes the rest of a path; nothing can follow it")
			}
			name, kind = base, rest
		}
		if reason, at := badName(name); reason != "" {
			return fail(off+1+at, "%s", reason)
		}
		if seen.add(name); seen.twice {
			return fail(off+1, "two parameters are called %q; a name stands once in a pattern", name)
		}
		p.segs = append(p.segs, segment{kind, name})
		off = stop
	}
	return p, nil
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

// badName returns why a parameter cannot bear name, and the offset in name, or "".
func badName(name string) (reason string, at int) {
	if name == "" {
		return "the parameter has no name; write {id}, or {path...} for a catch-all", 0
	}
	if name == "$" {
		return "{$} is the end of a path, not a parameter that can be a catch-all", 0
	}
	if base, ok := strings.CutSuffix(name, "..."); ok {
		return `"..." cannot end a parameter's name`, len(base)
	}
	if i := strings.IndexAny(name, "{:/"); i >= 0 {
		return strconv.Quote(name[i:i+1]) + " cannot stand in a parameter's name", i
	}
	return "", 0
}

// commonMethods backs the methods of most patterns.
var commonMethods = []string{"GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS"}

// parseMethods parses the method list s[:blank].
func parseMethods(s string, blank int) ([]string, error) {
	next := strings.TrimLeft(s[blank:], " \t")
	fail := func(offset int, format string, args ...any) ([]string, error) {
		return nil, patternError(s, offset, format, args...)
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

// cleanPath returns the canonical form of a path: rooted, without empty, "."
// and ".." segments, its trailing slash kept. It begins with exactly one slash.
func cleanPath(p string) string {
	if p == "" {
		return "/"
	}
	if p[0] != '/' {
		p = "/" + p
	}
	c := path.Clean(p)
	if p[len(p)-1] != '/' || c == "/" {
		return c
	}
	if len(p) == len(c)+1 && strings.HasPrefix(p, c) {
		return p // clean already: no need to build it again
	}
	return c + "/"
}

// uncleanAt returns where the first empty or dot segment of an unclean path
// begins.
func uncleanAt(path string) int {
	at := 0
	for seg := range strings.SplitSeq(path[1:], "/") {
		at++
		if seg == "" || isDots(seg) {
			break
		}
		at += len(seg)
	}
	return at
}
