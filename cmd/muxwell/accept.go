package main

import (
	"mime"
	"strconv"
	"strings"
)

// negotiate returns the media type among offers that a client likes best, by
// the values of its Accept header (RFC 9110 §12.5.1): of several the one that
// is offered first. A client that likes none of them, or says nothing that can
// be read, is given the first too, as the RFC allows. Parameters of a range
// other than q do not count.
func negotiate(accept []string, offers ...string) string {
	ranges := parseAccept(accept)
	best, bestQ := offers[0], 0.0
	for _, offer := range offers {
		if q := quality(ranges, offer); q > bestQ {
			best, bestQ = offer, q
		}
	}
	return best
}

// A mediaRange is an element of an Accept header.
type mediaRange struct {
	name string // type/subtype, type/* or */*, in lower case
	q    float64
}

// parseAccept returns the ranges of an Accept header. Malformed ones are left
// out.
func parseAccept(values []string) []mediaRange {
	var ranges []mediaRange
	for _, element := range splitList(strings.Join(values, ",")) {
		name, params, err := mime.ParseMediaType(element)
		if err != nil {
			continue
		}
		if q, ok := parseQuality(params); ok {
			ranges = append(ranges, mediaRange{name, q})
		}
	}
	return ranges
}

// parseQuality returns the q parameter, which is 1 by default.
func parseQuality(params map[string]string) (q float64, ok bool) {
	text, given := params["q"]
	if !given {
		return 1, true
	}
	if len(text) > len("0.000") || strings.Trim(text, "0123456789.") != "" {
		return 0, false
	}
	q, err := strconv.ParseFloat(text, 64)
	return q, err == nil && q <= 1
}

// quality returns how much the ranges like a media type: the q of the most
// specific one that covers it, or 0.
func quality(ranges []mediaRange, offer string) float64 {
	main, _, _ := strings.Cut(offer, "/")
	for _, name := range []string{offer, main + "/*", "*/*"} {
		best, found := 0.0, false
		for _, r := range ranges {
			if r.name == name {
				best, found = max(best, r.q), true
			}
		}
		if found {
			return best
		}
	}
	return 0
}

// splitList splits a list at the commas that are not in a quoted string.
func splitList(s string) []string {
	var elements []string
	start, quoted := 0, false
	for i := 0; i < len(s); i++ {
		switch {
		case quoted && s[i] == '\\':
			i++
		case s[i] == '"':
			quoted = !quoted
		case s[i] == ',' && !quoted:
			elements = append(elements, s[start:i])
			start = i + 1
		}
	}
	return append(elements, s[start:])
}
