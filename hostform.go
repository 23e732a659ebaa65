package muxwell

import (
	"strconv"
	"strings"

	"github.com/muxwell/muxwell/internal/hostname"
)

// A hostForm says how a host with parameters is matched: label by label, from
// the left up to a catch-all and from the right behind it.
//
//	{tenant}.example.com    {tenant} "example" "com"
//	*.example.com           {} "example" "com"
//	{sub...}.example.com    {sub...} "example" "com"
type hostForm struct {
	labels      []segment
	catchAll    int    // which label is {x...}, or -1
	varied      int    // how many labels, from the left, there are up to the last that is not a literal
	tail        string // the text of the other labels, each with a dot in front
	port        string // with its colon; "" for none
	literals    int    // bytes of literal text
	names       int    // number of names
	constraints int    // number of constraints
	text        string // with names, as Route.Host shows it
}

// host parses the host of p, which begins at off, and sets p.path to where it
// ends.
func (ps *patternParser) host(p *pattern, off int) error {
	s := ps.s
	ps.stop = '.'
	p.path = segmentStop(s, off)
	host := s[off:p.path]
	if p.path == len(s) && strings.IndexByte(host, '{') < 0 {
		return ps.fail(len(s), "%s", noPath(s[:off], host))
	}
	if !strings.HasPrefix(host, "*") && strings.IndexByte(host, '{') < 0 {
		if i := strings.IndexAny(host, " \t,"); i >= 0 {
			return ps.fail(off+i, "%s", blankInHost)
		}
		p.host = hostname.Fold(host)
		return nil
	}
	form, err := ps.hostForm(off, p.path)
	if err != nil {
		return err
	}
	if p.path == len(s) {
		return ps.fail(len(s), "%s", noPath(s[:off], host))
	}
	p.rare = &rare{host: form}
	p.host = form.key()
	return nil
}

const blankInHost = "blank or comma in a host; a pattern is [METHOD ][HOST]/PATH, and methods are listed as GET,POST without blanks"

// hostForm parses the host that stands from off to limit and has parameters.
func (ps *patternParser) hostForm(off, limit int) (*hostForm, error) {
	f := &hostForm{catchAll: -1}
	at := off
	if colon := lastColon(ps.s[:limit], off); colon >= 0 {
		f.port, limit = ps.s[colon:limit], colon
	}
	if at < limit && ps.s[at] == '*' {
		if at++; at < limit && ps.s[at] != '.' {
			return nil, ps.fail(off, "a '*' in front of a host stands for a whole label, and a '.' must follow it; for a part of a label write {name}")
		}
		f.labels = append(f.labels, segment{kind: param})
		at++
	}
	for at < limit {
		pieces, next, err := ps.pieces(at, limit)
		if err != nil {
			return nil, err
		}
		g, err := ps.label(pieces, at)
		if err != nil {
			return nil, err
		}
		if g.kind == rest {
			if f.catchAll >= 0 {
				return nil, ps.fail(at, "a second {name...} in the host: where the first one ends could not be told; name the labels of one of them")
			}
			f.catchAll = len(f.labels)
		}
		f.labels = append(f.labels, g)
		at = next + 1
	}
	if i := strings.IndexAny(f.port, " \t,"); i >= 0 {
		return nil, ps.fail(limit+i, "%s", blankInHost)
	}
	if f.port != "" && !isUint(f.port[1:]) {
		return nil, ps.fail(limit+1, "a port is digits, and no parameter can stand in it")
	}
	f.measure()
	if f.shortest() > hostname.MaxLen {
		return nil, ps.fail(off, "the host is longer than %d bytes, which no name is", hostname.MaxLen)
	}
	return f, nil
}

// label makes a segment of the pieces of a label that begins at off.
func (ps *patternParser) label(pieces []piece, off int) (segment, *parseError) {
	if len(pieces) == 0 {
		return segment{}, ps.fail(off, "a label of the host is empty; write one '.' between two labels")
	}
	for _, p := range pieces {
		if i := strings.IndexAny(p.text, " \t,"); i >= 0 {
			return segment{}, ps.fail(p.at+i, "%s", blankInHost)
		}
		if i := strings.IndexAny(p.text, ":[]"); i >= 0 {
			return segment{}, ps.fail(p.at+i, "%q in a host with parameters, which is no address; a port stands at its end", p.text[i])
		}
		if i := strings.IndexByte(p.text, '*'); i >= 0 {
			return segment{}, ps.fail(p.at+i, "a '*' stands for a label at the beginning of a host only; write {name}")
		}
		if p.name == "$" {
			return segment{}, ps.fail(p.at, "{$} is the end of a path; it cannot stand in a host")
		}
	}
	return ps.segment(pieces, hostname.Fold)
}

// lastColon returns where the last colon of s is, from off on and outside of
// braces, or -1. What follows a brace that is not closed is not looked at.
func lastColon(s string, off int) int {
	last := -1
	for i := off; i < len(s); i++ {
		switch s[i] {
		case ':':
			last = i
		case '{':
			if i = parameterStop(s, i); i < 0 {
				return last
			}
		}
	}
	return last
}

// measure sets what follows from the labels.
func (f *hostForm) measure() {
	texts := make([]string, len(f.labels))
	for i, g := range f.labels {
		texts[i] = g.String()
		f.names += g.params()
		if g.kind == literal {
			f.literals += len(g.text)
			continue
		}
		f.varied = i + 1
		if g.form != nil {
			f.literals += g.form.literals
			f.constraints += g.form.constraintCount()
		}
	}
	f.text = strings.Join(texts, ".") + f.port
	if f.varied < len(texts) {
		f.tail = "." + strings.Join(texts[f.varied:], ".")
	}
}

// shortest returns the length of the shortest host that the form may match,
// without its port.
func (f *hostForm) shortest() int {
	n := f.literals + len(f.labels) - 1 // the dots
	for i := range f.labels {
		if g := &f.labels[i]; g.kind != literal {
			n += max(1, g.params())
		}
	}
	return n
}

// key returns what tells the host apart from others: its labels without names.
// A host without parameters has none that is equal.
func (f *hostForm) key() string {
	var b strings.Builder
	for _, g := range f.labels {
		b.WriteString("{" + strconv.Itoa(int(g.kind)))
		switch {
		case g.form != nil:
			b.WriteString(g.form.key)
		case g.kind == literal:
			b.WriteString(g.text)
		}
		b.WriteByte('}')
	}
	return b.String() + f.port
}

// matches reports whether the form takes a host, folded or not, and sets vals,
// unless it is nil, to the values of the f.names parameters that have names; then
// the host must be folded and match. It allocates nothing, unless a label has
// upper-case letters where the pattern has more than a plain parameter.
func (f *hostForm) matches(host string, vals []string) bool {
	port := f.port
	if vals == nil {
		host, port = hostname.Trim(host)
	} else {
		host = strings.TrimSuffix(host, port)
	}
	if port != f.port || len(host) <= len(f.tail) || !equalFold(host[len(host)-len(f.tail):], f.tail) {
		return false
	}
	host = host[:len(host)-len(f.tail)]
	for i := range f.varied {
		if i == f.catchAll {
			return f.matchesBehind(host, vals)
		}
		g, label := &f.labels[i], host
		dot := strings.IndexByte(host, '.')
		if dot >= 0 {
			label, host = host[:dot], host[dot+1:]
		}
		if dot >= 0 != (i < f.varied-1) || !g.takesLabel(label) {
			return false
		}
		if vals != nil {
			vals = g.put(vals, label)
		}
	}
	return true
}

// matchesBehind is matches from the catch-all on.
func (f *hostForm) matchesBehind(host string, vals []string) bool {
	all, left := host, vals
	for i := f.varied - 1; i > f.catchAll; i-- {
		g := &f.labels[i]
		dot := strings.LastIndexByte(all, '.')
		if dot < 0 || !g.takesLabel(all[dot+1:]) {
			return false
		}
		if n := g.params(); vals != nil && n > 0 {
			g.put(left[len(left)-n:], all[dot+1:])
			left = left[:len(left)-n]
		}
		all = all[:dot]
	}
	if vals != nil {
		vals[0] = all
	}
	return all != "" && all[0] != '.' && all[len(all)-1] != '.' && !strings.Contains(all, "..")
}

// takesLabel is takes for a label of a host, folded or not.
func (g *segment) takesLabel(label string) bool {
	switch g.kind {
	case literal:
		return equalFold(label, g.text)
	case param:
		return label != ""
	}
	return g.form.matches(lowerLabel(label))
}

// lowerLabel returns a label with ASCII letters in lower case. Brackets in it
// are text: only around a whole host they are left out.
func lowerLabel(label string) string {
	isUpper := func(r rune) bool { return 'A' <= r && r <= 'Z' }
	if strings.IndexFunc(label, isUpper) < 0 {
		return label
	}
	var space [64]byte
	b := append(space[:0], label...)
	for i, c := range b {
		if isUpper(rune(c)) {
			b[i] += 'a' - 'A'
		}
	}
	return string(b)
}

// equalFold reports whether the host s is lower in folded form.
func equalFold(s, lower string) bool {
	if len(s) != len(lower) {
		return false
	}
	for i := range len(s) {
		if c := s[i]; c != lower[i] && ('A' > c || c > 'Z' || c+'a'-'A' != lower[i]) {
			return false
		}
	}
	return true
}
