package mediatype

import (
	"fmt"
	"strings"

	"github.com/muxwell/muxwell/internal/excerpt"
	"github.com/muxwell/muxwell/internal/pattern"
)

// Media types are parsed by hand, in place and without allocating, as in RFC 9110
// §8.3.1 and §12.5.1:
//
//	list       = [ element ] *( "," [ element ] )
//	element    = type "/" subtype *( spaces ";" spaces [ parameter ] )
//	parameter  = name "=" ( token | quoted )
//
// A '*' is a character of tokens, so ranges need no grammar of their own.

// A Type is a media type of an option, in lower case except for the values of its
// parameters.
type Type struct {
	Main   string
	Sub    string
	params []Param
}

type Param struct {
	name, value string
	escaped     bool // value is the inside of a quoted string with backslashes
}

// maxParams is the maximum number of parameters of a type of an option: the bits of a
// word.
const maxParams = 64

// Parse parses the media type of an option, or returns the reason why it is invalid.
func Parse(text string) (t Type, reason string) {
	m, ok := ParseRange(strings.Trim(text, " \t"))
	if !ok {
		return t, fmt.Sprintf(`%q is not a media type; write it as "application/json" or "text/csv; header=present"`, excerpt.Abridge(text))
	}
	t = Type{Main: strings.ToLower(m.main), Sub: strings.ToLower(m.sub)}
	for params := m.params; params != ""; {
		var p Param
		if p, params, _ = cutParam(params); p.name == "" {
			continue
		}
		p.name, p.value, p.escaped = strings.ToLower(p.name), p.unescaped(), false
		switch {
		case p.name == "q":
			return t, fmt.Sprintf("%q has a weight, which only clients use; omit q", excerpt.Abridge(text))
		case t.param(p.name) >= 0:
			return t, fmt.Sprintf("%q has the parameter %s twice; remove one of them", excerpt.Abridge(text), excerpt.Abridge(p.name))
		case len(t.params) == maxParams:
			return t, fmt.Sprintf("%q has more than %d parameters", excerpt.Abridge(text), maxParams)
		}
		t.params = append(t.params, p)
	}
	return t, ""
}

// pattern.Param returns which of the type's parameters has the name, or -1.
func (t *Type) param(name string) int {
	for i := range t.params {
		if strings.EqualFold(t.params[i].name, name) {
			return i
		}
	}
	return -1
}

// compare compares the parameters in a request, which must be valid, with those of the
// type. It returns how many of the type's parameters are there, whether there are
// others except a weight, and whether none occurs twice or with another value.
func (t *Type) compare(params string) (found int, others, ok bool) {
	var seen uint64
	for params != "" {
		var p Param
		p, params, _ = cutParam(params)
		i := t.param(p.name)
		switch {
		case p.name == "" || i < 0 && strings.EqualFold(p.name, "q"):
		case i < 0:
			others = true
		case seen&(1<<i) != 0 || !p.is(&t.params[i]):
			return 0, false, false
		default:
			seen |= 1 << i
			found++
		}
	}
	return found, others, true
}

// is reports whether a parameter has the value of one of an option, which has the same
// name. Values are compared exactly, except those of charset.
func (p *Param) is(want *Param) bool {
	if !p.escaped {
		return p.value == want.value || want.name == "charset" && strings.EqualFold(p.value, want.value)
	}
	v, rest := want.value, p.value
	for ; rest != ""; rest = rest[1:] {
		if rest[0] == '\\' {
			rest = rest[1:]
		}
		if v == "" || v[0] != rest[0] {
			return false
		}
		v = v[1:]
	}
	return v == ""
}

// unescaped returns the parameter's value without the backslashes of escapes.
func (p *Param) unescaped() string {
	if !p.escaped {
		return p.value
	}
	var b strings.Builder
	for i := 0; i < len(p.value); i++ {
		if p.value[i] == '\\' {
			i++
		}
		b.WriteByte(p.value[i])
	}
	return b.String()
}

// A Range is a media type or range in a request.
type Range struct {
	main, sub string
	params    string // with their semicolons; they are valid
	named     int    // the number of params whose name is not q
	weight    int    // in thousandths
}

// ParseRange parses an element without spaces around it. It accepts '*' instead of */*,
// which Java's HttpURLConnection sends.
func ParseRange(s string) (m Range, ok bool) {
	n := tokenLen(s)
	m.main = s[:n]
	switch {
	case n == 0:
		return m, false
	case n < len(s) && s[n] == '/':
		s = s[n+1:]
		n = tokenLen(s)
		m.sub = s[:n]
	case m.main == "*":
		m.sub = "*"
	}
	if m.sub == "" || m.main == "*" && m.sub != "*" {
		return m, false
	}
	m.params, m.weight = s[n:], 1000
	weighted := false
	for params := m.params; params != ""; {
		var p Param
		if p, params, ok = cutParam(params); !ok {
			return m, false
		}
		switch p.name {
		case "":
		case "q", "Q":
			if m.weight, ok = parseWeight(p.value); !ok || weighted {
				return m, false
			}
			weighted = true
		default:
			m.named++
		}
	}
	return m, true
}

// parseWeight returns the value of q in thousandths: a number from 0 to 1 with at most
// three digits after its point. It may begin with the point, as Java's
// HttpURLConnection sends it.
func parseWeight(s string) (weight int, ok bool) {
	whole, fraction, point := strings.Cut(s, ".")
	switch {
	case whole == "1":
		weight = 1000
	case whole != "0" && (whole != "" || fraction == ""):
		return 0, false
	}
	if point && len(fraction) > 3 || fraction != "" && !pattern.IsUint(fraction) {
		return 0, false
	}
	for i, scale := 0, 100; i < len(fraction); i, scale = i+1, scale/10 {
		weight += int(fraction[i]-'0') * scale
	}
	return weight, weight <= 1000
}

// CutElement returns the first element of a list, without spaces around it, and
// what follows its comma. A comma in a quoted string is text.
func CutElement(list string) (element, rest string) {
	end := strings.IndexByte(list, ',')
	if end < 0 {
		end = len(list)
	}
	if strings.IndexByte(list[:end], '"') >= 0 {
		end = unquotedComma(list)
	}
	if end < len(list) {
		rest = list[end+1:]
	}
	return strings.Trim(list[:end], " \t"), rest
}

// unquotedComma returns the position of the first comma that is not in a quoted string,
// or len(s).
func unquotedComma(s string) int {
	quoted := false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case c == ',' && !quoted:
			return i
		}
	}
	return len(s)
}

// cutParam returns the first parameter of s, which begins with its semicolon, and the
// rest. An empty parameter has no name.
func cutParam(s string) (p Param, rest string, ok bool) {
	s = strings.TrimLeft(s, " \t")
	if s == "" || s[0] != ';' {
		return p, "", false
	}
	s = strings.TrimLeft(s[1:], " \t")
	n := tokenLen(s)
	if n == 0 {
		return p, s, s == "" || s[0] == ';'
	}
	p.name = s[:n]
	if s = s[n:]; s == "" || s[0] != '=' {
		return p, "", false
	}
	if s = s[1:]; s != "" && s[0] == '"' {
		p.value, rest, p.escaped, ok = cutQuoted(s)
		return p, rest, ok
	}
	n = tokenLen(s)
	p.value = s[:n]
	return p, s[n:], n > 0
}

// cutQuoted returns the inside of the quoted string with which s begins, whether it has
// backslashes, and the rest.
func cutQuoted(s string) (inside, rest string, escaped, ok bool) {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '"':
			return s[1:i], s[i+1:], escaped, true
		case '\\':
			escaped = true
			i++
		}
	}
	return "", "", false, false
}

// tokenLen returns the length of the token with which s begins.
func tokenLen(s string) int {
	for i := range len(s) {
		if !tokenBytes[s[i]] {
			return i
		}
	}
	return len(s)
}

var tokenBytes = func() (bytes [256]bool) {
	for c := range bytes {
		bytes[c] = pattern.IsTokenRune(rune(c))
	}
	return bytes
}()
