package pattern

import (
	"strconv"
	"strings"

	"github.com/muxwell/muxwell/internal/hostname"
)

// A HostPattern matches a host with parameters: label by label, from the left up to a
// catch-all and from the right after it.
//
//	{tenant}.example.com    {tenant} "example" "com"
//	*.example.com           {} "example" "com"
//	{sub...}.example.com    {sub...} "example" "com"
type HostPattern struct {
	Labels      []Segment
	CatchAll    int    // which label is {x...}, or -1
	Varied      int    // number of labels, from the left, up to the last that is not a literal
	Tail        string // the text of the other labels, each after a dot
	Port        string // with its colon; "" for none
	Literals    int    // bytes of literal text
	Names       int    // number of names
	Constraints int    // number of constraints
	Text        string // with names, as Route.Host shows it
	oneLabel    bool   // it is one plain parameter and the tail, without a port
}

// host parses the host of p, which begins at off, and sets p.PathAt to its end.
func (ps *parser) host(p *Pattern, off int) error {
	s := ps.s
	ps.stop = '.'
	p.PathAt = SegmentEnd(s, off)
	host := s[off:p.PathAt]
	if p.PathAt == len(s) && strings.IndexByte(host, '{') < 0 {
		return ps.fail(len(s), "%s", noPath(s[:off], host))
	}
	if !strings.HasPrefix(host, "*") && strings.IndexByte(host, '{') < 0 {
		if i := strings.IndexAny(host, " \t,"); i >= 0 {
			return ps.fail(off+i, "%s", blankInHost)
		}
		p.Host = hostname.Fold(host)
		return nil
	}
	form, err := ps.hostPattern(off, p.PathAt)
	if err != nil {
		return err
	}
	if p.PathAt == len(s) {
		return ps.fail(len(s), "%s", noPath(s[:off], host))
	}
	p.Extra = &Extra{Host: form}
	p.Host = form.Key()
	return nil
}

const blankInHost = "space or comma in a host; a pattern is [METHOD ][HOST]/PATH, and methods are listed as GET,POST without spaces"

// hostPattern parses the host from off to limit, which has parameters.
func (ps *parser) hostPattern(off, limit int) (*HostPattern, error) {
	f := &HostPattern{CatchAll: -1}
	at := off
	if colon := lastColon(ps.s[:limit], off); colon >= 0 {
		f.Port, limit = ps.s[colon:limit], colon
	}
	if at < limit && ps.s[at] == '*' {
		if at++; at < limit && ps.s[at] != '.' {
			return nil, ps.fail(off, "a '*' at the beginning of a host is a whole label, so a '.' must follow it; for a part of a label write {name}")
		}
		f.Labels = append(f.Labels, Segment{Kind: Param})
		at++
	}
	for at < limit {
		parts, next, err := ps.parts(at, limit)
		if err != nil {
			return nil, err
		}
		g, err := ps.label(parts, at)
		if err != nil {
			return nil, err
		}
		if g.Kind == CatchAll {
			if f.CatchAll >= 0 {
				return nil, ps.fail(at, "a second {name...} in the host: the end of the first one would be ambiguous; write out the labels of one of them")
			}
			f.CatchAll = len(f.Labels)
		}
		f.Labels = append(f.Labels, g)
		at = next + 1
	}
	if i := strings.IndexAny(f.Port, " \t,"); i >= 0 {
		return nil, ps.fail(limit+i, "%s", blankInHost)
	}
	if f.Port != "" && !IsUint(f.Port[1:]) {
		return nil, ps.fail(limit+1, "a port must be digits and cannot have parameters")
	}
	f.computeLayout()
	if f.shortest() > hostname.MaxLen {
		return nil, ps.fail(off, "the host is longer than %d bytes, the maximum for names", hostname.MaxLen)
	}
	return f, nil
}

// label makes a segment of the parts of a label that begins at off.
func (ps *parser) label(parts []part, off int) (Segment, *Error) {
	if len(parts) == 0 {
		return Segment{}, ps.fail(off, "a label of the host is empty; write one '.' between two labels")
	}
	for _, p := range parts {
		if i := strings.IndexAny(p.text, " \t,"); i >= 0 {
			return Segment{}, ps.fail(p.at+i, "%s", blankInHost)
		}
		if i := strings.IndexAny(p.text, ":[]"); i >= 0 {
			return Segment{}, ps.fail(p.at+i, "%q in a host with parameters, which cannot be an address; a port comes last", p.text[i])
		}
		if i := strings.IndexByte(p.text, '*'); i >= 0 {
			return Segment{}, ps.fail(p.at+i, "a '*' is a label only at the beginning of a host; write {name}")
		}
		if p.name == "$" {
			return Segment{}, ps.fail(p.at, "{$} is the end of a path; a host cannot have it")
		}
	}
	return ps.segment(parts, hostname.Fold)
}

// lastColon returns the offset of the last colon of s, from off on and outside of
// braces, or -1. It ignores everything after a brace that is not closed.
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

// computeLayout sets the fields that follow from the labels.
func (f *HostPattern) computeLayout() {
	texts := make([]string, len(f.Labels))
	for i, g := range f.Labels {
		texts[i] = g.String()
		f.Names += g.Params()
		if g.Kind == Literal {
			f.Literals += len(g.Text)
			continue
		}
		f.Varied = i + 1
		if g.Matcher != nil {
			f.Literals += g.Matcher.Literals
			f.Constraints += g.Matcher.ConstraintCount()
		}
	}
	f.Text = strings.Join(texts, ".") + f.Port
	f.oneLabel = f.Varied == 1 && f.Labels[0].Kind == Param && f.Port == ""
	if f.Varied < len(texts) {
		f.Tail = "." + strings.Join(texts[f.Varied:], ".")
	}
}

// shortest returns the length of the shortest host that the pattern may match,
// without its port.
func (f *HostPattern) shortest() int {
	n := f.Literals + len(f.Labels) - 1 // the dots
	for i := range f.Labels {
		if g := &f.Labels[i]; g.Kind != Literal {
			n += max(1, g.Params())
		}
	}
	return n
}

// Key returns a text that identifies the host: its labels without names. It differs
// from every host without parameters.
func (f *HostPattern) Key() string {
	var b strings.Builder
	for _, g := range f.Labels {
		b.WriteString("{" + strconv.Itoa(int(g.Kind)))
		switch {
		case g.Matcher != nil:
			b.WriteString(g.Matcher.Key)
		case g.Kind == Literal:
			b.WriteString(g.Text)
		}
		b.WriteByte('}')
	}
	return b.String() + f.Port
}

// Matches reports whether a host, folded or not, matches. It sets vals, unless it is
// nil, to the values of the f.Names parameters that have names; then the host must
// be folded and match. It does not allocate, unless a label has upper-case letters
// where the pattern has more than a plain parameter.
func (f *HostPattern) Matches(host string, vals []string) bool {
	port := f.Port
	if vals == nil {
		host, port = hostname.Trim(host)
	} else {
		host = strings.TrimSuffix(host, port)
	}
	if port != f.Port || len(host) <= len(f.Tail) || !equalFold(host[len(host)-len(f.Tail):], f.Tail) {
		return false
	}
	return f.matchesVaried(host[:len(host)-len(f.Tail)], vals)
}

// MatchesPlain is Matches, without values, for a host that is plain; see
// [hostname.IsPlain].
func (f *HostPattern) MatchesPlain(host string) bool {
	n := len(host) - len(f.Tail)
	if n <= 0 || host[n:] != f.Tail || f.Port != "" {
		return false
	}
	if f.oneLabel {
		return strings.IndexByte(host[:n], '.') < 0
	}
	return f.matchesVaried(host[:n], nil)
}

// OneValue returns the value of the only parameter in a host that matches and is folded,
// and whether it is so simple: a whole label, and the first one.
func (f *HostPattern) OneValue(host string) (value string, ok bool) {
	if !f.oneLabel {
		return "", false
	}
	return host[:len(host)-len(f.Tail)], true
}

// matchesVaried is Matches for the part of a host before the tail.
func (f *HostPattern) matchesVaried(host string, vals []string) bool {
	for i := range f.Varied {
		if i == f.CatchAll {
			return f.matchesBehind(host, vals)
		}
		g, label := &f.Labels[i], host
		dot := strings.IndexByte(host, '.')
		if dot >= 0 {
			label, host = host[:dot], host[dot+1:]
		}
		if dot >= 0 != (i < f.Varied-1) || !g.takesLabel(label) {
			return false
		}
		if vals != nil {
			vals = g.Assign(vals, label)
		}
	}
	return true
}

// matchesBehind is Matches from the catch-all on.
func (f *HostPattern) matchesBehind(host string, vals []string) bool {
	all, left := host, vals
	for i := f.Varied - 1; i > f.CatchAll; i-- {
		g := &f.Labels[i]
		dot := strings.LastIndexByte(all, '.')
		if dot < 0 || !g.takesLabel(all[dot+1:]) {
			return false
		}
		if n := g.Params(); vals != nil && n > 0 {
			g.Assign(left[len(left)-n:], all[dot+1:])
			left = left[:len(left)-n]
		}
		all = all[:dot]
	}
	if vals != nil {
		vals[0] = all
	}
	return all != "" && all[0] != '.' && all[len(all)-1] != '.' && !strings.Contains(all, "..")
}

// takesLabel is Matches for a label of a host, folded or not.
func (g *Segment) takesLabel(label string) bool {
	switch g.Kind {
	case Literal:
		return equalFold(label, g.Text)
	case Param:
		return label != ""
	}
	return g.Matcher.Matches(lowerLabel(label))
}

// lowerLabel returns a label with ASCII letters in lower case. Brackets in it are text:
// they are left out only around a whole host.
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
	if len(s) != len(lower) || s == lower {
		return len(s) == len(lower)
	}
	for i := range len(s) {
		if c := s[i]; c != lower[i] && ('A' > c || c > 'Z' || c+'a'-'A' != lower[i]) {
			return false
		}
	}
	return true
}
