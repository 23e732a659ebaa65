package matcher

import (
	"fmt"
	"net/http"
	"net/netip"
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/muxwell/muxwell/internal/byteclass"
	"github.com/muxwell/muxwell/internal/excerpt"
	"github.com/muxwell/muxwell/internal/overlap"
	"github.com/muxwell/muxwell/internal/pattern"
)

// A headerPart is a header that a route requires. Its name is canonical, like the keys
// of a request's header, so one map lookup finds it.
type headerPart struct {
	name  string
	value string             // the line, or the expression; "" without an expression for any line
	expr  *byteclass.Program // of HeadersRegexp, otherwise nil
}

// AddHeaders adds the matcher of an option Headers.
func (s *Set) AddHeaders(pairs []string) error {
	return s.addParts("Headers", pairs, (*headerPart).checkValue)
}

// AddHeadersRegexp adds the matcher of an option HeadersRegexp.
func (s *Set) AddHeadersRegexp(pairs []string) error {
	return s.addParts("HeadersRegexp", pairs, (*headerPart).compile)
}

// addParts adds the matcher of the option called name. check returns what is wrong with
// a part's value.
func (s *Set) addParts(name string, pairs []string, check func(*headerPart) (reason string)) error {
	text := OptionText(name, pairs)
	switch n := len(pairs); {
	case n == 0:
		return matchErrorf(text, "no header; write a name and a value")
	case n%2 != 0:
		return matchErrorf(text, "the header %q has no value; write a value after each name", pairs[n-1])
	}
	var parts []headerPart
	for pair := range slices.Chunk(pairs, 2) {
		part := headerPart{name: http.CanonicalHeaderKey(pair[0]), value: pair[1]}
		if reason := part.checkName(pair[0]); reason != "" {
			return &Error{text, reason}
		}
		if reason := check(&part); reason != "" {
			return matchErrorf(text, "header %q: %s", part.name, reason)
		}
		parts = append(parts, part)
	}
	s.add(Matcher{
		Text: text,
		check: func(r *http.Request, _ []netip.Prefix) bool {
			for i := range parts {
				if !parts[i].matches(r.Header[parts[i].name]) {
					return false
				}
			}
			return true
		},
		Satisfy: func(r *http.Request, _ int) {
			for i := range parts {
				parts[i].satisfy(r.Header)
			}
		},
		Miss: func(r *http.Request, _ []netip.Prefix) string {
			i := slices.IndexFunc(parts, func(h headerPart) bool { return !h.matches(r.Header[h.name]) })
			return parts[max(i, 0)].mismatch(r.Header[parts[max(i, 0)].name])
		},
	})
	return nil
}

// matches reports whether one of the lines with the part's name matches.
func (h *headerPart) matches(lines []string) bool {
	switch {
	case h.exceeds(lines):
		return false
	case h.expr != nil:
		for _, line := range lines {
			if h.expr.Match(line) {
				return true
			}
		}
		return false
	case h.value == "":
		return len(lines) > 0
	}
	return slices.Contains(lines, h.value)
}

// The longest header that matchers read line by line.
const (
	maxHeaderLines = 256
	maxHeader      = 16 << 10 // bytes, all of which expressions read
)

// exceeds reports whether the lines exceed the limits of the part.
func (h *headerPart) exceeds(lines []string) bool {
	if h.expr == nil {
		return len(lines) > maxHeaderLines && h.value != ""
	}
	size, ok := headerSize(lines)
	return !ok || size > maxHeader
}

// headerSize returns the number of bytes in the lines of a header, and false if these
// are more than matchers read.
func headerSize(lines []string) (size int, ok bool) {
	if len(lines) > maxHeaderLines {
		return 0, false
	}
	for _, line := range lines {
		size += len(line)
	}
	return size, true
}

// satisfy adds a line that matches the part, if there is none and one is known.
func (h *headerPart) satisfy(header http.Header) {
	if h.matches(header[h.name]) {
		return
	}
	line := headerPart{value: h.value}
	if h.expr != nil {
		f := &pattern.SegmentMatcher{Names: []string{h.name}, Constraints: []pattern.Constraint{{Text: h.value, Expr: h.value}}, Check: h.expr.Match}
		line.value, _ = overlap.Find([]pattern.Segment{{Kind: pattern.Constrained, Text: h.name, Matcher: f}}, nil)
	} else if line.value == "" {
		line.value = "x"
	}
	if line.checkValue() == "" {
		header[h.name] = append(header[h.name], line.value)
	}
}

// mismatch returns why the lines do not match the part.
func (h *headerPart) mismatch(lines []string) string {
	switch {
	case len(lines) == 0:
		return "header " + h.name + " is missing"
	case h.expr != nil && h.exceeds(lines):
		return fmt.Sprintf("header %s has more than %d lines or %d bytes, the limits of what is read", h.name, maxHeaderLines, maxHeader)
	case h.exceeds(lines):
		return fmt.Sprintf("header %s has %d lines, but at most %d are read", h.name, len(lines), maxHeaderLines)
	case h.expr != nil:
		return fmt.Sprintf("header %s is %q, which %s does not match", h.name, excerpt.Abridge(strings.Join(lines, ", ")), excerpt.Abridge(h.value))
	}
	return fmt.Sprintf("header %s is %q, not %q", h.name, excerpt.Abridge(strings.Join(lines, ", ")), excerpt.Abridge(h.value))
}

// checkName returns why a request cannot have a header with the name, which was written
// as given, or "".
func (h *headerPart) checkName(given string) (reason string) {
	switch {
	case given == "":
		return "a header's name is empty; write one before each value"
	case !pattern.IsToken(given):
		return fmt.Sprintf("%q cannot be a header's name, which is made of letters, digits and !#$%%&'*+-.^_`|~", excerpt.Abridge(given))
	case h.name == "Host":
		return "the host is not among the headers of a request; write it in the pattern"
	case h.name == "Transfer-Encoding" || h.name == "Trailer":
		return h.name + " is not among the headers of a request; write a MatchFunc that reads the request's field of that name"
	}
	return ""
}

// checkValue returns why no line can have the part's value, or "".
func (h *headerPart) checkValue() (reason string) {
	switch {
	case strings.Trim(h.value, " \t") != h.value:
		return "no value of a header begins or ends with a space; remove it"
	case strings.ContainsFunc(h.value, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }):
		return "no value of a header has a control character; remove it"
	}
	return ""
}

// compile sets the part's expression, or returns why it is invalid.
func (h *headerPart) compile() (reason string) {
	if h.value == "" {
		return `the expression is empty; for any line write Headers with the value "", for an empty one ^$`
	}
	tree, err := syntax.Parse(h.value, syntax.Perl)
	if err != nil {
		return pattern.RegexpReason(err)
	}
	if h.expr, err = byteclass.Compile(h.value); err != nil {
		return pattern.RegexpReason(err)
	}
	if !pattern.MatchesText(tree.Simplify()) && !h.expr.Match("") {
		return "the regular expression matches nothing"
	}
	return ""
}
