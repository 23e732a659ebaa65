package inspect

import (
	"iter"
	"slices"
	"strings"

	"github.com/muxwell/muxwell/internal/matcher"
	"github.com/muxwell/muxwell/internal/routing"
)

// Routes are the routes to inspect. They do not change.
type Routes struct {
	Tables  *routing.Tables
	Entries iter.Seq[*routing.Entry] // the entries of Tables in the order of registration
	// Source returns where an entry was registered, for texts.
	Source func(*routing.Entry) string
	// SameConstraints reports whether the constraints in the queries of two entries are
	// the same if they have the same names.
	SameConstraints func(p, q *routing.Entry) bool
}

// hasMatchers reports whether an entry has matchers.
func hasMatchers(e *routing.Entry) bool { return len(e.Matchers.Matchers) > 0 }

// hasMatcher reports whether an entry has the matcher with a text.
func hasMatcher(e *routing.Entry, text string) bool {
	return slices.ContainsFunc(e.Matchers.Matchers, func(m matcher.Matcher) bool { return m.Text == text })
}

// matcherTexts returns the matchers of an entry as a program writes them.
func matcherTexts(e *routing.Entry) string {
	var texts []string
	for _, m := range e.Matchers.Matchers {
		texts = append(texts, m.Text)
	}
	return strings.Join(texts, ", ")
}

// hasAccept reports whether one of an entry's matchers is Accept.
func hasAccept(e *routing.Entry) bool {
	return slices.ContainsFunc(e.Matchers.Matchers, func(m matcher.Matcher) bool { return m.Accept != nil })
}
