package score

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/bits"
	"unicode/utf16"
	"unicode/utf8"
)

// A SyntaxError is an error in a request.
type SyntaxError struct {
	Offset int    // position of the first invalid byte
	Reason string // what it is
}

// Error returns the reason and the offset.
func (e *SyntaxError) Error() string { return fmt.Sprintf("%s at byte %d", e.Reason, e.Offset) }

// A Request is two texts to compare. They are UTF-8.
type Request struct{ Text1, Text2 []byte }

// Scan parses a request, a JSON object (RFC 8259) with the strings text1 and text2. The last
// value of a duplicate key wins. Other keys are ignored. A lone surrogate becomes U+FFFD.
// Anything else that RFC 8259 does not allow, and bytes that are not UTF-8, are a
// *[SyntaxError].
//
// Scan decodes strings in place: it changes body, and the texts are parts of it. It does not
// allocate unless there is an error.
func Scan(body []byte) (Request, error) {
	s := scanner{b: body}
	var r Request
	if s.space() != '{' {
		return r, s.fail("the request is not a JSON object")
	}
	s.i++
	if s.space() == '}' {
		s.i++
	} else if err := s.members(&r); err != nil {
		return Request{}, err
	}
	switch {
	case s.space() != 0 || s.i < len(s.b):
		return Request{}, s.fail("there is text after the object")
	case r.Text1 == nil:
		return Request{}, s.fail(`the key "text1" is missing`)
	case r.Text2 == nil:
		return Request{}, s.fail(`the key "text2" is missing`)
	}
	return r, nil
}

// A scanner reads JSON.
type scanner struct {
	b []byte
	i int
}

func (s *scanner) fail(reason string) error { return &SyntaxError{s.i, reason} }

// space skips white space and returns the next byte, or 0 at the end.
func (s *scanner) space() byte {
	for ; s.i < len(s.b); s.i++ {
		switch c := s.b[s.i]; c {
		case ' ', '\t', '\n', '\r':
		default:
			return c
		}
	}
	return 0
}

// members reads the members of the request up to and with the closing brace.
func (s *scanner) members(r *Request) error {
	for {
		if s.space() != '"' {
			return s.fail("a key is expected")
		}
		key, err := s.text()
		if err != nil {
			return err
		}
		if s.space() != ':' {
			return s.fail("a colon is expected")
		}
		s.i++
		var to *[]byte
		switch string(key) {
		case "text1":
			to = &r.Text1
		case "text2":
			to = &r.Text2
		}
		if c := s.space(); to == nil {
			err = s.value(1)
		} else if c != '"' {
			err = s.fail("a string is expected")
		} else {
			*to, err = s.text()
		}
		if err != nil {
			return err
		}
		switch s.space() {
		case ',':
			s.i++
		case '}':
			s.i++
			return nil
		default:
			return s.fail("a comma or a closing brace is expected")
		}
	}
}

// maxDepth is the maximum nesting of ignored values.
const maxDepth = 1000

// value skips a value.
func (s *scanner) value(depth int) error {
	if depth > maxDepth {
		return s.fail("values are nested too deeply")
	}
	switch c := s.space(); c {
	case '"':
		_, err := s.text()
		return err
	case '{', '[':
		return s.collection(c == '{', depth)
	case 't':
		return s.literal("true")
	case 'f':
		return s.literal("false")
	case 'n':
		return s.literal("null")
	}
	return s.number()
}

// collection skips an object or an array.
func (s *scanner) collection(object bool, depth int) error {
	end := byte(']')
	if object {
		end = '}'
	}
	s.i++
	if s.space() == end {
		s.i++
		return nil
	}
	for {
		if object {
			if s.space() != '"' {
				return s.fail("a key is expected")
			}
			if _, err := s.text(); err != nil {
				return err
			}
			if s.space() != ':' {
				return s.fail("a colon is expected")
			}
			s.i++
		}
		if err := s.value(depth + 1); err != nil {
			return err
		}
		switch s.space() {
		case ',':
			s.i++
		case end:
			s.i++
			return nil
		default:
			return s.fail("a comma or the end of an array or object is expected")
		}
	}
}

func (s *scanner) literal(word string) error {
	if !bytes.HasPrefix(s.b[s.i:], []byte(word)) {
		return s.fail("a value is expected")
	}
	s.i += len(word)
	return nil
}

// number skips a number.
func (s *scanner) number() error {
	start := s.i
	if s.peek() == '-' {
		s.i++
	}
	switch c := s.peek(); {
	case c == '0':
		s.i++
	case '1' <= c && c <= '9':
		s.digits()
	default:
		if s.i == start {
			return s.fail("a value is expected")
		}
		return s.fail("a digit is expected")
	}
	if s.peek() == '.' {
		if s.i++; !s.digits() {
			return s.fail("a digit is expected")
		}
	}
	if c := s.peek(); c == 'e' || c == 'E' {
		if s.i++; s.peek() == '+' || s.peek() == '-' {
			s.i++
		}
		if !s.digits() {
			return s.fail("a digit is expected")
		}
	}
	return nil
}

// peek returns the next byte, or 0 at the end.
func (s *scanner) peek() byte {
	if s.i < len(s.b) {
		return s.b[s.i]
	}
	return 0
}

// digits skips digits and reports whether there are any.
func (s *scanner) digits() bool {
	start := s.i
	for c := s.peek(); '0' <= c && c <= '9'; c = s.peek() {
		s.i++
	}
	return s.i > start
}

// text reads a string and returns it decoded, within s.b.
func (s *scanner) text() ([]byte, error) {
	s.i++
	start := s.i
	end := start // of what is decoded
	for {
		from := s.i
		ascii := s.run()
		if part := s.b[from:s.i]; !ascii && !utf8.Valid(part) {
			s.i = from + validPrefix(part)
			return nil, s.fail("there is a byte that is not UTF-8")
		}
		if end == from {
			end = s.i
		} else {
			end += copy(s.b[end:], s.b[from:s.i])
		}
		switch s.peek() {
		case '"':
			s.i++
			return s.b[start:end:end], nil
		case '\\':
			r, err := s.escape()
			if err != nil {
				return nil, err
			}
			end = len(utf8.AppendRune(s.b[:end], r)) // an escape is longer, so nothing is overwritten
		default:
			if s.i >= len(s.b) {
				return nil, s.fail("the string is never closed")
			}
			return nil, s.fail("a control character in a string must be escaped")
		}
	}
}

// run advances to a quote, a backslash or a control character, or to the end. It reports
// whether all skipped bytes are ASCII.
func (s *scanner) run() (ascii bool) {
	s.i = skipPlain(s.b, s.i)
	return s.runAny()
}

// runAny is run for bytes of all kinds.
func (s *scanner) runAny() (ascii bool) {
	i, b := s.i, s.b
	var seen uint64
	for ; i+8 <= len(b); i += 8 {
		w := binary.LittleEndian.Uint64(b[i:])
		quote, slash := w^'"'*ones, w^'\\'*ones
		// The lowest bit that is set is right, those above it may not be.
		stop := ((quote-ones)&^quote | (slash-ones)&^slash | (w-' '*ones)&^w) & highs
		if stop != 0 {
			at := bits.TrailingZeros64(stop) / 8
			seen |= w & (1<<(8*at) - 1)
			s.i = i + at
			return seen&highs == 0
		}
		seen |= w
	}
	for ; i < len(b) && b[i] != '"' && b[i] != '\\' && b[i] >= ' '; i++ {
		seen |= uint64(b[i])
	}
	s.i = i
	return seen&highs == 0
}

// validPrefix returns the length of the longest prefix of b that is UTF-8.
func validPrefix(b []byte) int {
	i := 0
	for i < len(b) {
		r, size := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && size == 1 {
			break
		}
		i += size
	}
	return i
}

// escape reads an escape, and a second one if the two are a surrogate pair.
func (s *scanner) escape() (rune, error) {
	s.i++
	c := s.peek()
	s.i++
	switch c {
	case '"', '\\', '/':
		return rune(c), nil
	case 'b':
		return '\b', nil
	case 'f':
		return '\f', nil
	case 'n':
		return '\n', nil
	case 'r':
		return '\r', nil
	case 't':
		return '\t', nil
	case 'u':
		return s.unicode()
	}
	s.i--
	return 0, s.fail("invalid escape")
}

// unicode reads the digits of a \u escape.
func (s *scanner) unicode() (rune, error) {
	r, ok := hex4(s.b, s.i)
	if !ok {
		return 0, s.fail("four hexadecimal digits are expected")
	}
	s.i += 4
	if !utf16.IsSurrogate(r) {
		return r, nil
	}
	if s.i+1 < len(s.b) && s.b[s.i] == '\\' && s.b[s.i+1] == 'u' {
		if low, ok := hex4(s.b, s.i+2); ok {
			if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
				s.i += 6
				return pair, nil
			}
		}
	}
	return utf8.RuneError, nil
}

// hex4 returns the value of four hexadecimal digits.
func hex4(b []byte, i int) (r rune, ok bool) {
	if i+4 > len(b) {
		return 0, false
	}
	for _, c := range b[i : i+4] {
		switch {
		case '0' <= c && c <= '9':
			c -= '0'
		case 'a' <= c && c <= 'f':
			c -= 'a' - 10
		case 'A' <= c && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}
