package constraint

import (
	"math/big"
	"regexp"
	"slices"
	"testing"

	"github.com/muxwell/muxwell/internal/language"
)

// TestBuiltins: each row of the table is whole.
func TestBuiltins(t *testing.T) {
	seen := make(map[string]bool)
	for i := range Builtins {
		b := &Builtins[i]
		if !IsName(b.Name) || seen[b.Name] || Find(b.Name) != b {
			t.Errorf("%q is no name of a constraint, or stands twice in the table", b.Name)
		}
		seen[b.Name] = true
		if b.Matches == nil || b.Expr == "" || b.Doc == "" {
			t.Fatalf("%s: the row has no function, expression or documentation", b.Name)
		}
		if !b.Matches(b.Example) || b.Matches("") {
			t.Errorf("%s: matches its example %q: %t; matches no text: %t", b.Name, b.Example, b.Matches(b.Example), b.Matches(""))
		}
		if n := regexp.MustCompile(b.Expr).NumSubexp(); n != 0 {
			t.Errorf("%s: the expression has %d capturing groups; write (?:…)", b.Name, n)
		}
		for _, text := range regexp.MustCompile("`(.*?)`").FindAllStringSubmatch(b.Doc, -1) {
			if text[1] != b.PlainExpr() {
				t.Errorf("%s: the documentation has the expression %s, want %s", b.Name, text[1], b.PlainExpr())
			}
		}
		if regexp.MustCompile("[|\n]").MatchString(b.Doc + b.Example) {
			t.Errorf("%s: %q and %q are to stand in a table of Markdown", b.Name, b.Doc, b.Example)
		}
		if b.Type == "string" && b.Minimum != nil || b.Type == "integer" && b.Format != "" || b.Type != "string" && b.Type != "integer" {
			t.Errorf("%s: type %q, format %q, minimum %v", b.Name, b.Type, b.Format, b.Minimum)
		}
		// Hosts are compared in lower case.
		if _, answer := language.Find([]*language.Set{set(t, b.Expr), set(t, "[^A-Z]+")}, nil); answer != language.Found {
			t.Errorf("%s: no text without upper-case letters matches, as in a host", b.Name)
		}
	}
}

// TestSchemas: what a constraint's type, minimum and pattern say is what it matches. A
// format is for others to check.
func TestSchemas(t *testing.T) {
	alternatives := Builtin{Name: "alternatives", Expr: "a|(?:b|c)+", Type: "string"}
	for i, b := range slices.Concat(Builtins, []Builtin{alternatives}) {
		switch pattern := b.Pattern(); {
		case b.Type == "integer":
			for j := range Builtins {
				for _, text := range slices.Concat(edges[Builtins[j].Name].yes, edges[Builtins[j].Name].no) {
					n, ok := new(big.Int).SetString(text, 10)
					want := ok && text[0] != '+' && (b.Minimum == nil || text[0] != '-' && n.Cmp(big.NewInt(int64(*b.Minimum))) >= 0)
					if got := b.Matches(text); got != want {
						t.Errorf("%s: %q matches: %t; it is in the schema: %t", b.Name, text, got, want)
					}
				}
			}
		case b.Format != "":
			if pattern != "" {
				t.Errorf("%s: the format is %s and the pattern %s, want one of them", b.Name, b.Format, pattern)
			}
		default:
			expr, schema := set(t, b.Expr), set(t, pattern)
			for _, two := range [][2]*language.Set{{expr, schema}, {schema, expr}} {
				if text, answer := language.Find(two[:1], two[1:]); answer != language.None {
					t.Errorf("%s (row %d): the pattern %s differs from the expression %s: %v, as in %q", b.Name, i, pattern, b.Expr, answer, text)
				}
			}
		}
	}
	if got := Find("slug").Pattern(); got != "^[0-9a-z]+(-[0-9a-z]+)*$" {
		t.Errorf("the pattern of slug is %s", got)
	}
}

// set returns the texts that an expression matches as a whole.
func set(t *testing.T, expr string) *language.Set {
	t.Helper()
	s, err := language.New(expr)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestFindNone(t *testing.T) {
	for _, name := range []string{"", "INT", "in", "integer", "[0-9]+"} {
		if b := Find(name); b != nil {
			t.Errorf("Find(%q) = %s, want none", name, b.Name)
		}
	}
}
