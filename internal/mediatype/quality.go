package mediatype

import "strings"

// Quality returns the highest quality that the lines of an Accept header give to one of
// the types, in thousandths, or 0. The time is linear in the length of the header and
// in the number of types.
func Quality(lines []string, types []Type) int {
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

// acceptBatch is the number of types for which a header is parsed at once.
const acceptBatch = 8

// batchQuality is Quality for up to acceptBatch types. It also returns whether the
// header has a valid range.
func batchQuality(lines []string, types []Type) (best int, read bool) {
	var closest [acceptBatch]closestRange
	for _, list := range lines {
		for list != "" {
			var element string
			element, list = CutElement(list)
			m, ok := ParseRange(element)
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

// Ranges are the valid ranges of an Accept header.
type Ranges []Range

// ParseRanges returns the ranges that Quality uses.
func ParseRanges(lines []string) Ranges {
	n := len(lines)
	for _, list := range lines {
		n += strings.Count(list, ",")
	}
	ranges := make(Ranges, 0, n)
	for _, list := range lines {
		for list != "" {
			var element string
			element, list = CutElement(list)
			if m, ok := ParseRange(element); ok {
				ranges = append(ranges, m)
			}
		}
	}
	return ranges
}

// Quality is the function Quality for the ranges.
func (ranges Ranges) Quality(types []Type) (best int) {
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
func (c *closestRange) add(m *Range, t *Type) {
	switch closeness := m.closeness(t); {
	case closeness > c.closeness:
		c.closeness, c.weight = closeness, m.weight
	case closeness == c.closeness && closeness > 0:
		c.weight = max(c.weight, m.weight)
	}
}

// closeness returns how close a range is to a type that it covers, or 0. The type and
// subtype decide first, then the number of parameters.
func (m *Range) closeness(t *Type) int {
	level := 0
	switch {
	case m.main == "*" && m.sub == "*":
		level = 1
	case !strings.EqualFold(m.main, t.Main):
		return 0
	case m.sub == "*":
		level = 2
	case strings.EqualFold(m.sub, t.Sub):
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
			return 0 // without comparing each
		}
		if found, others, ok = t.compare(m.params); others || !ok {
			return 0
		}
	}
	return level*(maxParams+1) + found
}

// isFormatOf reports whether sub is the type's subtype with a format after it, which is
// allowed only for the subtype of a vendor: vnd.acme.v2 and vnd.acme.v2+json.
func (t *Type) isFormatOf(sub string) bool {
	plus := strings.LastIndexByte(sub, '+')
	return plus == len(t.Sub) && plus+1 < len(sub) && strings.HasPrefix(t.Sub, "vnd.") &&
		strings.IndexByte(t.Sub, '+') < 0 && strings.EqualFold(sub[:plus], t.Sub)
}

// Contains reports whether the value of a Content-Type header is one of the types.
func Contains(types []Type, value string) bool {
	m, ok := ParseRange(value)
	if !ok || m.sub == "*" {
		return false
	}
	for i := range types {
		t := &types[i]
		if !strings.EqualFold(m.main, t.Main) || t.Sub != "*" && !strings.EqualFold(m.sub, t.Sub) {
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
