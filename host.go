package muxwell

import "strings"

// Hosts are compared in folded form: ASCII letters in lower case, without the
// final dot of a fully qualified name, and an IPv6 address without brackets
// unless a port follows. "EXAMPLE.com." and "example.com" are one host, so are
// "[::1]" and "::1". A port is part of the host in patterns and for CONNECT,
// and is dropped from all other requests before folding.

// trimHost returns the parts of h that are compared: the name without its final
// dot, or an address without its brackets, and the port with its colon.
func trimHost(h string) (name, port string) {
	if strings.IndexByte(h, ':') < 0 {
		if n := len(h); n > 1 && h[n-1] == '.' {
			h = h[:n-1]
		}
		return h, ""
	}
	name = h
	if _, ok := splitPort(h); ok {
		i := strings.LastIndexByte(h, ':')
		name, port = h[:i], h[i:]
	}
	if n := len(name); n > 1 && name[n-1] == '.' {
		name = name[:n-1]
	}
	if n := len(name); port == "" && n > 2 && name[0] == '[' && name[n-1] == ']' && strings.Count(name, ":") > 1 {
		name = name[1 : n-1]
	}
	return name, port
}

// foldHost returns h in folded form; h itself if it is so already.
func foldHost(h string) string {
	if !needsFolding(h) {
		return h
	}
	var space [128]byte
	return string(appendFolded(space[:0], h))
}

// needsFolding reports whether the folded form of h may differ from h.
func needsFolding(h string) bool {
	for i := range len(h) {
		if c := h[i]; 'A' <= c && c <= 'Z' || c == '.' && (i == len(h)-1 || h[i+1] == ':') || c == '[' {
			return true
		}
	}
	return false
}

// appendFolded appends the folded form of h to b.
func appendFolded(b []byte, h string) []byte {
	host, port := trimHost(h)
	for i := range len(host) {
		c := host[i]
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		b = append(b, c)
	}
	return append(b, port...)
}

// stripPort returns the host of a Host header without its port. What is not of
// the form host:port is returned as it is.
func stripPort(h string) string {
	if host, ok := splitPort(h); ok {
		return host
	}
	return h
}

// splitPort returns the host of host:port or [host]:port, and whether h is of
// that form. It is net.SplitHostPort without the errors, which allocate.
func splitPort(h string) (host string, ok bool) {
	colon := strings.LastIndexByte(h, ':')
	if colon < 0 {
		return "", false
	}
	host = h[:colon]
	if h[0] == '[' {
		closing := strings.IndexByte(h, ']')
		if closing < 0 || closing+1 != colon {
			return "", false
		}
		host = h[1:closing]
	} else if strings.IndexByte(host, ':') >= 0 {
		return "", false
	}
	return host, !strings.ContainsAny(host, "[]") && !strings.ContainsAny(h[colon:], "[]")
}
