package muxwell

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/muxwell/muxwell/internal/excerpt"
	"github.com/muxwell/muxwell/internal/pattern"
)

// Accept makes a route take only requests that ask for one of the media types,
// which are those that its handler can answer with: "application/json", or with
// parameters "text/csv; header=present". A request that misses nothing else is
// answered with 406.
//
// The Accept header of the request is read as RFC 9110 §12.5.1 says, all lines of
// it. Of its ranges the closest to a type decides: one with more of its parameters
// before one with fewer, the type itself before type/*, that before */*; of two as
// close the one with the higher q. A range with parameters is only for types that
// have them; names and the values of charset are compared without case. A q of 0
// refuses. Ranges that cannot be read are skipped; if none is left the client has
// said nothing, and as one without an Accept header it gets what there is. A header
// of more than 4,096 bytes or 256 elements, empty ones included, asks for none of the
// types.
//
// A vendor type without a format, as application/vnd.acme.v2, stands for all
// formats: it is also what a client asks for with application/vnd.acme.v2+json. So
// a version of an API is a route with one type, whatever it is written in.
//
// Of several routes with the same pattern that ask for this, the one whose type
// the client gives the highest q goes first, then the one registered first.
//
// The router sets no Vary header; handlers of which one is chosen so should.
//
// Registration fails with an [*OptionError] if there is no type, or one cannot be
// read, is a range, or has a q.
func Accept(mediaTypes ...string) RouteOption {
	mediaTypes = slices.Clone(mediaTypes)
	return RouteOption{func(rt *Route, _ pattern.Rules) error {
		text := optionText("Accept", mediaTypes)
		types, err := parseMediaTypes(text, mediaTypes)
		if err != nil {
			return err
		}
		if i := slices.IndexFunc(types, func(t mediaType) bool { return t.sub == "*" }); i >= 0 {
			return optionError(text, "%q is a range, which is for clients to ask for; write the types that the handler can answer with", mediaTypes[i])
		}
		rt.addMatcher(matcher{
			text:   text,
			accept: types,
			status: http.StatusNotAcceptable,
			meet: func(r *http.Request, way int) {
				r.Header.Add("Accept", mediaTypes[way%len(mediaTypes)])
			},
			miss: func(r *http.Request, _ *config) string {
				if _, ok := acceptSize(r.Header["Accept"]); !ok {
					return fmt.Sprintf("Accept has more than %d bytes or %d elements, the most that are read", maxAccept, maxAcceptElements)
				}
				return fmt.Sprintf("Accept %q does not take %s", excerpt.Abridge(strings.Join(r.Header["Accept"], ", ")), excerpt.Abridge(strings.Join(mediaTypes, " or ")))
			},
		})
		return nil
	}}
}

// ContentType makes a route take only requests whose body is of one of the media
// types. A request that misses nothing else is answered with 415.
//
// Types are compared without case. The parameters of a type must be among those of
// the request's Content-Type, which may have more; their names and the values of
// charset are compared without case. text/* takes every type that begins with
// text/. A Content-Type that cannot be read, or is longer than 1,024 bytes, is none of
// the types. A request without one is taken if it has no body.
//
// Registration fails with an [*OptionError] if there is no type, or one cannot be
// read, is longer than that or has a q.
func ContentType(mediaTypes ...string) RouteOption {
	mediaTypes = slices.Clone(mediaTypes)
	return RouteOption{func(rt *Route, _ pattern.Rules) error {
		text := optionText("ContentType", mediaTypes)
		types, err := parseMediaTypes(text, mediaTypes)
		if err != nil {
			return err
		}
		if i := slices.IndexFunc(mediaTypes, func(name string) bool { return len(name) > maxContentType }); i >= 0 {
			return optionError(text, "%q has %d bytes, and of a Content-Type %d are read at most; leave parameters out", excerpt.Abridge(mediaTypes[i]), len(mediaTypes[i]), maxContentType)
		}
		rt.addMatcher(matcher{
			text:   text,
			check:  func(r *http.Request, _ *config) bool { return hasContentType(r, types) },
			status: http.StatusUnsupportedMediaType,
			meet: func(r *http.Request, way int) {
				// No main type has a '*', so that the first one is a subtype.
				r.Header.Set("Content-Type", strings.Replace(mediaTypes[way%len(mediaTypes)], "/*", "/plain", 1))
			},
			miss: func(r *http.Request, _ *config) string {
				v := contentType(r)
				switch {
				case v == "":
					return "Content-Type is missing"
				case len(v) > maxContentType:
					return fmt.Sprintf("Content-Type has %d bytes, of which %d are read at most", len(v), maxContentType)
				}
				return fmt.Sprintf("Content-Type is %q, not %s", excerpt.Abridge(v), excerpt.Abridge(strings.Join(mediaTypes, " or ")))
			},
		})
		return nil
	}}
}

// parseMediaTypes returns the types that the option which is written as text
// names.
func parseMediaTypes(text string, names []string) ([]mediaType, error) {
	if len(names) == 0 {
		return nil, optionError(text, `no media type; write one, as "application/json"`)
	}
	types := make([]mediaType, len(names))
	for i, name := range names {
		t, reason := parseMediaType(name)
		switch {
		case reason != "":
			return nil, &OptionError{Option: text, Reason: reason}
		case strings.Contains(t.main, "*"):
			return nil, optionError(text, "%q has a '*' in front of the '/'; leave the option out to take every type", name)
		case t.sub != "*" && strings.Contains(t.sub, "*"):
			return nil, optionError(text, "%q has a '*' in a subtype, and none is called so; write the whole type", name)
		}
		types[i] = t
	}
	return types, nil
}

// The longest Accept header that matchers read. A browser's has about 150 bytes and
// ten elements.
const (
	maxAccept         = 4 << 10 // bytes
	maxAcceptElements = 256     // empty ones included, and what commas in quoted strings separate
)

// acceptCost is how many bytes of a query count as much as one of an Accept header
// when something is read again. To parse a query takes as long as to read it five or
// six times. To parse an Accept header takes less than twice as long as to read it.
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
		return size, true // so it is for most
	}
	for _, line := range lines {
		elements += strings.Count(line, ",")
	}
	return size, elements <= maxAcceptElements
}

// acceptQuality is the function of that name for a header that is not too long, else
// 0.
func (st *matchState) acceptQuality(lines []string, types []mediaType) int {
	size, ok := acceptSize(lines)
	switch {
	case !ok:
		return 0
	case st.reads(acceptCost * size):
		return acceptQuality(lines, types)
	}
	parsed := st.keep()
	if parsed.accept == nil {
		parsed.accept = parseAccept(lines)
	}
	return parsed.accept.quality(types)
}

// acceptQuality returns how much the lines of an Accept header like the best
// liked of the types: the highest q in thousandths, or 0. The time is linear in
// the length of the header and in the number of types.
func acceptQuality(lines []string, types []mediaType) int {
	best := 0
	for len(types) > 0 {
		n := min(len(types), acceptBatch)
		weight, read := batchQuality(lines, types[:n])
		if !read {
			return 1000
		}
		best, types = max(best, weight), types[n:]
	}
	return best
}

// acceptBatch is how many types a header is read for at once.
const acceptBatch = 8

// batchQuality is acceptQuality for up to acceptBatch types. It also returns
// whether the header has a range that can be read.
func batchQuality(lines []string, types []mediaType) (best int, read bool) {
	var closest [acceptBatch]closestRange
	for _, list := range lines {
		for list != "" {
			var element string
			element, list = cutElement(list)
			m, ok := parseMediaRange(element)
			if !ok {
				continue
			}
			read = true
			for i := range types {
				closest[i].add(&m, &types[i])
			}
		}
	}
	for _, c := range closest {
		best = max(best, c.weight)
	}
	return best, read
}

// acceptRanges are the ranges of an Accept header that can be read.
type acceptRanges []mediaRange

// parseAccept returns the ranges that acceptQuality goes by.
func parseAccept(lines []string) acceptRanges {
	n := len(lines)
	for _, list := range lines {
		n += strings.Count(list, ",")
	}
	ranges := make(acceptRanges, 0, n)
	for _, list := range lines {
		for list != "" {
			var element string
			element, list = cutElement(list)
			if m, ok := parseMediaRange(element); ok {
				ranges = append(ranges, m)
			}
		}
	}
	return ranges
}

// quality is acceptQuality for the ranges.
func (ranges acceptRanges) quality(types []mediaType) (best int) {
	if len(ranges) == 0 {
		return 1000
	}
	for i := range types {
		var closest closestRange
		for j := range ranges {
			closest.add(&ranges[j], &types[i])
		}
		best = max(best, closest.weight)
	}
	return best
}

// A closestRange is the weight of the range that is closest to a type.
type closestRange struct{ closeness, weight int }

// add compares it with another range.
func (c *closestRange) add(m *mediaRange, t *mediaType) {
	switch closeness := m.closeness(t); {
	case closeness > c.closeness:
		c.closeness, c.weight = closeness, m.weight
	case closeness == c.closeness && closeness > 0:
		c.weight = max(c.weight, m.weight)
	}
}

// closeness returns how close a range is to a type that it covers, or 0. First
// counts what stands in front of the parameters, then how many of these there are.
func (m *mediaRange) closeness(t *mediaType) int {
	level := 0
	switch {
	case m.main == "*" && m.sub == "*":
		level = 1
	case !strings.EqualFold(m.main, t.main):
		return 0
	case m.sub == "*":
		level = 2
	case strings.EqualFold(m.sub, t.sub):
		level = 4
	case t.isFormatOf(m.sub):
		level = 3
	default:
		return 0
	}
	found := 0
	if m.named > 0 {
		var others, ok bool
		if m.named > len(t.params) {
			return 0 // without a look at each
		}
		if found, others, ok = t.compare(m.params); others || !ok {
			return 0
		}
	}
	return level*(maxMediaParams+1) + found
}

// isFormatOf reports whether sub is the type's subtype with a format behind it,
// which only the subtype of a vendor may have: vnd.acme.v2 and vnd.acme.v2+json.
func (t *mediaType) isFormatOf(sub string) bool {
	plus := strings.LastIndexByte(sub, '+')
	return plus == len(t.sub) && plus+1 < len(sub) && strings.HasPrefix(t.sub, "vnd.") &&
		strings.IndexByte(t.sub, '+') < 0 && strings.EqualFold(sub[:plus], t.sub)
}

// maxContentType is the longest Content-Type that matchers read, in bytes. It is
// short enough to be parsed for each route: a type's names have 127 characters at most
// (RFC 6838 §4.2), a boundary has 70 (RFC 2046 §5.1.1).
const maxContentType = 1 << 10

// contentType returns the first Content-Type of a request, which is what handlers
// read. Matchers do not read what is longer than maxContentType.
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

// hasContentType reports whether the body of a request is of one of the types, or
// there is none.
func hasContentType(r *http.Request, types []mediaType) bool {
	value := contentType(r)
	switch {
	case value == "":
		return r.ContentLength == 0
	case len(value) > maxContentType:
		return false
	}
	m, ok := parseMediaRange(value)
	if !ok || m.sub == "*" {
		return false
	}
	for i := range types {
		t := &types[i]
		if !strings.EqualFold(m.main, t.main) || t.sub != "*" && !strings.EqualFold(m.sub, t.sub) {
			continue
		}
		if len(t.params) == 0 {
			return true
		}
		if found, _, ok := t.compare(m.params); ok && found == len(t.params) {
			return true
		}
	}
	return false
}
