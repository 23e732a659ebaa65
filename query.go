package muxwell

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/muxwell/muxwell/internal/excerpt"
	"github.com/muxwell/muxwell/internal/overlap"
	"github.com/muxwell/muxwell/internal/pattern"
	"github.com/muxwell/muxwell/internal/urlpath"
)

// A queryPart is a part of a query that a route asks for.
type queryPart struct {
	key     string          // unescaped
	present bool            // any value does, even none
	segment pattern.Segment // else what the value must match: literal, param, constrained, mixed or rest
}

// Queries makes a route take only requests whose query has these keys. The pairs
// are keys and templates in turn. A template says which values there may be:
//
//	""                 any, even none
//	on                 this text
//	{q}                any that is not empty
//	{page:int}         one that the constraint takes
//	v{major}.{minor}   text and parameters in any mix, with text between each two
//	{q...}             any, even an empty one
//
// It is read as a segment of a path is, but that a '/' is text like any other
// and that nothing is percent-escaped: keys and templates are compared with the
// unescaped query. A '{' as text is written as a parameter, {x:\{}. Each
// parameter's value is one of the route's parameters, behind those of its
// pattern, and their names are distinct.
//
// Of a key that the query has several times the first value counts, as in
// [url.Values.Get]. A query is read as [url.ParseQuery] reads it, but with limits of
// its own: '+' is a blank, and a pair with a ';' or a wrong escape is as if it were
// not there. A query of more than 16,384 bytes or 1,000 pairs, empty ones included,
// has none of the keys.
//
// Registration fails with an [*OptionError] if there is no pair, a key has no
// template or is empty, a template cannot be read, the route asks for the key
// already, or for more than a query may have.
func Queries(pairs ...string) RouteOption {
	pairs = slices.Clone(pairs)
	return RouteOption{func(rt *Route, r pattern.Rules) error {
		text := optionText("Queries", pairs)
		switch n := len(pairs); {
		case n == 0:
			return optionError(text, "no key; write a key and a template")
		case n%2 != 0:
			return optionError(text, `the key %q has no template; write one behind each key, "" for any value`, pairs[n-1])
		}
		info := rt.addInfo()
		from := len(info.queries)
		for pair := range slices.Chunk(pairs, 2) {
			key, template := pair[0], pair[1]
			switch {
			case key == "":
				return optionError(text, "a key is empty; write one in front of each template")
			case slices.ContainsFunc(info.queries, func(q queryPart) bool { return q.key == key }):
				return optionError(text, "the route asks for the key %q twice, of which only the first value counts; leave one of them out", key)
			}
			part := queryPart{key: key, present: template == ""}
			if template != "" {
				g, err := pattern.ParseTemplate(template, r, append(rt.pattern.Names(), info.queryNames()...))
				if e, ok := err.(*pattern.Error); ok {
					return &OptionError{Option: text, Reason: fmt.Sprintf("template %q: at offset %d: %s", excerpt.Abridge(template), e.Offset, e.Reason)}
				}
				part.segment = g
			}
			info.queries = append(info.queries, part)
		}
		if reason := exceedingParts(info.queries); reason != "" {
			return &OptionError{Option: text, Reason: reason}
		}
		parts := slices.Clone(info.queries[from:])
		rt.addMatcher(matcher{
			text:    text,
			queries: parts,
			meet: func(r *http.Request, _ int) {
				for i := range parts {
					r.URL.RawQuery = appendQuery(r.URL.RawQuery, parts[i].key, parts[i].example())
				}
			},
			miss: func(r *http.Request, _ *config) string {
				i := slices.IndexFunc(parts, func(q queryPart) bool { return !new(matchState).takesQuery([]queryPart{q}, r.URL.RawQuery) })
				return parts[max(i, 0)].miss(r.URL.RawQuery)
			},
		})
		return nil
	}}
}

// exceedingParts returns why every query that the parts match is longer than matchers
// read, or "".
func exceedingParts(parts []queryPart) (reason string) {
	least := 0
	for i := range parts {
		least += len(parts[i].key)
		if g := &parts[i].segment; g.Kind == pattern.Literal {
			least += len(g.Text)
		} else if g.Matcher != nil {
			least += g.Matcher.Literals
		}
	}
	switch {
	case len(parts) > maxQueryPairs:
		return fmt.Sprintf("the route asks for %d keys, and of a query %d pairs are read at most; leave some out", len(parts), maxQueryPairs)
	case least > maxQuery:
		return fmt.Sprintf("the route asks for %d bytes of text, and of a query %d are read at most; leave some out", least, maxQuery)
	}
	return ""
}

// takes reports whether the part takes a value.
func (q *queryPart) takes(value string) bool {
	return q.present || q.segment.Kind == pattern.CatchAll || q.segment.Matches(value)
}

// example returns a value that the part takes, if one is known: the name of its
// parameter where that fits.
func (q *queryPart) example() string {
	if q.present || q.segment.Kind == pattern.Literal || q.segment.Kind == pattern.CatchAll {
		return q.segment.Text
	}
	text, _ := overlap.Text(q.segment)
	return text
}

// appendQuery appends a key with its value to a query.
func appendQuery(rawQuery, key, value string) string {
	if rawQuery != "" {
		rawQuery += "&"
	}
	return rawQuery + url.QueryEscape(key) + "=" + url.QueryEscape(value)
}

// miss says why a query is not what the part asks for.
func (q *queryPart) miss(rawQuery string) string {
	value, ok := findQuery(rawQuery, q.key)
	key := excerpt.Printable(excerpt.Abridge(q.key))
	switch {
	case exceedsQuery(rawQuery):
		return fmt.Sprintf("query has more than %d bytes or %d pairs, the most that are read", maxQuery, maxQueryPairs)
	case !ok:
		return "query " + key + " is missing"
	case value == "":
		return "query " + key + " is empty"
	case q.segment.Kind == pattern.Literal:
		return fmt.Sprintf("query %s is %q, not %q", key, excerpt.Abridge(value), excerpt.Abridge(q.segment.Text))
	}
	return fmt.Sprintf("query %s is %q, which %s does not take", key, excerpt.Abridge(value), excerpt.Abridge(q.segment.String()))
}

// The longest query that matchers read. Most proxies accept no longer request line.
// Django, PHP and Express read as many pairs.
const (
	maxQuery      = 16 << 10 // bytes
	maxQueryPairs = 1000     // empty ones included
)

// exceedsQuery reports whether a query is longer than matchers read.
func exceedsQuery(rawQuery string) bool {
	return len(rawQuery) >= maxQueryPairs && (len(rawQuery) > maxQuery || strings.Count(rawQuery, "&") >= maxQueryPairs)
}

// takesQuery reports whether a query has what all of the parts ask for. It
// allocates only if a value has to be unescaped, or to parse the query.
func (st *matchState) takesQuery(parts []queryPart, rawQuery string) bool {
	if !st.reads(len(rawQuery) * len(parts)) {
		return st.queryValues(rawQuery).match(parts)
	}
	for i := range parts {
		if value, ok := findQuery(rawQuery, parts[i].key); !ok || !parts[i].takes(value) {
			return false
		}
	}
	return true
}

// queryValues returns the values of a query, which is parsed once.
func (st *matchState) queryValues(rawQuery string) queryValues {
	parsed := st.keep()
	if parsed.query == nil {
		parsed.query = parseQuery(rawQuery)
	}
	return parsed.query
}

// queryValues has the first value of each key of a query.
type queryValues map[string]queryValue

type queryValue struct {
	text    string
	escaped bool
}

// parseQuery returns the values that findQuery finds.
func parseQuery(rawQuery string) queryValues {
	if exceedsQuery(rawQuery) {
		return queryValues{}
	}
	values := make(queryValues, 1+strings.Count(rawQuery, "&"))
	var space [64]byte
	for rawQuery != "" {
		var pair string
		pair, rawQuery = cutByte(rawQuery, '&')
		k, v := cutByte(pair, '=')
		if k == "" || strings.IndexByte(pair, ';') >= 0 || !isEscaped(k) || !isEscaped(v) {
			continue // no option has an empty key
		}
		if strings.IndexByte(k, '%') < 0 && strings.IndexByte(k, '+') < 0 {
			if _, found := values[k]; !found {
				values[k] = queryValue{v, true}
			}
		} else {
			key := appendQueryUnescaped(space[:0], k)
			if _, found := values[string(key)]; !found {
				values[string(key)] = queryValue{v, true}
			}
		}
	}
	return values
}

// appendQueryUnescaped appends a part of a query, in which every escape is valid,
// without its escapes.
func appendQueryUnescaped(b []byte, s string) []byte {
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch c {
		case '+':
			c = ' '
		case '%':
			c = urlpath.Unhex(s[i+1])<<4 | urlpath.Unhex(s[i+2])
			i += 2
		}
		b = append(b, c)
	}
	return b
}

// match reports whether the values are what all of the parts ask for.
func (vs queryValues) match(parts []queryPart) bool {
	for i := range parts {
		if value, ok := vs.find(parts[i].key); !ok || !parts[i].takes(value) {
			return false
		}
	}
	return true
}

// find returns the value of a key, which is unescaped once.
func (vs queryValues) find(key string) (value string, ok bool) {
	v, ok := vs[key]
	if v.escaped {
		v.text, _ = url.QueryUnescape(v.text) // parseQuery has seen that it can be
		v.escaped = false
		vs[key] = v
	}
	return v.text, ok
}

// findQuery returns the first value of a key, which is not empty, and whether
// there is one, as [url.ParseQuery] has it; none if the query is too long. The
// time is linear in the length of the query.
func findQuery(rawQuery, key string) (value string, ok bool) {
	if exceedsQuery(rawQuery) {
		return "", false
	}
	for rawQuery != "" {
		var pair string
		pair, rawQuery = cutByte(rawQuery, '&')
		k, v := cutByte(pair, '=')
		if !urlpath.UnescapesTo(k, key) || strings.IndexByte(pair, ';') >= 0 || !isEscaped(v) {
			continue
		}
		if v, err := url.QueryUnescape(v); err == nil {
			return v, true
		}
	}
	return "", false
}

// cutByte is [strings.Cut] for a byte. The compiler inlines it.
func cutByte(s string, c byte) (before, after string) {
	if i := strings.IndexByte(s, c); i >= 0 {
		return s[:i], s[i+1:]
	}
	return s, ""
}

// isEscaped reports whether each '%' of s begins an escape. An error that says so
// would cost an allocation, and a query may have many.
func isEscaped(s string) bool {
	for i := strings.IndexByte(s, '%'); i >= 0; {
		if i+2 >= len(s) || pattern.ByteClasses[s[i+1]]&pattern.ByteClasses[s[i+2]]&pattern.HexByte == 0 {
			return false
		}
		next := strings.IndexByte(s[i+3:], '%')
		if next < 0 {
			return true
		}
		i += 3 + next
	}
	return true
}

// queryNames returns the names of the parameters in queries, in the order of the
// route's options.
func (info *routeInfo) queryNames() []string {
	var names []string
	for i := range info.queries {
		names = pattern.AppendNames(names, []pattern.Segment{info.queries[i].segment})
	}
	return names
}

// queryValues sets vals, one for each of queryNames, to the values that a query
// which matches gives them.
func (info *routeInfo) queryValues(vals []string, rawQuery string) {
	var st matchState
	read := st.reads(len(rawQuery) * len(info.queries))
	for i := range info.queries {
		q := &info.queries[i]
		if q.segment.Params() == 0 {
			continue
		}
		var value string
		if read {
			value, _ = findQuery(rawQuery, q.key)
		} else {
			value, _ = st.queryValues(rawQuery).find(q.key)
		}
		vals = q.segment.Assign(vals, value)
	}
}
