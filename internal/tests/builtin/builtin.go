// Package builtin adds a constraint that is made up to the table of built-in
// constraints, for the time of a test. What is derived from the table, such as a
// schema, then has to know the new row.
package builtin

import (
	"slices"
	"strings"
	"testing"

	"github.com/muxwell/muxwell/internal/constraint"
)

// Add adds the constraint octal, [0-7]+, until the test ends. Tests that run at the same
// time see it too.
func Add(t testing.TB) {
	before := constraint.Builtins
	t.Cleanup(func() { constraint.Builtins = before })
	constraint.Builtins = append(slices.Clip(before), constraint.Builtin{
		Name: "octal", Matches: isOctal, Expr: `[0-7]+`,
		Doc: "`[0-7]+`", Example: "17", Type: "string",
	})
}

func isOctal(s string) bool { return s != "" && strings.Trim(s, "01234567") == "" }
