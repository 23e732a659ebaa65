package matcher

import (
	"fmt"
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"github.com/muxwell/muxwell/internal/excerpt"
	"github.com/muxwell/muxwell/internal/mediatype"
)

// AddAccept adds the matcher of an option Accept.
func (s *Set) AddAccept(mediaTypes []string) error {
	text := OptionText("Accept", mediaTypes)
	types, err := parseMediaTypes(text, mediaTypes)
	if err != nil {
		return err
	}
	if i := slices.IndexFunc(types, func(t mediatype.Type) bool { return t.Sub == "*" }); i >= 0 {
		return matchErrorf(text, "%q is a range, which only clients use; write the types that the handler can answer with", mediaTypes[i])
	}
	s.add(Matcher{
		Text:   text,
		Accept: types,
		Status: http.StatusNotAcceptable,
		Satisfy: func(r *http.Request, way int) {
			r.Header.Add("Accept", mediaTypes[way%len(mediaTypes)])
		},
		Miss: func(r *http.Request, _ []netip.Prefix) string {
			if _, ok := acceptSize(r.Header["Accept"]); !ok {
				return fmt.Sprintf("Accept has more than %d bytes or %d elements, the limits of what is read", maxAccept, maxAcceptElements)
			}
			return fmt.Sprintf("Accept %q does not include %s", excerpt.Abridge(strings.Join(r.Header["Accept"], ", ")), excerpt.Abridge(strings.Join(mediaTypes, " or ")))
		},
	})
	return nil
}

// AddContentType adds the matcher of an option ContentType.
func (s *Set) AddContentType(mediaTypes []string) error {
	text := OptionText("ContentType", mediaTypes)
	types, err := parseMediaTypes(text, mediaTypes)
	if err != nil {
		return err
	}
	if i := slices.IndexFunc(mediaTypes, func(name string) bool { return len(name) > maxContentType }); i >= 0 {
		return matchErrorf(text, "%q has %d bytes, but at most %d bytes of a Content-Type are read; omit parameters", excerpt.Abridge(mediaTypes[i]), len(mediaTypes[i]), maxContentType)
	}
	s.add(Matcher{
		Text:   text,
		check:  func(r *http.Request, _ []netip.Prefix) bool { return hasContentType(r, types) },
		Status: http.StatusUnsupportedMediaType,

		MediaTypes: slices.Clone(mediaTypes),
		Satisfy: func(r *http.Request, way int) {
			// No main type has a '*', so the first '*' is a subtype.
			r.Header.Set("Content-Type", strings.Replace(mediaTypes[way%len(mediaTypes)], "/*", "/plain", 1))
		},
		Miss: func(r *http.Request, _ []netip.Prefix) string {
			v := contentType(r)
			switch {
			case v == "":
				return "Content-Type is missing"
			case len(v) > maxContentType:
				return fmt.Sprintf("Content-Type has %d bytes, but at most %d are read", len(v), maxContentType)
			}
			return fmt.Sprintf("Content-Type is %q, not %s", excerpt.Abridge(v), excerpt.Abridge(strings.Join(mediaTypes, " or ")))
		},
	})
	return nil
}

// parseMediaTypes parses the media types of the option that is written as text.
func parseMediaTypes(text string, names []string) ([]mediatype.Type, error) {
	if len(names) == 0 {
		return nil, matchErrorf(text, `no media type; write one, such as "application/json"`)
	}
	types := make([]mediatype.Type, len(names))
	for i, name := range names {
		t, reason := mediatype.Parse(name)
		switch {
		case reason != "":
			return nil, &Error{text, reason}
		case strings.Contains(t.Main, "*"):
			return nil, matchErrorf(text, "%q has a '*' before the '/'; to match every type omit the option", name)
		case t.Sub != "*" && strings.Contains(t.Sub, "*"):
			return nil, matchErrorf(text, "%q has a '*' in a subtype, which no type has; write the whole type", name)
		}
		types[i] = t
	}
	return types, nil
}

// The longest Accept header that matchers read. A browser's has about 150 bytes and
// ten elements.
const (
	maxAccept         = 4 << 10 // bytes
	maxAcceptElements = 256     // including empty ones, and parts between commas in quoted strings
)

// acceptCost is the number of bytes of a query that cost as much as one byte of an
// Accept header when read again. Parsing a query takes as long as reading it five or
// six times. Parsing an Accept header takes less than twice as long as reading it.
const acceptCost = 16

// acceptSize returns the number of bytes of an Accept header, and false if the header
// is longer than matchers read.
func acceptSize(lines []string) (size int, ok bool) {
	size, ok = headerSize(lines)
	elements := len(lines)
	switch {
	case !ok || size > maxAccept:
		return 0, false
	case elements+size <= maxAcceptElements:
		return size, true // the common case
	}
	for _, line := range lines {
		elements += strings.Count(line, ",")
	}
	return size, elements <= maxAcceptElements
}

// acceptQuality is [mediatype.Quality] for a header that is not too long, otherwise 0.
func (st *State) acceptQuality(lines []string, types []mediatype.Type) int {
	size, ok := acceptSize(lines)
	switch {
	case !ok:
		return 0
	case st.reads(acceptCost * size):
		return mediatype.Quality(lines, types)
	}
	parsed := st.keep()
	if parsed.accept == nil {
		parsed.accept = mediatype.ParseRanges(lines)
	}
	return parsed.accept.Quality(types)
}

// maxContentType is the length of the longest Content-Type that matchers read, in
// bytes. It is short enough to be parsed for each route: the names of a type have at
// most 127 characters (RFC 6838 §4.2), a boundary has at most 70 (RFC 2046 §5.1.1).
const maxContentType = 1 << 10

// contentType returns the first Content-Type of a request, which is the one that
// handlers read. Matchers do not read one that is longer than maxContentType.
func contentType(r *http.Request) string {
	lines := r.Header["Content-Type"]
	switch {
	case len(lines) == 0:
		return ""
	case len(lines[0]) > maxContentType:
		return lines[0]
	}
	return strings.Trim(lines[0], " \t")
}

// hasContentType reports whether the body of a request has one of the types, or the
// request has no body.
func hasContentType(r *http.Request, types []mediatype.Type) bool {
	value := contentType(r)
	switch {
	case value == "":
		return r.ContentLength == 0
	case len(value) > maxContentType:
		return false
	}
	return mediatype.Contains(types, value)
}
