package source

import (
	"cmp"
	"regexp/syntax"
	"strconv"
	"strings"

	"github.com/muxwell/muxwell/routebench/route"
)

const (
	digits  = "0123456789"
	letters = "abcdefghijklmnopqrstuvwxyz"
)

// value returns a value for a parameter; a plain one's has none of the bytes of
// without.
func (v *values) value(p route.Piece, without string) string {
	switch p.Constraint {
	case "":
		if isNumber(p.Param) && !v.words && !strings.ContainsAny(without, digits) {
			return v.number()
		}
		return v.word(3, 12, without)
	case "int", "uint":
		return v.number()
	case "alnum":
		return v.pick(letters+digits, 3, 12)
	case "date": // every month has these days
		return v.pick("12", 1, 1) + v.pick(digits, 3, 3) + "-0" + v.pick(digits[1:], 1, 1) + "-1" + v.pick(digits, 1, 1)
	}
	return v.matching(route.Expression(p.Constraint))
}

// isNumber reports whether the name of a parameter suggests a number.
func isNumber(name string) bool {
	switch lower := strings.ToLower(name); {
	case lower == "id" || lower == "n" || lower == "page" || lower == "year":
		return true
	case strings.HasSuffix(lower, "_id") || strings.HasSuffix(lower, "-id") || strings.HasSuffix(name, "Id") || strings.HasSuffix(name, "ID"):
		return true
	default:
		return strings.HasSuffix(lower, "number") || lower == "count" || strings.HasSuffix(lower, "_count")
	}
}

// number returns a number of one to six digits without a leading zero.
func (v *values) number() string {
	return strconv.Itoa(1 + v.rng.IntN([]int{9, 999, 9_999, 999_999}[v.rng.IntN(4)]))
}

// word returns a word of least to most letters and digits, with a "-" within it
// here and there. It has none of the bytes of without, as far as there are others.
func (v *values) word(least, most int, without string) string {
	from := strings.Map(func(r rune) rune {
		if strings.ContainsRune(without, r) {
			return -1
		}
		return r
	}, letters+digits)
	text := []byte(v.pick(cmp.Or(from, letters), least, most))
	if n := len(text); n > 4 && !strings.Contains(without, "-") && v.rng.IntN(3) == 0 {
		text[1+v.rng.IntN(n-2)] = '-'
	}
	return string(text)
}

// several returns one to three words with a separator between them.
func (v *values) several(separator string) string {
	words := make([]string, 1+v.rng.IntN(3))
	for i := range words {
		words[i] = v.word(3, 8, "")
	}
	return strings.Join(words, separator)
}

// pick returns least to most random bytes of a text.
func (v *values) pick(from string, least, most int) string {
	text := make([]byte, least+v.rng.IntN(most-least+1))
	for i := range text {
		text[i] = from[v.rng.IntN(len(from))]
	}
	return string(text)
}

// matching returns a text that an expression matches as a whole, or "" if it finds none.
func (v *values) matching(expression string) string {
	re, err := syntax.Parse(expression, syntax.Perl)
	if err != nil {
		return ""
	}
	var b strings.Builder
	if !v.match(&b, re) {
		return ""
	}
	return b.String()
}

// longest is the number of bytes from which on no repetition goes on that may end.
const longest = 40

// match appends a text that re matches, and reports whether there is one. Conditions on the
// surrounding text, such as \b, are left to chance.
func (v *values) match(b *strings.Builder, re *syntax.Regexp) bool {
	least, more := 1, 0 // how often the one below is repeated
	switch re.Op {
	case syntax.OpNoMatch:
		return false
	case syntax.OpLiteral:
		b.WriteString(string(re.Rune))
		return true
	case syntax.OpCharClass:
		return v.matchClass(b, re.Rune)
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		b.WriteString(v.pick(letters+digits, 1, 1))
		return true
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			if !v.match(b, sub) {
				return false
			}
		}
		return true
	case syntax.OpAlternate:
		return v.match(b, re.Sub[v.rng.IntN(len(re.Sub))])
	case syntax.OpCapture:
		return v.match(b, re.Sub[0])
	case syntax.OpStar:
		least, more = 0, 6
	case syntax.OpPlus:
		more = 6
	case syntax.OpQuest:
		least, more = 0, 1
	case syntax.OpRepeat:
		least, more = re.Min, 6
		if re.Max >= 0 {
			more = min(more, re.Max-re.Min)
		}
	default: // the empty text, at a place or anywhere
		return true
	}
	for n := least + v.rng.IntN(more+1); n > 0; n-- {
		if least--; least < 0 && b.Len() > longest {
			break
		}
		if !v.match(b, re.Sub[0]) {
			return false
		}
	}
	return true
}

// matchClass appends a character of a class, which is given by the first and the
// last of each of its ranges: a letter or a digit if it has any, else one that no
// router reads in a way of its own, if it has that.
func (v *values) matchClass(b *strings.Builder, ranges []rune) bool {
	for _, preferred := range []string{letters + digits, "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "-_~"} {
		has := strings.Map(func(r rune) rune {
			for i := 0; i < len(ranges); i += 2 {
				if ranges[i] <= r && r <= ranges[i+1] {
					return r
				}
			}
			return -1
		}, preferred)
		if has != "" {
			b.WriteString(v.pick(has, 1, 1))
			return true
		}
	}
	if len(ranges) == 0 {
		return false
	}
	b.WriteRune(ranges[2*v.rng.IntN(len(ranges)/2)])
	return true
}
