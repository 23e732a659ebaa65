package pattern

import (
	"errors"
	"maps"
	"regexp/syntax"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/muxwell/muxwell/internal/byteclass"
	"github.com/muxwell/muxwell/internal/constraint"
	"github.com/muxwell/muxwell/internal/excerpt"
	"github.com/muxwell/muxwell/internal/language"
)

// A Constraint decides which values of a parameter match; the empty text never does. It
// is written after the name, in one of three forms:
//
//	{id:int}            a built-in name of package constraint: no regular expression is run
//	{sku:ours}          a name that New was given with [Constraint]
//	{year:[0-9]{4}}     anything else: an RE2 expression for the whole value
type Constraint struct {
	Text  string            // the text after the colon; "" for none
	Key   string            // identifies it: constraints with equal keys match equal values
	Expr  string            // an equivalent expression; "" if there is none: a function
	Check func(string) bool // nil for none
	// Around is set if the expression has an operator, such as ^ or \b, that depends on
	// what is next to the value.
	Around bool
}

// FindConstraint returns the constraint that text means, or the reason why it is
// invalid and the offset of the error in text.
func (r *Rules) FindConstraint(text string) (c Constraint, reason string, at int) {
	c = Constraint{Text: text, Key: text}
	if constraint.IsName(text) {
		if b := constraint.Find(text); b != nil {
			c.Expr, c.Check = b.Expr, b.Matches
		} else if c.Check = r.Constraints[text]; c.Check == nil && !r.Lenient {
			return c, r.unknownConstraint(text), 0
		}
		return c, "", 0
	}
	trimmed := strings.TrimSpace(text)
	switch base, ok := strings.CutSuffix(text, "..."); {
	case text == "":
		return c, "nothing follows the colon; omit it, or write a constraint such as int or [0-9]+ after it", 0
	case ok && (constraint.IsName(base) || base == ""):
		return c, "a catch-all cannot have a constraint; write {name...}, or (...) for any three characters", len(base)
	case constraint.IsName(trimmed):
		return c, "space next to the constraint " + excerpt.Abridge(trimmed) + "; remove it, or write " + strconv.Quote("("+excerpt.Abridge(text)+")") + " for this exact text", 0
	}
	if r.Lenient {
		return c, "", 0
	}
	if reason, at := foreignConstraint(text); reason != "" {
		return c, reason, at
	}
	tree, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return c, RegexpReason(err), RegexpErrorAt(text, err)
	}
	if !MatchesText(tree.Simplify()) || looksAround(tree) && isEmptySet(text) {
		return c, "the regular expression matches no value, since values are not empty", 0
	}
	program, err := byteclass.Compile(text)
	if err != nil {
		return c, RegexpReason(err), 0
	}
	c.Expr, c.Key, c.Check, c.Around = text, canonicalRegexp(tree), program.Match, looksAround(tree)
	return c, "", 0
}

// unknownConstraint returns the reason for a name that no constraint has, and how to
// fix it.
func (r *Rules) unknownConstraint(name string) string {
	lower, short := strings.ToLower(name), excerpt.Abridge(name)
	switch {
	case slices.Contains(r.ConstraintNames(), lower):
		return "unknown constraint " + short + "; names are lower case, write " + lower
	}
	if alias, ok := Alias(lower); ok {
		write := "write " + alias
		switch alias {
		case "":
			write = "omit it"
		case "...":
			write = "write {name...} for the rest of the path"
		}
		return "unknown constraint " + short + "; " + write + ", or give New a Constraint of that name"
	}
	return "unknown constraint " + short + "; write (" + short + ") for this exact text, give New a Constraint of that name, or use one of " +
		strings.Join(r.ConstraintNames(), ", ")
}

// aliases has constraints by names that other routers have.
var aliases = map[string]string{
	"string": "", "str": "", "any": "",
	"number": "int", "num": "int", "integer": "int", "long": "int", "digits": "uint",
	"guid": "uuid", "letters": "alpha", "ip": "ipv4", "path": "...",
}

// Alias returns the constraint that is meant by a name that other routers have: "" if a
// parameter without one is meant, and "..." if a catch-all is.
func Alias(name string) (constraint string, ok bool) {
	constraint, ok = aliases[name]
	return constraint, ok
}

// foreignConstraint returns why a text that looks like a constraint of another router
// is not accepted as a regular expression, and the offset in it, or "".
func foreignConstraint(text string) (reason string, at int) {
	if text[0] == '*' {
		return "a regular expression cannot begin with '*'; for the rest of the path write {name...}", 0
	}
	end := 0
	for end < len(text) && constraint.IsNameByte(text[end]) {
		end++
	}
	name, more := text[:end], text[end:]
	if constraint.Find(name) != nil && more == "?" {
		return "optional parameters are not supported; write " + name + ", and register the path without the parameter too", end
	}
	if constraint.Find(name) != nil && strings.IndexAny(more, ":=?(") == 0 || takesArguments[name] && strings.HasPrefix(more, "(") && strings.HasSuffix(more, ")") {
		return "this looks like a constraint with arguments, which do not exist; write (?:" + excerpt.Abridge(name) + ") before it for a regular expression", end
	}
	return "", 0
}

// takesArguments holds the names of constraints that other routers have.
var takesArguments = map[string]bool{
	"min": true, "max": true, "range": true, "length": true, "minlength": true, "maxlength": true, "regex": true, "regexp": true, "required": true,
}

// isEmptySet reports whether an expression is known to match only the empty text and
// dots.
func isEmptySet(expr string) bool {
	set, err := language.New(expr)
	if err != nil {
		return false
	}
	_, answer := language.Find([]*language.Set{set}, nil)
	return answer == language.None && !set.Has(".") && !set.Has("..")
}

// isUpper reports whether the constraint is known to match only texts with upper-case
// letters.
func (c *Constraint) isUpper() bool {
	if constraint.IsName(c.Text) {
		return false
	}
	set, err := language.New(c.Expr)
	noUpper, err2 := language.New("[^A-Z]+")
	if err != nil || err2 != nil {
		return false
	}
	_, without := language.Find([]*language.Set{set, noUpper}, nil)
	_, with := language.Find([]*language.Set{set}, []*language.Set{noUpper})
	return without == language.None && with == language.Found
}

// ConstraintNames returns the names of all constraints, sorted.
func (r *Rules) ConstraintNames() []string {
	names := slices.Collect(maps.Keys(r.Constraints))
	for _, b := range constraint.Builtins {
		names = append(names, b.Name)
	}
	slices.Sort(names)
	return names
}

// canonicalRegexp returns a spelling that is the same for expressions with the same
// parse tree, such as [0-9] and \d. It begins with a character with which no name
// begins.
func canonicalRegexp(tree *syntax.Regexp) string { return "(" + tree.Simplify().String() + ")" }

func RegexpReason(err error) string {
	reason := err.Error()
	if e, ok := errors.AsType[*syntax.Error](err); ok {
		reason = e.Code.String()
	}
	return "invalid regular expression: " + reason
}

// RegexpErrorAt returns the offset in text of the error err, of [syntax.Parse]. The
// error quotes the invalid part, or everything from there on, but does not say which
// occurrence of it in text is meant: it is the one after which every prefix of text has
// the error.
func RegexpErrorAt(text string, err error) int {
	e, ok := errors.AsType[*syntax.Error](err)
	if !ok {
		return 0
	}
	n := sort.Search(len(text), func(n int) bool {
		_, err := syntax.Parse(text[:n], syntax.Perl)
		f, ok := errors.AsType[*syntax.Error](err)
		return ok && f.Code == e.Code && (f.Expr == e.Expr || e.Code == syntax.ErrUnexpectedParen)
	})
	if e.Code == syntax.ErrUnexpectedParen {
		return n - 1
	}
	return max(0, n-len(e.Expr))
}

// MatchesText reports whether an expression may match a text that is not empty. It
// returns true if that is not obvious.
func MatchesText(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpNoMatch, syntax.OpEmptyMatch, syntax.OpBeginLine, syntax.OpEndLine,
		syntax.OpBeginText, syntax.OpEndText, syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		return false
	case syntax.OpCapture, syntax.OpStar, syntax.OpPlus, syntax.OpQuest, syntax.OpRepeat, syntax.OpConcat, syntax.OpAlternate:
		return slices.ContainsFunc(re.Sub, MatchesText)
	case syntax.OpCharClass:
		return len(re.Rune) > 0
	}
	return true
}

// looksAround reports whether an expression has an operator, such as ^ or \b, that
// depends on what is next to the text it matches.
func looksAround(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText, syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		return true
	}
	return slices.ContainsFunc(re.Sub, looksAround)
}

// IsUint reports whether s is decimal digits.
func IsUint(s string) bool { return constraint.IsUint(s) }

// ByteClasses are the classes of each byte in package constraint, and HexByte is that
// of hexadecimal digits.
var ByteClasses = &constraint.Classes

const HexByte = constraint.Hex
