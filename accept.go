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
// said nothing, and as one without an Accept header it gets what there is.
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
		quality := func(r *http.Request) int { return acceptQuality(r.Header["Accept"], types) }
		rt.addMatcher(matcher{
			text:    text,
			takes:   func(r *http.Request, _ *config) bool { return quality(r) > 0 },
			quality: quality,
			status:  http.StatusNotAcceptable,
			meet: func(r *http.Request, way int) {
				r.Header.Add("Accept", mediaTypes[way%len(mediaTypes)])
			},
			miss: func(r *http.Request, _ *config) string {
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
// text/. A Content-Type that cannot be read is none of the types. A request
// without one is taken if it has no body.
//
// Registration fails with an [*OptionError] if there is no type, or one cannot be
// read or has a q.
func ContentType(mediaTypes ...string) RouteOption {
	mediaTypes = slices.Clone(mediaTypes)
	return RouteOption{func(rt *Route, _ pattern.Rules) error {
		text := optionText("ContentType", mediaTypes)
		types, err := parseMediaTypes(text, mediaTypes)
		if err != nil {
			return err
		}
		rt.addMatcher(matcher{
			text:   text,
			takes:  func(r *http.Request, _ *config) bool { return hasContentType(r, types) },
			status: http.StatusUnsupportedMediaType,
			meet: func(r *http.Request, way int) {
				// No main type has a '*', so that the first one is a subtype.
				r.Header.Set("Content-Type", strings.Replace(mediaTypes[way%len(mediaTypes)], "/*", "/plain", 1))
			},
			miss: func(r *http.Request, _ *config) string {
				if v := contentType(r); v != "" {
					return fmt.Sprintf("Content-Type is %q, not %s", excerpt.Abridge(v), excerpt.Abridge(strings.Join(mediaTypes, " or ")))
				}
				return "Content-Type is missing"
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

// acceptQuality returns how much the lines of an Accept header like the best
// liked of the types: the highest q in thousandths, or 0. The time is linear in
// the length of the header and in the number of types.
func acceptQuality(lines []string, types []mediaType) int {
	best := 0
	for batch := range slices.Chunk(types, acceptBatch) {
		weight, read := batchQuality(lines, batch)
		if !read {
			return 1000
		}
		best = max(best, weight)
	}
	return best
}

// acceptBatch is how many types a header is read for at once.
const acceptBatch = 8

// batchQuality is acceptQuality for up to acceptBatch types. It also returns
// whether the header has a range that can be read.
func batchQuality(lines []string, types []mediaType) (best int, read bool) {
	var closest [acceptBatch]struct{ closeness, weight int }
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
				switch c, at := m.closeness(&types[i]), &closest[i]; {
				case c > at.closeness:
					at.closeness, at.weight = c, m.weight
				case c == at.closeness && c > 0:
					at.weight = max(at.weight, m.weight)
				}
			}
		}
	}
	for _, c := range closest {
		best = max(best, c.weight)
	}
	return best, read
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
	found, others, ok := t.compare(m.params)
	if others || !ok {
		return 0
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

// contentType returns the first Content-Type of a request, which is what handlers
// read.
func contentType(r *http.Request) string {
	if lines := r.Header["Content-Type"]; len(lines) > 0 {
		return strings.Trim(lines[0], " \t")
	}
	return ""
}

// hasContentType reports whether the body of a request is of one of the types, or
// there is none.
func hasContentType(r *http.Request, types []mediaType) bool {
	value := contentType(r)
	if value == "" {
		return r.ContentLength == 0
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
		if found, _, ok := t.compare(m.params); ok && found == len(t.params) {
			return true
		}
	}
	return false
}
