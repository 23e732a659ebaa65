package mux

import "strings"

// matches reports whether s, which is a path or a host, matches the template.
func (t *template) matches(s string) bool {
	switch t.how {
	case simple:
		return t.matchSimple(s)
	case compiled:
		return t.program.Match(s)
	}
	return t.compile().MatchString(s)
}

// matchesPath is matches for a path whose segments are known.
func (t *template) matchesPath(s *segments) bool {
	if len(t.at) == 0 || t.kind != pathTemplate || t.strict || s.number > maxDepth {
		return t.matches(s.path)
	}
	if s.number <= int(t.at[len(t.at)-1]) {
		return false
	}
	from := 0 // where the last value ends
	for i, segment := range t.at {
		before := t.vars[i].before
		start, end := s.bounds(int(segment))
		if start == end || start-from != len(before) || s.path[from:start] != before {
			return false
		}
		from = end
	}
	return s.path[from:] == t.tail
}

// matchesQuery reports whether the first value of the template's key in a raw
// query matches.
func (t *template) matchesQuery(query string) bool {
	value, ok := firstValue(query, t.key)
	switch t.how {
	case literal:
		return ok && value == t.tail[len(t.key)+1:]
	case anyValue:
		return ok && strings.IndexByte(value, '\n') < 0
	case compiled:
		return ok && t.program.Match(value)
	}
	return t.compile().MatchString(t.pair(value, ok))
}

// pair returns the text against which the regular expression of a query is matched.
func (t *template) pair(value string, ok bool) string {
	if !ok {
		return ""
	}
	return t.key + "=" + value
}

// matchSimple is matches for literals, and for variables that match one or more bytes
// up to the stop byte.
func (t *template) matchSimple(s string) bool {
	for i := range t.vars {
		before := t.vars[i].before
		if !strings.HasPrefix(s, before) {
			return false
		}
		s = s[len(before):]
		end := strings.IndexByte(s, t.stop)
		if end < 0 {
			end = len(s)
		}
		if end == 0 {
			return false
		}
		s = s[end:]
	}
	if !strings.HasPrefix(s, t.tail) {
		return false
	}
	s = s[len(t.tail):]
	return s == "" || t.kind == prefixTemplate || t.strict && s == "/"
}

// find sets vals to the values of the variables in a path or a host. It reports whether
// s matches.
func (t *template) find(s string, vals []string) bool {
	switch t.how {
	case simple:
		return t.findSimple(s, vals)
	case compiled:
		return t.findCompiled(s, vals)
	}
	return t.findByRegexp(s, vals)
}

// findQuery is find for a raw query.
func (t *template) findQuery(query string, vals []string) bool {
	value, ok := firstValue(query, t.key)
	switch t.how {
	case anyValue:
		vals[0] = value
		return ok && strings.IndexByte(value, '\n') < 0
	case compiled:
		return ok && t.findCompiled(value, vals)
	}
	return t.findByRegexp(t.pair(value, ok), vals)
}

func (t *template) findCompiled(s string, vals []string) bool {
	var space [32]int
	at := space[:]
	if n := 2 * t.program.Captures(); n <= len(at) {
		at = at[:n]
	} else {
		at = make([]int, n)
	}
	if !t.program.Find(s, at) {
		return false
	}
	setValues(vals, s, at)
	return true
}

func (t *template) findByRegexp(s string, vals []string) bool {
	found := t.compile().FindStringSubmatchIndex(s)
	if found == nil {
		return false
	}
	setValues(vals, s, found[2:])
	return true
}

// setValues sets vals to the parts of s whose ends are in at.
func setValues(vals []string, s string, at []int) {
	for i := range vals {
		vals[i] = s[at[2*i]:at[2*i+1]]
	}
}

// findSimple is find for templates that matchSimple can match.
func (t *template) findSimple(s string, vals []string) bool {
	if !t.matchSimple(s) {
		return false
	}
	for i := range t.vars {
		s = s[len(t.vars[i].before):]
		end := strings.IndexByte(s, t.stop)
		if end < 0 {
			end = len(s)
		}
		vals[i], s = s[:end], s[end:]
	}
	return true
}

// findIn sets vals to the values of the variables in that text which the template is for. It
// reports whether it matches.
func (t *template) findIn(path, host, query string, vals []string) bool {
	switch t.kind {
	case hostTemplate:
		return t.find(host, vals)
	case queryTemplate:
		return t.findQuery(query, vals)
	}
	return t.find(path, vals)
}

// addTo adds the template's variables to a map, which it allocates if it is nil.
func (t *template) addTo(vars map[string]string, path, host, query string) map[string]string {
	var space [16]string
	vals := space[:]
	if n := len(t.vars); n <= len(space) {
		vals = vals[:n]
	} else {
		vals = make([]string, n)
	}
	if !t.findIn(path, host, query, vals) {
		return vars
	}
	if vars == nil {
		vars = make(map[string]string, len(vals))
	}
	for i := range t.vars {
		vars[t.vars[i].name] = vals[i]
	}
	return vars
}
