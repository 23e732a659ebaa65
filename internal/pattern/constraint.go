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
	"github.com/muxwell/muxwell/internal/excerpt"
	"github.com/muxwell/muxwell/internal/language"
	"github.com/muxwell/muxwell/internal/urlpath"
)

// A Constraint says which values of a parameter match; none is empty. It is written
// after the name, in one of three forms:
//
//	{id:int}            one of the names below: no regular expression is run
//	{sku:ours}          a name that New was given with [Constraint]
//	{year:[0-9]{4}}     anything else: an RE2 expression for the whole value
type Constraint struct {
	Text  string            // what is after the colon; "" for none
	Key   string            // what tells it apart from others: equal keys match equal values
	Expr  string            // an equivalent expression; "" if there is none: a function
	Check func(string) bool // nil for none
	// Around says that the expression has an operator, such as ^ or \b, that
	// depends on what is next to the value.
	Around bool
}

// Builtin holds the constraints that every mux knows: an expression that says
// what matches, and a function that is faster than that.
var Builtin = map[string]struct {
	Expr  string
	Check func(string) bool
}{
	"int":   {`-?[0-9]+`, isInt},
	"uint":  {`[0-9]+`, IsUint},
	"alpha": {`[A-Za-z]+`, isAlpha},
	"alnum": {`[0-9A-Za-z]+`, isAlnum},
	"hex":   {`[0-9A-Fa-f]+`, isHex},
	"uuid":  {`[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}`, isUUID},
	"date": {`[0-9]{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))` +
		`|(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29`, IsDate},
	"ipv4": {`(?:(?:[0-9]|[1-9][0-9]|1[0-9][0-9]|2[0-4][0-9]|25[0-5])\.){3}(?:[0-9]|[1-9][0-9]|1[0-9][0-9]|2[0-4][0-9]|25[0-5])`, isIPv4},
	"slug": {`[0-9a-z]+(?:-[0-9a-z]+)*`, isSlug},
}

// IsIdentifier reports whether s is written as the name of a constraint: ASCII
// letters, digits and '_', no digit first.
func IsIdentifier(s string) bool {
	for i := range len(s) {
		if c := s[i]; !isNameByte(c) || i == 0 && ByteClasses[c]&digitByte != 0 {
			return false
		}
	}
	return s != ""
}

func isNameByte(c byte) bool { return ByteClasses[c]&(alphaByte|digitByte) != 0 || c == '_' }

// FindConstraint returns the constraint that text means, or the reason why there is
// none and the offset in text that it is about.
func (r *Rules) FindConstraint(text string) (c Constraint, reason string, at int) {
	c = Constraint{Text: text, Key: text}
	if IsIdentifier(text) {
		b, ok := Builtin[text]
		if ok {
			c.Expr, c.Check = b.Expr, b.Check
		} else if c.Check = r.Constraints[text]; c.Check == nil && !r.Lenient {
			return c, r.unknownConstraint(text), 0
		}
		return c, "", 0
	}
	trimmed := strings.TrimSpace(text)
	switch base, ok := strings.CutSuffix(text, "..."); {
	case text == "":
		return c, "nothing follows the colon; leave it out, or write a constraint such as int or [0-9]+ behind it", 0
	case ok && (IsIdentifier(base) || base == ""):
		return c, "a catch-all has no constraint; write {name...}, or (...) for any three characters", len(base)
	case IsIdentifier(trimmed):
		return c, "a blank beside the constraint " + excerpt.Abridge(trimmed) + "; leave it out, or write " + strconv.Quote("("+excerpt.Abridge(text)+")") + " for this very text", 0
	}
	if r.Lenient {
		return c, "", 0
	}
	if reason, at := foreignConstraint(text); reason != "" {
		return c, reason, at
	}
	tree, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return c, RegexpFault(err), RegexpFaultAt(text, err)
	}
	if !MatchesText(tree.Simplify()) || looksAround(tree) && isEmptySet(text) {
		return c, "the regular expression matches no text, and a value is not empty", 0
	}
	program, err := byteclass.Compile(text)
	if err != nil {
		return c, RegexpFault(err), 0
	}
	c.Expr, c.Key, c.Check, c.Around = text, canonicalRegexp(tree), program.Match, looksAround(tree)
	return c, "", 0
}

// unknownConstraint returns what to do about a name that no constraint has.
func (r *Rules) unknownConstraint(name string) string {
	lower, short := strings.ToLower(name), excerpt.Abridge(name)
	switch {
	case slices.Contains(r.ConstraintNames(), lower):
		return "there is no constraint " + short + "; names are in lower case, write " + lower
	case aliases[lower] != "":
		return "there is no constraint " + short + "; " + aliases[lower] + ", or give New a Constraint of that name"
	}
	return "there is no constraint " + short + "; write (" + short + ") for this very text, give New a Constraint of that name, or use one of " +
		strings.Join(r.ConstraintNames(), ", ")
}

// aliases says what to write in place of names that other routers have.
var aliases = map[string]string{
	"string": "leave it out", "str": "leave it out", "any": "leave it out",
	"number": "write int", "num": "write int", "integer": "write int", "long": "write int", "digits": "write uint",
	"guid": "write uuid", "letters": "write alpha", "ip": "write ipv4", "path": "write {name...} for the rest of the path",
}

// foreignConstraint returns why a text is not taken for a regular expression that
// looks like a constraint of another router, and the offset in it, or "".
func foreignConstraint(text string) (reason string, at int) {
	if text[0] == '*' {
		return "a regular expression cannot begin with '*'; for the rest of the path write {name...}", 0
	}
	end := 0
	for end < len(text) && isNameByte(text[end]) {
		end++
	}
	name, more := text[:end], text[end:]
	_, known := Builtin[name]
	if known && strings.IndexAny(more, ":=?(") == 0 || takesArguments[name] && strings.HasPrefix(more, "(") && strings.HasSuffix(more, ")") {
		return "this reads as a constraint with arguments, of which there are none; write (?:" + excerpt.Abridge(name) + ") in front to have a regular expression", end
	}
	return "", 0
}

// takesArguments holds the names of constraints that other routers have.
var takesArguments = map[string]bool{
	"min": true, "max": true, "range": true, "length": true, "minlength": true, "maxlength": true, "regex": true, "regexp": true, "required": true,
}

// isEmptySet reports whether it is known that an expression matches no text but
// the empty one and dots.
func isEmptySet(expr string) bool {
	set, err := language.New(expr)
	if err != nil {
		return false
	}
	_, answer := language.Find([]*language.Set{set}, nil)
	return answer == language.None && !set.Has(".") && !set.Has("..")
}

// isUpper reports whether it is known that the constraint takes no text without
// upper-case letters.
func (c *Constraint) isUpper() bool {
	if IsIdentifier(c.Text) {
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
	return slices.Sorted(func(yield func(string) bool) {
		for name := range maps.Keys(Builtin) {
			if !yield(name) {
				return
			}
		}
		for name := range maps.Keys(r.Constraints) {
			if !yield(name) {
				return
			}
		}
	})
}

// canonicalRegexp returns a spelling that expressions which are parsed alike
// share, as [0-9] and \d. It begins with a character that no name begins with.
func canonicalRegexp(tree *syntax.Regexp) string { return "(" + tree.Simplify().String() + ")" }

func RegexpFault(err error) string {
	reason := err.Error()
	if e, ok := errors.AsType[*syntax.Error](err); ok {
		reason = e.Code.String()
	}
	return "not a regular expression that RE2 takes: " + reason
}

// RegexpFaultAt returns where in text the fault is that err, of [syntax.Parse],
// reports. It quotes what is wrong, or all from there on, but does not say which
// of the places with that text it is: that after which every beginning of text has the
// error.
func RegexpFaultAt(text string, err error) int {
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

// MatchesText reports whether an expression may match a text that is not
// empty. It says yes where that is not plain to see.
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

// looksAround reports whether an expression has an operator, such as ^ or \b,
// that asks what stands beside the text it matches.
func looksAround(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText, syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		return true
	}
	return slices.ContainsFunc(re.Sub, looksAround)
}

// The classes of a byte, by which the functions below go.
const (
	digitByte = 1 << iota
	lowerByte
	upperByte
	HexByte
	alphaByte = lowerByte | upperByte
)

var ByteClasses = func() (classes [256]uint8) {
	for c := range classes {
		switch {
		case '0' <= c && c <= '9':
			classes[c] = digitByte | HexByte
		case 'a' <= c && c <= 'z':
			classes[c] = lowerByte
		case 'A' <= c && c <= 'Z':
			classes[c] = upperByte
		}
		if 'a' <= c|0x20 && c|0x20 <= 'f' {
			classes[c] |= HexByte
		}
	}
	return classes
}()

// isAll reports whether s is not empty and every byte of it is of one of the
// classes.
func isAll(s string, classes uint8) bool {
	for i := range len(s) {
		if ByteClasses[s[i]]&classes == 0 {
			return false
		}
	}
	return s != ""
}

func IsUint(s string) bool {
	for i := range len(s) {
		if s[i]-'0' > 9 {
			return false
		}
	}
	return s != ""
}

func isInt(s string) bool {
	if s != "" && s[0] == '-' {
		s = s[1:]
	}
	return IsUint(s)
}

func isAlpha(s string) bool { return isAll(s, alphaByte) }
func isAlnum(s string) bool { return isAll(s, alphaByte|digitByte) }
func isHex(s string) bool   { return isAll(s, HexByte) }

func isUUID(s string) bool {
	return len(s) == 36 && s[8] == '-' && s[13] == '-' && s[18] == '-' && s[23] == '-' &&
		hexBytes(urlpath.Word(s, 0))&hexBytes(uint64(urlpath.HalfWord(s, 9))|uint64(urlpath.HalfWord(s, 14))<<32)&
			hexBytes(uint64(urlpath.HalfWord(s, 19))|uint64(urlpath.HalfWord(s, 24))<<32)&hexBytes(urlpath.Word(s, 28)) == eachHigh
}

// eachHigh has the high bit of each byte set.
const eachHigh = 0x80 * 0x0101010101010101

// hexBytes returns the high bit of each byte of word that is a hexadecimal
// digit. A byte below 0x80 reaches that by a sum if it is not below what is
// missing; no sum carries into the next byte.
func hexBytes(word uint64) uint64 {
	const each = 0x0101010101010101
	ascii := word &^ eachHigh
	lower := ascii | 0x20*each
	digits := (ascii + (0x80-'0')*each) &^ (ascii + (0x7f-'9')*each)
	letters := (lower + (0x80-'a')*each) &^ (lower + (0x7f-'f')*each)
	return (digits | letters) &^ word & eachHigh
}

// IsDate reports whether s is a full-date of RFC 3339 that the calendar has.
func IsDate(s string) bool {
	if len(s) != len("2006-01-02") || s[4] != '-' || s[7] != '-' || !IsUint(s[:4]) || !IsUint(s[5:7]) || !IsUint(s[8:]) {
		return false
	}
	number := func(i int) int { return int(s[i]-'0')*10 + int(s[i+1]-'0') }
	century, year, month, day := number(0), number(2), number(5), number(8)
	if month < 1 || month > 12 || day < 1 {
		return false
	}
	leap := year%4 == 0 && (year != 0 || century%4 == 0)
	if month == 2 && leap {
		return day <= 29
	}
	return day <= [...]int{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}[month-1]
}

// isIPv4 reports whether s is four numbers of 0 to 255 without leading zeros.
func isIPv4(s string) bool {
	numbers, number, digits := 0, 0, 0
	for i := 0; ; i++ {
		switch {
		case i == len(s) || s[i] == '.':
			if digits == 0 {
				return false
			}
			numbers++
			if i == len(s) {
				return numbers == 4
			}
			number, digits = 0, 0
		case s[i]-'0' > 9 || digits > 0 && number == 0:
			return false
		default:
			number, digits = 10*number+int(s[i]-'0'), digits+1
			if number > 255 {
				return false
			}
		}
	}
}

// isSlug reports whether s is words of lower-case letters and digits with a
// hyphen between each two.
func isSlug(s string) bool {
	hyphen := true
	for i := range len(s) {
		if s[i] != '-' {
			if ByteClasses[s[i]]&(lowerByte|digitByte) == 0 {
				return false
			}
			hyphen = false
			continue
		}
		if hyphen {
			return false
		}
		hyphen = true
	}
	return !hyphen
}
