package pattern

import (
	"strings"
	"testing"

	"github.com/muxwell/muxwell/internal/constraint"
)

// TestAliases: no name of another router is one of ours, and what is to be written in
// its place is.
func TestAliases(t *testing.T) {
	for name, advice := range aliases {
		if constraint.Find(name) != nil {
			t.Errorf("%s is a constraint, and no alias of one", name)
		}
		if write, ok := strings.CutPrefix(advice, "write "); ok && constraint.IsName(write) && constraint.Find(write) == nil {
			t.Errorf("%s: %q, and there is no such constraint", name, advice)
		}
	}
	for name := range takesArguments {
		if constraint.Find(name) != nil {
			t.Errorf("%s is a constraint, and not only one of other routers", name)
		}
	}
}
