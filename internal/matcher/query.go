package matcher

import (
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"github.com/muxwell/muxwell/internal/excerpt"
	"github.com/muxwell/muxwell/internal/overlap"
	"github.com/muxwell/muxwell/internal/pattern"
	"github.com/muxwell/muxwell/internal/urlpath"
)

// A QueryPart is a key of the query that a route requires.
type QueryPart struct {
	Key     string          // unescaped
	Present bool            // any value matches, even an empty one
	Segment pattern.Segment // otherwise what the value must match: literal, param, constrained, composite or catch-all
}

// AddQueries adds the matcher of an option Queries, under the rules of the mux for
// patterns. names are those of the parameters that the route's pattern has.
func (s *Set) AddQueries(pairs []string, r pattern.Rules, names []string) error {
	text := OptionText("Queries", pairs)
	switch n := len(pairs); {
	case n == 0:
		return matchErrorf(text, "no key; write a key and a template")
	case n%2 != 0:
		return matchErrorf(text, `the key %q has no template; write one after each key, "" for any value`, pairs[n-1])
	}
	from := len(s.Queries)
	for pair := range slices.Chunk(pairs, 2) {
		key, template := pair[0], pair[1]
		switch {
		case key == "":
			return matchErrorf(text, "a key is empty; write one before each template")
		case slices.ContainsFunc(s.Queries, func(q QueryPart) bool { return q.Key == key }):
			return matchErrorf(text, "the route requires the key %q twice, but only its first value counts; remove one of them", key)
		}
		part := QueryPart{Key: key, Present: template == ""}
		if template != "" {
			g, err := pattern.ParseTemplate(template, r, append(names, s.QueryNames()...))
			if e, ok := err.(*pattern.Error); ok {
				return &Error{text, fmt.Sprintf("template %q: at offset %d: %s", excerpt.Abridge(template), e.Offset, e.Reason)}
			}
			part.Segment = g
		}
		s.Queries = append(s.Queries, part)
	}
	if reason := exceedingParts(s.Queries); reason != "" {
		return &Error{text, reason}
	}
	parts := slices.Clone(s.Queries[from:])
	s.add(Matcher{
		Text:    text,
		queries: parts,
		Satisfy: func(r *http.Request, _ int) {
			for i := range parts {
				r.URL.RawQuery = AppendQuery(r.URL.RawQuery, parts[i].Key, parts[i].example())
			}
		},
		Miss: func(r *http.Request, _ []netip.Prefix) string {
			i := slices.IndexFunc(parts, func(q QueryPart) bool { return !new(State).MatchesQuery([]QueryPart{q}, r.URL.RawQuery) })
			return parts[max(i, 0)].mismatch(r.URL.RawQuery)
		},
	})
	return nil
}

// exceedingParts returns why every query that the parts match exceeds the limits, or
// "".
func exceedingParts(parts []QueryPart) (reason string) {
	least := 0
	for i := range parts {
		least += len(parts[i].Key)
		if g := &parts[i].Segment; g.Kind == pattern.Literal {
			least += len(g.Text)
		} else if g.Matcher != nil {
			least += g.Matcher.Literals
		}
	}
	switch {
	case len(parts) > maxQueryPairs:
		return fmt.Sprintf("the route requires %d keys, but at most %d pairs of a query are read; remove some", len(parts), maxQueryPairs)
	case least > MaxQuery:
		return fmt.Sprintf("the route requires %d bytes of text, but at most %d bytes of a query are read; remove some", least, MaxQuery)
	}
	return ""
}

// Matches reports whether the part matches a value.
func (q *QueryPart) Matches(value string) bool {
	return q.Present || q.Segment.Kind == pattern.CatchAll || q.Segment.Matches(value)
}

// example returns a value that the part matches, if one is known: the name of its
// parameter if that matches.
func (q *QueryPart) example() string {
	if q.Present || q.Segment.Kind == pattern.Literal || q.Segment.Kind == pattern.CatchAll {
		return q.Segment.Text
	}
	text, _ := overlap.Text(q.Segment)
	return text
}

// AppendQuery appends a key with its value to a query.
func AppendQuery(rawQuery, key, value string) string {
	if rawQuery != "" {
		rawQuery += "&"
	}
	return rawQuery + url.QueryEscape(key) + "=" + url.QueryEscape(value)
}

// mismatch returns why a query does not match the part.
func (q *QueryPart) mismatch(rawQuery string) string {
	value, ok := FindQuery(rawQuery, q.Key)
	key := excerpt.Printable(excerpt.Abridge(q.Key))
	switch {
	case QueryTooLong(rawQuery):
		return fmt.Sprintf("query has more than %d bytes or %d pairs, the limits of what is read", MaxQuery, maxQueryPairs)
	case !ok:
		return "query " + key + " is missing"
	case value == "":
		return "query " + key + " is empty"
	case q.Segment.Kind == pattern.Literal:
		return fmt.Sprintf("query %s is %q, not %q", key, excerpt.Abridge(value), excerpt.Abridge(q.Segment.Text))
	}
	return fmt.Sprintf("query %s is %q, which %s does not match", key, excerpt.Abridge(value), excerpt.Abridge(q.Segment.String()))
}

// The longest query that matchers read. Most proxies accept no longer request line.
// Django, PHP and Express read as many pairs.
const (
	MaxQuery      = 16 << 10 // bytes
	maxQueryPairs = 1000     // empty ones included
)

// QueryTooLong reports whether a query exceeds the limits.
func QueryTooLong(rawQuery string) bool {
	return len(rawQuery) >= maxQueryPairs && (len(rawQuery) > MaxQuery || strings.Count(rawQuery, "&") >= maxQueryPairs)
}

// MatchesQuery reports whether a query matches all of the parts. It allocates only if a
// value has to be unescaped, or to parse the query.
func (st *State) MatchesQuery(parts []QueryPart, rawQuery string) bool {
	if !st.reads(len(rawQuery) * len(parts)) {
		return st.queryValues(rawQuery).match(parts)
	}
	for i := range parts {
		if value, ok := FindQuery(rawQuery, parts[i].Key); !ok || !parts[i].Matches(value) {
			return false
		}
	}
	return true
}

// queryValues returns the values of a query, which is parsed once.
func (st *State) queryValues(rawQuery string) queryValues {
	parsed := st.keep()
	if parsed.query == nil {
		parsed.query = parseQuery(rawQuery)
	}
	return parsed.query
}

// QueryValues has the first value of each key of a query.
type queryValues map[string]queryValue

type queryValue struct {
	text    string
	escaped bool
}

// parseQuery returns the values that FindQuery finds.
func parseQuery(rawQuery string) queryValues {
	if QueryTooLong(rawQuery) {
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

// match reports whether the values match all of the parts.
func (vs queryValues) match(parts []QueryPart) bool {
	for i := range parts {
		if value, ok := vs.find(parts[i].Key); !ok || !parts[i].Matches(value) {
			return false
		}
	}
	return true
}

// find returns the value of a key, which is unescaped once.
func (vs queryValues) find(key string) (value string, ok bool) {
	v, ok := vs[key]
	if v.escaped {
		v.text, _ = url.QueryUnescape(v.text) // parseQuery has checked the escapes
		v.escaped = false
		vs[key] = v
	}
	return v.text, ok
}

// FindQuery returns the first value of a key, which is not empty, and whether there is
// one, like [url.ParseQuery]. It finds none if the query is too long. The time is
// linear in the length of the query.
func FindQuery(rawQuery, key string) (value string, ok bool) {
	if QueryTooLong(rawQuery) {
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

// isEscaped reports whether each '%' of s begins an escape. An error would cost an
// allocation, and a query may have many.
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

// QueryNames returns the names of the parameters in queries, in the order of the
// route's options.
func (s *Set) QueryNames() []string {
	var names []string
	for i := range s.Queries {
		names = pattern.AppendNames(names, []pattern.Segment{s.Queries[i].Segment})
	}
	return names
}

// QueryValues sets vals, one for each of QueryNames, to the values in a query that
// matches.
func (s *Set) QueryValues(vals []string, rawQuery string) {
	var st State
	read := st.reads(len(rawQuery) * len(s.Queries))
	for i := range s.Queries {
		q := &s.Queries[i]
		if q.Segment.Params() == 0 {
			continue
		}
		var value string
		if read {
			value, _ = FindQuery(rawQuery, q.Key)
		} else {
			value, _ = st.queryValues(rawQuery).find(q.Key)
		}
		vals = q.Segment.Assign(vals, value)
	}
}
