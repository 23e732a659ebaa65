package muxtest

import "strings"

// OffSite returns why a Location would take a browser off the site, or harm it
// in another way, and "" if it does not. A browser (WHATWG URL) drops control
// bytes and spaces at both ends and every tab and newline, reads a backslash as
// a slash, and takes two slashes at the beginning for a host.
func OffSite(location string) string {
	seen := strings.TrimFunc(location, func(r rune) bool { return r <= ' ' })
	seen = strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(seen)
	path, _, _ := strings.Cut(seen, "?")
	path, _, _ = strings.Cut(path, "#")
	path = strings.ReplaceAll(path, `\`, "/")
	switch {
	case strings.HasPrefix(path, "//"):
		return "a browser takes its path for a host"
	case !strings.HasPrefix(path, "/"):
		return "it does not begin with a slash"
	case strings.ContainsFunc(location, func(r rune) bool { return r < ' ' || r == 0x7f }):
		return "it holds a control byte"
	}
	return ""
}
