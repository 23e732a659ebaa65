package generate

import (
	"strings"

	"github.com/muxwell/muxwell/gorilla/conformance/internal/program"
)

// template returns a path template for a route of r, and its pieces if it is valid.
func (b *builder) template(r *place) (string, []piece) {
	switch {
	case oneIn(b, 30):
		return pick(b, odd), nil
	case r.depth > 0 && oneIn(b, 8), oneIn(b, 60):
		return "", nil
	case oneIn(b, 12):
		return "/", []piece{exact("/")}
	}
	var pieces []piece
	for range 1 + b.IntN(3) {
		pieces = append(pieces, slash)
		if b.IntN(5) < 3 {
			pieces = append(pieces, pick(b, plain))
		} else {
			pieces = append(pieces, pick(b, variables))
		}
		if oneIn(b, 15) { // another in the same segment
			pieces = append(pieces, pick(b, variables))
		}
	}
	if oneIn(b, 4) {
		pieces = append(pieces, slash)
	}
	return text(pieces), pieces
}

// slash separates segments.
var slash = piece{"/", []string{"/"}, []string{""}}

// matcher returns a call that adds a matcher to r, or "" if r may have no more matchers.
func (b *builder) matcher(r *place) (call program.Call, args []string, nums []int) {
	if r.parent {
		return "", nil, nil
	}
	switch n := b.IntN(24); {
	case n < 6:
		if b.Plain {
			return "", nil, nil
		}
		return program.Methods, b.methods(r), nil
	case n < 7:
		template, pieces := b.template(r)
		b.notePath(r, template, pieces)
		return pick(b, []program.Call{program.Path, program.PathPrefix}), []string{template}, nil
	case n < 11:
		return program.Host, b.host(r), nil
	case n < 14:
		h := pick(b, headers)
		r.headers = append(r.headers, h[0], h[2])
		return program.Headers, b.maybeOdd(h[0], h[1]), nil
	case n < 15:
		h := pick(b, headerRegexps)
		r.headers = append(r.headers, h[0], h[2])
		if oneIn(b, 12) {
			h[1] = "("
		}
		return program.HeadersRegexp, b.maybeOdd(h[0], h[1]), nil
	case n < 20:
		if b.Plain {
			return "", nil, nil
		}
		return program.Queries, b.queries(r), nil
	case n < 21:
		list := []string{pick(b, []string{"http", "https", "HTTP"})}
		if oneIn(b, 3) {
			list = append(list, "https")
		}
		r.schemes = list
		return program.Schemes, list, nil
	}
	kind := b.IntN(program.SetVars)
	if kind > program.MatchShortPath && b.Plain {
		kind = program.MatchTrue
	}
	if !b.Plain && oneIn(b, 3) {
		kind = b.IntN(program.MatcherCount)
	}
	if kind == program.SetMethod && r.limited {
		kind = program.MatchTrue // below a Methods it would have a subrouter match after all
	}
	route := 0
	if kind == program.SetRoute {
		if len(b.routes) == 0 {
			return "", nil, nil
		}
		route = pick(b, b.routes).id
	}
	return program.MatcherFunc, nil, []int{kind, route}
}

func (b *builder) methods(r *place) []string {
	var list []string
	for range b.IntN(4) {
		list = append(list, pick(b, methods))
	}
	if len(list) == 0 && !oneIn(b, 9) {
		list = []string{"GET"}
	}
	r.methods, r.limited = list, true
	return list
}

func (b *builder) host(r *place) []string {
	h := pick(b, hosts)
	if oneIn(b, 25) {
		h = piece{template: pick(b, []string{"{", "", "{h:}", "a{b", "%"}), hits: []string{"a"}}
	}
	r.host = &h
	r.templates = append(r.templates, h.template)
	return []string{h.template}
}

func (b *builder) queries(r *place) (pairs []string) {
	for range 1 + b.IntN(2) {
		i := b.IntN(len(queries))
		r.queries = append(r.queries, i)
		r.templates = append(r.templates, queries[i].key, queries[i].value)
		pairs = append(pairs, queries[i].key, queries[i].value)
	}
	return b.maybeOdd(pairs...)
}

// maybeOdd returns pairs, seldom with one string missing.
func (b *builder) maybeOdd(pairs ...string) []string {
	if oneIn(b, 40) {
		return pairs[:len(pairs)-1]
	}
	return pairs
}

// buildsPlainly reports whether the URLs of r can be compared: a "%" in a template
// corrupts those that gorilla/mux builds.
func (p *place) buildsPlainly() bool {
	return !strings.Contains(strings.Join(p.templates, ""), "%")
}
