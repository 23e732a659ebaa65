package middleware

import (
	"net/http"
	"net/netip"
	"strings"

	"github.com/muxwell/muxwell/internal/clientaddr"
)

// The header Forwarded (RFC 7239 §4) is a list, to which each proxy appends:
//
//	Forwarded         = 1#forwarded-element
//	forwarded-element = [ forwarded-pair ] *( ";" [ forwarded-pair ] )
//	forwarded-pair    = token "=" ( token / quoted-string )
//
//	for=1.1.1.1;x=", for=203.0.113.7;proto=https, for="[2001:db8::7]:4711";by=_a
//	what a client has sent                        what a trusted proxy has added
//
// It is parsed from the right, element by element. So nothing that a client sent, such
// as an unclosed quotation mark, changes what was appended to it.

// forwardedClient returns the address of a request's client if it is known; see
// [FromForwarded]. The time is linear in the length of the header after the client, and
// in the number of prefixes.
func forwardedClient(r *http.Request, trusted []netip.Prefix) (netip.Addr, bool) {
	addr, ok := clientaddr.Parse(r.RemoteAddr)
	if !ok {
		return netip.Addr{}, false
	}
	lines := r.Header["Forwarded"]
	for i := len(lines) - 1; i >= 0; i-- {
		for line, more := lines[i], true; more; {
			if !clientaddr.In(trusted, addr) {
				return addr, true
			}
			var element string
			line, element, more = cutLastElement(line)
			if addr, ok = forwardedFor(element); !ok {
				return netip.Addr{}, false
			}
		}
	}
	return addr, true
}

// cutLastElement returns the last element of a list, and the text before its comma, if
// there is one.
func cutLastElement(list string) (before, last string, found bool) {
	quoted := false
	for i := len(list) - 1; i >= 0; i-- {
		switch {
		case list[i] == '"' && !(quoted && isEscaped(list, i)):
			quoted = !quoted
		case list[i] == ',' && !quoted:
			return list[:i], list[i+1:], true
		}
	}
	return "", list, false
}

// isEscaped reports whether an odd number of backslashes precedes s[i].
func isEscaped(s string, i int) bool {
	before := strings.TrimRight(s[:i], `\`)
	return (i-len(before))%2 == 1
}

// forwardedFor returns the address of an element's for=, if it has exactly one.
func forwardedFor(element string) (addr netip.Addr, ok bool) {
	found := false
	for rest, more := element, true; more; {
		var name, value string
		if name, value, rest, more, ok = cutPair(rest); !ok {
			return netip.Addr{}, false
		}
		if len(name) != len("for") || !strings.EqualFold(name, "for") {
			continue
		}
		if found {
			return netip.Addr{}, false
		}
		if addr, found = clientaddr.Parse(value); !found {
			return netip.Addr{}, false
		}
	}
	return addr, found
}

// cutPair returns the first pair of an element, which may be empty, and the text after
// its semicolon, if there is one. The backslashes of a quoted value are kept: no
// address has any.
func cutPair(s string) (name, value, rest string, more, ok bool) {
	s = strings.Trim(s, " \t")
	if end := strings.IndexAny(s, `;=`); end < 0 || s[end] == ';' {
		name, rest, more = strings.Cut(s, ";")
		return "", "", rest, more, name == ""
	}
	name, s, _ = strings.Cut(s, "=")
	if !isFieldName(name) {
		return "", "", "", false, false
	}
	if value, s, ok = cutValue(s); !ok {
		return "", "", "", false, false
	}
	s = strings.TrimLeft(s, " \t")
	if s == "" {
		return name, value, "", false, true
	}
	return name, value, s[1:], true, s[0] == ';'
}

// cutValue returns the token or quoted string that s begins with, and the rest.
func cutValue(s string) (value, rest string, ok bool) {
	if !strings.HasPrefix(s, `"`) {
		end := strings.IndexAny(s, " \t;")
		if end < 0 {
			end = len(s)
		}
		return s[:end], s[end:], end > 0 && strings.IndexByte(s[:end], '"') < 0
	}
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return s[1:i], s[i+1:], true
		}
	}
	return "", "", false
}
