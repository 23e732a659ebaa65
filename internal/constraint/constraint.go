// Package constraint has the built-in constraints, such as int in {id:int}, in one
// table: [Builtins]. It does not know patterns, and the constraints that a program
// defines.
//
// Everything else that names a built-in constraint is derived from the table or
// compared with it by a test: matching and conflicts (by Matches and Expr), the naive
// reference (by Expr), the OpenAPI document (by Type, Format, Minimum and
// [Builtin.Pattern]), the patterns of other routers in routebench (by Expr), and the
// lists in documents (by Doc and Example).
package constraint

import "strings"

// A Builtin is a built-in constraint. Matches and Expr match the same texts, and never
// the empty one.
type Builtin struct {
	Name    string            // see [IsName]
	Matches func(string) bool // it does not allocate
	Expr    string            // an RE2 expression for the whole value, without capturing groups
	Doc     string            // which values match, for the lists in documents: a line of Markdown
	Example string            // a value that matches

	// These are the value's JSON Schema, with Pattern.
	Type    string // "integer" or "string"
	Format  string // of RFC 3339, RFC 4122 and others, if one is equivalent to Expr
	Minimum *int   // nil for none
}

// Builtins is the table, in the order in which documents list it. No program changes
// it; a test may.
var Builtins = []Builtin{
	{
		Name: "int", Matches: isInt, Expr: `-?[0-9]+`,
		Doc: "`-?[0-9]+`, of any length", Example: "-42", Type: "integer",
	},
	{
		Name: "uint", Matches: IsUint, Expr: `[0-9]+`,
		Doc: "`[0-9]+`, of any length", Example: "42", Type: "integer", Minimum: &zero,
	},
	{
		Name: "alpha", Matches: isAlpha, Expr: `[A-Za-z]+`,
		Doc: "`[A-Za-z]+`", Example: "Readme", Type: "string",
	},
	{
		Name: "alnum", Matches: isAlnum, Expr: `[0-9A-Za-z]+`,
		Doc: "`[0-9A-Za-z]+`", Example: "Room101", Type: "string",
	},
	{
		Name: "hex", Matches: isHex, Expr: `[0-9A-Fa-f]+`,
		Doc: "`[0-9A-Fa-f]+`", Example: "c0ffee", Type: "string",
	},
	{
		Name: "uuid", Matches: isUUID, Expr: `[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}`,
		Doc: "8-4-4-4-12 hexadecimal digits, in either case", Example: "123e4567-e89b-42d3-a456-426614174000",
		Type: "string", Format: "uuid",
	},
	{
		Name: "date", Matches: isDate,
		Expr: `[0-9]{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))` +
			`|(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29`,
		Doc: "a day of the calendar, as 2006-01-02", Example: "2024-02-29", Type: "string", Format: "date",
	},
	{
		Name: "ipv4", Matches: isIPv4,
		Expr: `(?:(?:[0-9]|[1-9][0-9]|1[0-9][0-9]|2[0-4][0-9]|25[0-5])\.){3}(?:[0-9]|[1-9][0-9]|1[0-9][0-9]|2[0-4][0-9]|25[0-5])`,
		Doc:  "four numbers up to 255, without leading zeros", Example: "192.0.2.1", Type: "string", Format: "ipv4",
	},
	{
		Name: "slug", Matches: isSlug, Expr: `[0-9a-z]+(?:-[0-9a-z]+)*`,
		Doc: "`[0-9a-z]+(-[0-9a-z]+)*`", Example: "hello-world", Type: "string",
	},
}

var zero int

// Find returns the built-in constraint called name, or nil.
func Find(name string) *Builtin {
	for i := range Builtins {
		if Builtins[i].Name == name {
			return &Builtins[i]
		}
	}
	return nil
}

// PlainExpr returns Expr in the form for documents and other tools: with (…) instead of
// (?:…).
func (b *Builtin) PlainExpr() string { return strings.ReplaceAll(b.Expr, "(?:", "(") }

// Pattern returns the pattern of the value's JSON Schema, or "" if its type and format
// are sufficient.
func (b *Builtin) Pattern() string {
	expr := b.PlainExpr()
	switch {
	case b.Type != "string" || b.Format != "":
		return ""
	case strings.Contains(expr, "|"):
		return "^(" + expr + ")$"
	}
	return "^" + expr + "$"
}

// IsName reports whether s is the name of a constraint and not an expression: ASCII
// letters, digits and '_', with no digit first.
func IsName(s string) bool {
	for i := range len(s) {
		if !IsNameByte(s[i]) || i == 0 && Classes[s[i]]&Digit != 0 {
			return false
		}
	}
	return s != ""
}

// IsNameByte reports whether c may be in the name of a constraint.
func IsNameByte(c byte) bool { return Classes[c]&(Letter|Digit) != 0 || c == '_' }
