package naive

import (
	"slices"
	"strings"
)

// Facts are what decides the answer to a request that is not CONNECT: which routes
// match its clean path, and that with a slash more. A route is its index, or -1.
type Facts struct {
	Clean      bool // the path was sent clean
	Route      int  // that matches best
	Exact      bool
	Slash      int // that matches best with a slash more, if the path has none at its end
	SlashExact bool
}

// A Decision is the kind of an answer.
type Decision uint8

const (
	Serve    Decision = iota // Route
	AddSlash                 // a redirect to the clean path with a slash more, of the route Slash
	CleanUp                  // a redirect to the clean path, of Route or of none
	Refuse                   // 405, or 404 if no method is allowed
)

// Decide returns the kind of an answer.
func (f Facts) Decide() Decision {
	switch {
	case !(f.Route >= 0 && f.Exact) && f.Slash >= 0 && f.SlashExact:
		return AddSlash
	case !f.Clean:
		return CleanUp
	case f.Route >= 0:
		return Serve
	}
	return Refuse
}

// Clean returns a path without empty, "." and ".." segments, but with its slash at
// the end.
func Clean(path string) string {
	var kept []string
	segments := strings.Split(strings.TrimPrefix(path, "/"), "/")
	for _, s := range segments {
		switch s {
		case "", ".":
		case "..":
			kept = kept[:max(len(kept)-1, 0)]
		default:
			kept = append(kept, s)
		}
	}
	clean := "/" + strings.Join(kept, "/")
	if len(kept) > 0 && segments[len(segments)-1] == "" {
		clean += "/"
	}
	return clean
}

// Allow returns the Allow header for methods that match, "" if there are none. It
// has each of them once, sorted, and HEAD with GET.
func Allow(methods []string) string {
	methods = slices.Clone(methods)
	if slices.Contains(methods, "GET") {
		methods = append(methods, "HEAD")
	}
	slices.Sort(methods)
	return strings.Join(slices.Compact(methods), ", ")
}

// A Mux is a list of patterns in the order of registration.
type Mux []*Pattern

// A Reply is what a client and a handler see.
type Reply struct {
	Status   int
	Pattern  string
	Values   []string // of a 200
	Location string
	Allow    string
}

// Best returns the index of the pattern that wins, or -1.
func (m Mux) Best(method string, path []string) int {
	best := -1
	for i, p := range m {
		if _, ok := Match(p.Segments, path, false); !ok || MatchMethod(p.Methods, method) == 0 {
			continue
		}
		if best < 0 || m.compare(p, m[best], method) < 0 {
			best = i
		}
	}
	return best
}

func (m Mux) compare(p, q *Pattern, method string) int {
	rank := func(segs []Segment, i int) int {
		begin := Order(segs)[:i+1]
		return slices.IndexFunc(m, func(r *Pattern) bool {
			order := Order(r.Segments)
			return len(order) > i && slices.EqualFunc(order[:i+1], begin, Segment.Same)
		})
	}
	if c := Compare(p.Segments, q.Segments, rank); c != 0 {
		return c
	}
	return MatchMethod(q.Methods, method) - MatchMethod(p.Methods, method)
}

// Answer returns the answer of a mux without options to a request that is not
// CONNECT, with a path as it was sent.
func (m Mux) Answer(method, sent string) Reply {
	clean := Clean(sent)
	split := func(path string) []string { return strings.Split(path, "/")[1:] }
	f := Facts{Clean: clean == sent, Route: m.Best(method, split(clean)), Slash: -1}
	f.Exact = f.Route >= 0 && Exact(m[f.Route].Segments, split(clean))
	paths := [][]string{split(clean)}
	if !strings.HasSuffix(clean, "/") {
		other := split(clean + "/")
		paths = append(paths, other)
		f.Slash = m.Best(method, other)
		f.SlashExact = f.Slash >= 0 && Exact(m[f.Slash].Segments, other)
	}
	switch f.Decide() {
	case Serve:
		values, _ := Match(m[f.Route].Segments, split(clean), false)
		return Reply{Status: 200, Pattern: m[f.Route].Text, Values: values}
	case AddSlash:
		return Reply{Status: 307, Pattern: m[f.Slash].Text, Location: clean + "/"}
	case CleanUp:
		r := Reply{Status: 307, Location: clean}
		if f.Route >= 0 {
			r.Pattern = m[f.Route].Text
		}
		return r
	}
	var methods []string
	for _, p := range m {
		if slices.ContainsFunc(paths, func(path []string) bool { _, ok := Match(p.Segments, path, false); return ok }) {
			methods = append(methods, p.Methods...)
		}
	}
	if allow := Allow(methods); allow != "" {
		return Reply{Status: 405, Allow: allow}
	}
	return Reply{Status: 404}
}
