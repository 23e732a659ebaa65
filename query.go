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
// [url.Values.Get]. A query is read as [url.ParseQuery] reads it, but without its
// limit on the number of keys: '+' is a blank, and a pair with a ';' or a wrong
// escape is as if it were not there.
//
// Registration fails with an [*OptionError] if there is no pair, a key has no
// template or is empty, a template cannot be read, or the route asks for the key
// already.
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
		parts := slices.Clone(info.queries[from:])
		rt.addMatcher(matcher{
			text: text,
			takes: func(r *http.Request, _ *config) bool {
				for i := range parts {
					if _, ok := parts[i].find(r.URL.RawQuery); !ok {
						return false
					}
				}
				return true
			},
			meet: func(r *http.Request, _ int) {
				for i := range parts {
					r.URL.RawQuery = appendQuery(r.URL.RawQuery, parts[i].key, parts[i].example())
				}
			},
			miss: func(r *http.Request, _ *config) string {
				i := slices.IndexFunc(parts, func(q queryPart) bool { _, ok := q.find(r.URL.RawQuery); return !ok })
				return parts[max(i, 0)].miss(r.URL.RawQuery)
			},
		})
		return nil
	}}
}

// find returns the value that a query has for the part's key, if the part takes
// it. It allocates only if that value has to be unescaped.
func (q *queryPart) find(rawQuery string) (value string, ok bool) {
	value, ok = findQuery(rawQuery, q.key)
	return value, ok && q.takes(value)
}

// Matches reports whether the part takes a value.
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
	case !ok:
		return "query " + key + " is missing"
	case value == "":
		return "query " + key + " is empty"
	case q.segment.Kind == pattern.Literal:
		return fmt.Sprintf("query %s is %q, not %q", key, excerpt.Abridge(value), excerpt.Abridge(q.segment.Text))
	}
	return fmt.Sprintf("query %s is %q, which %s does not take", key, excerpt.Abridge(value), excerpt.Abridge(q.segment.String()))
}

// findQuery returns the first value of a key, which is not empty, and whether
// there is one, as [url.ParseQuery] has it. The time is linear in the length of
// the query.
func findQuery(rawQuery, key string) (value string, ok bool) {
	for rawQuery != "" {
		var pair string
		pair, rawQuery, _ = strings.Cut(rawQuery, "&")
		k, v, _ := strings.Cut(pair, "=")
		if !urlpath.UnescapesTo(k, key) || strings.IndexByte(pair, ';') >= 0 || !isEscaped(v) {
			continue
		}
		if v, err := url.QueryUnescape(v); err == nil {
			return v, true
		}
	}
	return "", false
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
	for i := range info.queries {
		if q := &info.queries[i]; q.segment.Params() > 0 {
			value, _ := findQuery(rawQuery, q.key)
			vals = q.segment.Assign(vals, value)
		}
	}
}
