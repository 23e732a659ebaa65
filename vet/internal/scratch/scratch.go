// Package scratch asks the routers themselves what is wrong with patterns: it registers them on
// muxes that serve nothing. It knows no rules of patterns of its own.
package scratch

import (
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"

	"github.com/muxwell/muxwell"
)

// Options are the options of a mux that patterns depend on.
type Options struct {
	Constraints []string // names
	AnyName     bool     // other constraints may have been passed to New
	ServeUnclean,
	Fold,
	Strict bool
}

// New returns a mux with the options, and the named constraints in addition.
func (o Options) New(more ...string) *muxwell.Mux {
	var options []muxwell.Option
	seen := make(map[string]bool)
	for _, name := range append(append([]string(nil), o.Constraints...), more...) {
		if option, ok := constraint(name); ok && !seen[name] {
			options, seen[name] = append(options, option), true
		}
	}
	if o.ServeUnclean {
		options = append(options, muxwell.UncleanPath(muxwell.PathServe))
	}
	if o.Fold {
		options = append(options, muxwell.CaseInsensitive())
	}
	if o.Strict {
		options = append(options, muxwell.StrictConflicts())
	}
	return muxwell.New(options...)
}

// constraint returns a constraint of a name, unless it is invalid or built in.
func constraint(name string) (option muxwell.Option, ok bool) {
	defer func() { ok = recover() == nil }()
	return muxwell.Constraint(name, func(string) bool { return true }), true
}

// A Problem is something wrong with a pattern.
type Problem struct {
	Offset, End int    // in the pattern as it was passed
	Reason      string // without the pattern
	Instead     string // the pattern to write, "" if none is certain
}

// unknown begins the reason of muxwell for a constraint that New did not get.
const unknown = "unknown constraint "

// Add registers a pattern as a function of a mux does: below a prefix, with the method of a
// function like Get. It returns the route or the error.
func Add(m *muxwell.Mux, prefix, method, pattern string, options ...muxwell.RouteOption) (rt *muxwell.Route, err error) {
	defer func() {
		if e := recover(); e != nil {
			rt, err = nil, e.(error)
		}
	}()
	g := m.With()
	if prefix != "" {
		g = m.Route(prefix, nil)
	}
	if method == "" {
		return g.Add(pattern, http.NotFoundHandler(), options...)
	}
	add := map[string]func(string, func(http.ResponseWriter, *http.Request), ...muxwell.RouteOption) *muxwell.Route{
		"GET": g.Get, "HEAD": g.Head, "POST": g.Post, "PUT": g.Put, "PATCH": g.Patch, "DELETE": g.Delete,
		"CONNECT": g.Connect, "OPTIONS": g.Options, "TRACE": g.Trace, "QUERY": g.Query,
	}[method]
	return add(pattern, http.NotFound, options...), nil
}

// Mount mounts a mux in another one. It returns the error.
func Mount(m *muxwell.Mux, prefix string, inner *muxwell.Mux) (err error) {
	defer func() {
		if e := recover(); e != nil {
			err = e.(error)
		}
	}()
	m.Mount(prefix, inner)
	return nil
}

// Muxwell returns what is wrong with a pattern of a mux, or nil. prefix is nil if it is not
// known.
func (o Options) Muxwell(prefix *string, method, pattern string) *Problem {
	before := "/x"
	if prefix != nil {
		before = *prefix
	}
	m, err := o.lenient(before, method, pattern)
	if perr, ok := errors.AsType[*muxwell.PatternError](err); ok {
		if strings.HasPrefix(perr.Reason, unknown) && o.AnyName {
			return nil
		}
		if prefix == nil && strings.Contains(perr.Reason, "group's prefix") {
			return nil
		}
		at := offset(perr, pattern)
		return &Problem{Offset: at, End: at, Reason: perr.Reason}
	} else if err != nil {
		return nil
	}
	if method == "" && !strings.ContainsAny(pattern, " \t") {
		// A scheme is a host of its own without a method.
		_, err := o.lenient(before, "", "GET "+pattern)
		if perr, ok := errors.AsType[*muxwell.PatternError](err); ok && strings.HasPrefix(perr.Reason, noScheme) {
			_, rest, _ := strings.Cut(pattern, "//")
			return &Problem{Offset: 0, End: len(pattern) - len(rest), Reason: noScheme + "; write " + strconv.Quote(rest), Instead: rest}
		}
	}
	return suspicious(m, pattern)
}

// noScheme begins the reason of muxwell for a host with a scheme.
const noScheme = "a pattern has no scheme"

// lenient registers a pattern on a mux. If the options are not all known, it tries those with
// which a mux accepts more.
func (o Options) lenient(prefix, method, pattern string) (*muxwell.Mux, error) {
	m := o.New()
	_, err := Add(m, prefix, method, pattern)
	if err == nil || !o.AnyName {
		return m, err
	}
	o.ServeUnclean = true
	m = o.New(constraintNames(pattern + prefix)...)
	_, err = Add(m, prefix, method, pattern)
	return m, err
}

// constraintNames returns what may be names of constraints in a pattern.
func constraintNames(pattern string) (names []string) {
	for _, match := range afterColon.FindAllStringSubmatch(pattern, -1) {
		names = append(names, match[1])
	}
	return names
}

var afterColon = regexp.MustCompile(`:([A-Za-z_][A-Za-z0-9_]*)\}`)

// offset returns where the error is in the pattern as it was passed: a method and a prefix may
// have been put before and into it.
func offset(e *muxwell.PatternError, pattern string) int {
	if at := e.Offset - (len(e.Pattern) - len(pattern)); strings.HasSuffix(e.Pattern, pattern) {
		return clamp(at, pattern)
	}
	same := 0
	for same < len(pattern) && same < len(e.Pattern) && pattern[same] == e.Pattern[same] {
		same++
	}
	if e.Offset < same {
		return clamp(e.Offset, pattern)
	}
	return clamp(e.Offset-(len(e.Pattern)-len(pattern)), pattern)
}

func clamp(at int, pattern string) int { return max(0, min(at, len(pattern))) }

// suspicious returns what Check says about the syntax of a mux's only pattern.
func suspicious(m *muxwell.Mux, pattern string) *Problem {
	if found := m.Check().Suspicious; len(found) > 0 {
		s := found[0]
		whole := s.Route.Pattern()
		at := clamp(s.Offset-(len(whole)-len(pattern)), pattern)
		if whole == pattern {
			at = s.Offset
		}
		p := &Problem{Offset: at, End: at, Reason: s.Reason}
		before, below := strings.CutSuffix(whole, pattern) // the method
		if below && strings.HasPrefix(s.Instead, before) && s.Offset >= len(before) && !strings.Contains(s.Reason, "register the path") && !strings.Contains(s.Reason, "unknown constraint") {
			p.Instead = s.Instead[len(before):]
		}
		return p
	}
	return nil
}

// ServeMux returns what is wrong with a pattern of http.ServeMux, or nil.
func ServeMux(pattern string) *Problem {
	text := try(http.NewServeMux(), pattern)
	if match := parsing.FindStringSubmatch(text); match != nil {
		at, _ := strconv.Atoi(match[1])
		reason := match[2]
		p := &Problem{Offset: clamp(at, pattern), End: clamp(at, pattern), Reason: reason}
		if _, err := Add(muxwell.New(), "", "", pattern); err != nil {
			if perr, ok := errors.AsType[*muxwell.PatternError](err); ok && strings.HasPrefix(perr.Reason, noScheme) {
				p.Offset, p.End, p.Reason = perr.Offset, perr.Offset, perr.Reason
			}
		}
		return p
	} else if text != "" {
		return &Problem{Reason: strings.TrimPrefix(text, "http: ")}
	}
	if method, _, ok := strings.Cut(pattern, "/"); ok && !strings.ContainsAny(method, " \t") {
		switch {
		case strings.HasSuffix(method, "http:"), strings.HasSuffix(method, "https:"):
			_, rest, _ := strings.Cut(pattern, "//")
			return &Problem{Offset: 0, End: len(pattern) - len(rest), Reason: noScheme + "; write " + strconv.Quote(rest), Instead: rest}
		}
	}
	m := muxwell.New()
	if _, err := m.Add(pattern, http.NotFoundHandler()); err != nil {
		return nil // ServeMux has the last word
	}
	p := suspicious(m, pattern)
	if p != nil && p.Instead != "" && try(http.NewServeMux(), p.Instead) != "" {
		p.Reason, _, _ = strings.Cut(p.Reason, ";")
		p.Instead = ""
	}
	return p
}

var parsing = regexp.MustCompile(`(?s)^parsing .*: at offset (\d+): (.*)$`)

// try registers a pattern and returns why it panics, or "".
func try(m *http.ServeMux, pattern string) (panics string) {
	defer func() {
		if e := recover(); e != nil {
			panics = fmt.Sprint(e)
		}
	}()
	m.Handle(pattern, http.NotFoundHandler())
	return ""
}

// ServeMuxConflict returns why http.ServeMux rejects the second of two valid patterns after the
// first, or "".
func ServeMuxConflict(first, second string) string {
	m := http.NewServeMux()
	if try(m, first) != "" {
		return ""
	}
	text := try(m, second)
	if _, reason, ok := strings.Cut(text, "):\n"); ok && strings.Contains(text, "conflicts with pattern") {
		return strings.ReplaceAll(reason, "\n", " ")
	}
	return ""
}

// ServeMuxAccepts reports whether http.ServeMux accepts all of the patterns together. Those that
// it rejects alone are left out.
func ServeMuxAccepts(patterns []string) bool {
	m := http.NewServeMux()
	for _, p := range patterns {
		if try(m, p) != "" && try(http.NewServeMux(), p) == "" {
			return false
		}
	}
	return true
}

// Register registers a pattern on a mux of its own that accepts as much as the mux with the
// options may, and returns the route.
func (o Options) Register(prefix, method, pattern string, options ...muxwell.RouteOption) (*muxwell.Route, error) {
	m := o.New()
	rt, err := Add(m, prefix, method, pattern, options...)
	if err == nil || !o.AnyName {
		return rt, err
	}
	o.ServeUnclean = true
	return Add(o.New(constraintNames(pattern+prefix)...), prefix, method, pattern, options...)
}

// Mux returns a mux with all patterns that are valid and conflict with none before them.
// Constraints that are not known match everything.
func (o Options) Mux(patterns []string) *muxwell.Mux {
	m := o.New(constraintNames(strings.Join(patterns, "\n"))...)
	for _, p := range patterns {
		_, _ = m.Add(p, http.NotFoundHandler())
	}
	return m
}
