package muxwell

import "strings"

// Hosts are compared in folded form: ASCII letters in lower case, without the
// final dot of a fully qualified name, and an IPv6 address without brackets
// unless a port follows. "EXAMPLE.com." and "example.com" are one host, so are
// "[::1]" and "::1". A port is part of the host in patterns and for CONNECT,
// and is dropped from all other requests before folding.

// foldHost returns h in folded form; h itself if it is so already.
func foldHost(h string) string {
	if !needsFolding(h) {
		return h
	}
	return string(appendFolded(nil, h))
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
	host, port := h, ""
	if _, ok := splitPort(h); ok {
		i := strings.LastIndexByte(h, ':')
		host, port = h[:i], h[i:]
	}
	if n := len(host); n > 1 && host[n-1] == '.' {
		host = host[:n-1]
	}
	if n := len(host); port == "" && n > 2 && host[0] == '[' && host[n-1] == ']' && strings.Count(host, ":") > 1 {
		host = host[1 : n-1]
	}
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
