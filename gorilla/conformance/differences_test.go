package conformance

import (
	"cmp"
	"net/url"
	"path"
	"strings"

	"github.com/muxwell/muxwell/gorilla/conformance/internal/program"
)

// This file lists how each intentional difference from gorilla/mux that a comparison
// can reach is excluded: from the programs, or from what is compared.
// docs/migrate-from-gorilla.md describes the differences.
//
//   - Route.Use runs the middleware of a route even if an earlier route failed to match
//     by its method or a query: see rules.wrap.
//   - A subrouter whose routes match while its own route does not, by a matcher added
//     after it or by its method: package generate adds no matchers after Subrouter
//     (place.parent), and gives subrouters below a Methods no handlers for 404 and 405
//     (place.limited).
//   - "%" in a template: package generate builds no URL (place.buildsPlainly).
//   - Locations: see sameLocation.
//   - A middleware constructor runs once for each route, not for each request: the
//     layers of package oracle do not count its calls.
//   - Names in a zero Router or Route: package generate gives none (builder.zero).
//   - Variables of a route that has none, which are an empty map, as in v1.8.1: see
//     sameVars.

// The rules are the rules for comparing a program.
type rules struct {
	// wrap makes the oracle wrap handlers itself instead of calling Route.Use.
	// gorilla/mux skips the middleware of a route once a match has met an error. In
	// programs without errors both packages use Route.Use.
	wrap bool

	// encoded reports whether a router matches escaped paths. Locations keep the escapes
	// then, which gorilla/mux decodes or escapes twice.
	encoded bool
}

// rulesFor returns the rules for a program.
func rulesFor(p program.Program) (r rules) {
	for _, op := range p {
		switch op.Call {
		case program.Methods, program.Queries, program.MatchAgain, program.NotFoundHandler,
			program.MethodNotAllowedHandler:
			r.wrap = true
		case program.MatcherFunc:
			r.wrap = r.wrap || !program.PureMatcher(op.Nums[0])
		case program.UseEncodedPath:
			r.encoded = true
		}
	}
	return r
}

// agree reports whether an op has the same result in two packages.
func (r rules) agree(op program.Op, want, got program.Seen) bool {
	if op.Call == program.ServeHTTP && want.Location != "" && got.Location != "" {
		if !r.sameLocation(op.Req, want.Location, got.Location) {
			return false
		}
		want.Location, got.Location = "", ""
	}
	return sameVars(want, got)
}

// sameVars reports whether an op has the same result, where the variables of the second
// may be an empty map instead of nil.
func sameVars(want, got program.Seen) bool {
	if want == got {
		return true
	}
	for _, text := range []*string{&want.Text, &want.Header, &got.Text, &got.Header} {
		*text = strings.ReplaceAll(*text, "vars={}", "vars=nil")
	}
	want.Vars, got.Vars = 0, 0 // they are in the text
	return want == got
}

// sameLocation reports whether got is the right Location if gorilla/mux sends want. It is a
// path of this site, beginning with one slash, with the query.
func (r rules) sameLocation(req *program.Request, want, got string) bool {
	u := req.HTTP().URL
	wantPath, wantQuery, _ := strings.Cut(want, "?")
	if u.IsAbs() || u.Host != "" { // the request names a site, and so does want
		to, err := url.Parse(want)
		if err != nil {
			return false
		}
		wantPath, wantQuery = cmp.Or(to.EscapedPath(), "/"), to.RawQuery
	}
	gotPath, gotQuery, _ := strings.Cut(got, "?")
	if !ofSite(gotPath) || gotQuery != wantQuery {
		return false
	}
	if gotPath == wantPath {
		return true
	}
	// Under SkipClean, gorilla/mux cleans the path only if its Location has no host,
	// so "//evil.com" stays.
	if wantPath != path.Clean(wantPath) && samePath(wantPath, gotPath) {
		return true
	}
	// A RawPath that is left over from another path may be valid for the clean path.
	if plain, err := url.PathUnescape(wantPath); req.Path != "" && err == nil && escaped(plain) == gotPath {
		return true
	}
	sent := u.EscapedPath()
	return r.encoded && (samePath(sent, gotPath) ||
		samePath(sent+"/", gotPath) || samePath(strings.TrimSuffix(sent, "/"), gotPath))
}

// escaped returns a path with the escapes that net/url gives it.
func escaped(path string) string { return (&url.URL{Path: path}).EscapedPath() }

// samePath reports whether two paths are the same except for empty segments and dots.
func samePath(a, b string) bool {
	return path.Clean("/"+a) == path.Clean("/"+b) && strings.HasSuffix(a, "/") == strings.HasSuffix(b, "/")
}

// ofSite reports whether a browser treats a Location as a path of the same site.
func ofSite(location string) bool {
	return strings.HasPrefix(location, "/") &&
		!strings.HasPrefix(location, "//") && !strings.HasPrefix(location, `/\`)
}
