package conformance

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/muxwell/muxwell/gorilla/conformance/internal/generate"
	"github.com/muxwell/muxwell/gorilla/conformance/internal/oracle"
	"github.com/muxwell/muxwell/gorilla/conformance/internal/program"
	"github.com/muxwell/muxwell/gorilla/conformance/internal/subject"
	"github.com/muxwell/muxwell/gorilla/conformance/internal/v181"
	"github.com/muxwell/muxwell/internal/tests/long"
)

// The package under test behaves as v1.8.1 of gorilla/mux does, or as the main branch does
// where that differs. These are the differences of the main branch from v1.8.1. The list is
// closed: TestVersion181 fails for another difference, and for one that does not occur.
const (
	// After a route failed to match by its method or its query, or a MatcherFunc set an error,
	// v1.8.1 forgets it, or keeps it, in other cases: an answer is 404 instead of 405, 200 or
	// 301, or the reverse, and middleware runs or not. With a nil handler it panics.
	changedMisses = "misses"
	// Variables that are left by a route that does not match in the end, and those of the
	// outer router in a router that is a handler, and in handlers of a 404 or 405.
	changedVars = "variables"
	// Errors of regular expressions name the variable.
	changedErrors = "errors"
)

// changed returns the name of the difference of the main branch from v1.8.1 that an op
// shows, or "".
func changed(p program.Program, op program.Op, old, main program.Seen) string {
	switch {
	case strings.Contains(main.Text, "mux: error compiling regex") && strings.Contains(old.Text, "error parsing regexp"):
		return changedErrors
	case op.Compares() && withoutVars(old) == withoutVars(main):
		return changedVars
	case op.Compares() && slices.ContainsFunc(p, makesErrors):
		return changedMisses
	}
	return ""
}

var varsSeen = regexp.MustCompile(`vars=(nil|\{[^}]*\})`)

// withoutVars returns what an op shows without variables.
func withoutVars(s program.Seen) program.Seen {
	s.Text, s.Header, s.Vars = varsSeen.ReplaceAllString(s.Text, ""), varsSeen.ReplaceAllString(s.Header, ""), 0
	return s
}

// makesErrors reports whether an op makes matches that have an error.
func makesErrors(op program.Op) bool {
	switch op.Call {
	case program.Methods, program.Queries, program.NotFoundHandler, program.MethodNotAllowedHandler:
		return true
	case program.MatcherFunc:
		return !program.PureMatcher(op.Nums[0])
	}
	return false
}

// TestVersion181 compares the packages on random programs: each result is that of v1.8.1,
// or that of the main branch where it is known to differ.
func TestVersion181(t *testing.T) {
	goal := long.Rounds(t, "requests", 20_000, 50_000, 200_000)
	found := map[string]int{}
	served := 0
	for seed := *seedFlag; served < goal; seed++ {
		src := generate.Seeded(seed)
		p := slices.DeleteFunc(generate.Program(src, generate.Some(src)), func(op program.Op) bool {
			return op.Newer() || op.Call == program.MatchAgain // which would repeat a difference
		})
		rules := rulesFor(p)
		old, main, ours := v181.New(), oracle.New(), subject.New()
		old.WrapHandlers, old.Old = true, true
		main.WrapHandlers, main.Old = true, true
		ours.Old = true
		for i, op := range p {
			was, want, got := old.Do(op), main.Do(op), ours.Do(op)
			if op.Call == program.ServeHTTP {
				served++
			}
			if was == got || rules.agree(op, was, got) && was.Location != "" {
				continue
			}
			kind := changed(p, op, was, want)
			if kind == "" || !rules.agree(op, want, got) {
				t.Fatalf("-seed %d (%s):\n%s\nv1.8.1:\n%s\nmain:\n%s\nthe package:\n%s",
					seed, kind, p[:i+1], indent(was), indent(want), indent(got))
			}
			found[kind]++
		}
	}
	for _, kind := range []string{changedMisses, changedVars, changedErrors} {
		if found[kind] == 0 {
			t.Errorf("%s: there is no such difference", kind)
		}
	}
	t.Logf("%d requests; differences of the main branch: %v", served, found)
}
