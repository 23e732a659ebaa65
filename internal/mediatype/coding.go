package mediatype

import "strings"

// CodingQuality returns the quality that the lines of an Accept-Encoding header give to a
// content coding or to "identity", in thousandths, and whether they list the coding, by
// its name or by "*" (RFC 9110 §12.5.3). The quality of a coding that is not listed is 0.
// If a coding is listed several times, its highest quality counts. The case of names is
// ignored, and x-gzip is gzip. Invalid elements are skipped. The time is linear in the
// length of the header.
func CodingQuality(lines []string, coding string) (quality int, listed bool) {
	others, othersListed := 0, false
	for _, list := range lines {
		for list != "" {
			var element string
			element, list, _ = strings.Cut(list, ",")
			name, weight, ok := parseCoding(strings.Trim(element, " \t"))
			switch {
			case !ok:
			case name == "*":
				others, othersListed = max(others, weight), true
			case strings.EqualFold(name, coding) || coding == "gzip" && strings.EqualFold(name, "x-gzip"):
				quality, listed = max(quality, weight), true
			}
		}
	}
	if !listed {
		return others, othersListed
	}
	return quality, true
}

// parseCoding parses an element of an Accept-Encoding header:
//
//	element = ( coding / "*" ) [ spaces ";" spaces "q=" weight ]
func parseCoding(element string) (name string, weight int, ok bool) {
	n := tokenLen(element)
	name, element = element[:n], strings.TrimLeft(element[n:], " \t")
	if name == "" || element == "" {
		return name, 1000, name != ""
	}
	if element[0] != ';' {
		return "", 0, false
	}
	element = strings.TrimLeft(element[1:], " \t")
	if len(element) < 2 || element[0]|0x20 != 'q' || element[1] != '=' {
		return "", 0, false
	}
	weight, ok = parseWeight(element[2:])
	return name, weight, ok
}
