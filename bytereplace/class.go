package bytereplace

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// The grammar; the comment on Step explains its meaning:
//
//	class = [ "^" ] item { item } .
//	item  = byte [ "-" byte ] | `\d` | `\s` | `\w` | "[:" name ":]" | "-" .
//	byte  = ASCII but for "-" "[" "\" "]" | `\` ( "t" | "n" | "v" | "f" | "r" | " " | punctuation | "x" hex hex ) .
//
// The item "-" must be the first or the last one.

// named holds the named classes, and `\d`, `\s` and `\w` by their letters.
var named = map[string]string{
	"d": `0-9`, "s": `\t\n\f\r `, "w": `0-9A-Za-z_`,

	"alnum": `0-9A-Za-z`, "alpha": `A-Za-z`, "ascii": `\x00-\x7F`, "blank": `\t `, "cntrl": `\x00-\x1F\x7F`,
	"digit": `0-9`, "graph": `!-~`, "lower": `a-z`, "print": ` -~`, "punct": "!-/:-@\\[-`{-~",
	"space": `\t\n\v\f\r `, "upper": `A-Z`, "word": `0-9A-Za-z_`, "xdigit": `0-9A-Fa-f`,
}

// controls are the bytes that a backslash and a letter mean.
var controls = map[byte]byte{'t': '\t', 'n': '\n', 'v': '\v', 'f': '\f', 'r': '\r'}

// parseClass returns the bytes of a class in order. A byte that is written twice occurs
// twice.
func parseClass(class string) ([]byte, *StepError) {
	p := classParser{class: class}
	negated := strings.HasPrefix(class, "^")
	if negated {
		p.at = 1
	}
	start := p.at
	if start == len(class) {
		if negated {
			return nil, classError(class, start, `nothing follows the ^; write \^ for the byte, \x00-\xFF for all bytes`)
		}
		return nil, classError(class, start, "it is empty")
	}
	for p.at < len(class) {
		if err := p.item(start); err != nil {
			return nil, err
		}
	}
	if !negated {
		return p.list, nil
	}
	var in [256]bool
	for _, c := range p.list {
		in[c] = true
	}
	var others []byte
	for c, is := range in {
		if !is {
			others = append(others, byte(c))
		}
	}
	if others == nil {
		return nil, classError(class, 0, "the ^ leaves no byte")
	}
	return others, nil
}

type classParser struct {
	class string
	at    int // end of the parsed part
	list  []byte
}

// item parses an item of a class whose items begin at start.
func (p *classParser) item(start int) *StepError {
	begin := p.at
	rest := p.class[begin:]
	switch {
	case rest[0] == '-':
		if begin != start && len(rest) > 1 {
			return classError(p.class, begin, `a hyphen after a range; write \- for the byte`)
		}
		if begin == start && len(rest) > 2 && rest[1] == '-' {
			return classError(p.class, begin, `a hyphen begins a range; write \- for the byte`)
		}
		p.list = append(p.list, '-')
		p.at++
		return nil
	case strings.HasPrefix(rest, "[:"):
		name, _, closed := strings.Cut(rest[2:], ":]")
		class, known := named[name]
		if !closed || !known || len(name) == 1 {
			return classError(p.class, begin, `unknown class; write [:alnum:], [:punct:] or another class of this form, and \[ for a bracket`)
		}
		p.at += len("[::]") + len(name)
		return p.add(class, begin)
	case len(rest) > 1 && rest[0] == '\\' && strings.IndexByte("dsw", rest[1]) >= 0:
		p.at += 2
		return p.add(named[rest[1:2]], begin)
	}
	first, err := p.byte()
	if err != nil {
		return err
	}
	last := first
	if rest := p.class[p.at:]; len(rest) > 1 && rest[0] == '-' {
		p.at++
		if last, err = p.byte(); err != nil {
			return err
		}
		if last < first {
			return classError(p.class, begin, "the range %s ends before it begins", p.class[begin:p.at])
		}
	}
	for c := int(first); c <= int(last); c++ {
		p.list = append(p.list, byte(c))
	}
	return nil
}

// add adds the bytes of a named class, which began at an offset and cannot begin a
// range.
func (p *classParser) add(class string, begin int) *StepError {
	if rest := p.class[p.at:]; len(rest) > 1 && rest[0] == '-' {
		return classError(p.class, begin, `a range begins with the class %s; write \- for the byte`, p.class[begin:p.at])
	}
	list, err := parseClass(class)
	p.list = append(p.list, list...)
	return err
}

// byte parses a byte.
func (p *classParser) byte() (byte, *StepError) {
	begin := p.at
	rest := p.class[begin:]
	c := rest[0]
	p.at++
	switch {
	case c == '[' || c == ']':
		return 0, classError(p.class, begin, `a class is written without brackets around it; write \%c for the byte`, c)
	case c == '-':
		return 0, classError(p.class, begin, `a range ends with a hyphen; write \- for the byte`)
	case c >= utf8.RuneSelf:
		_, size := utf8.DecodeRuneInString(rest)
		return 0, classError(p.class, begin, `%q is not ASCII; write its bytes as %s`, rest[:size], escaped(rest[:size]))
	case c != '\\':
		return c, nil
	case len(rest) == 1:
		return 0, classError(p.class, begin, `a backslash ends it; write \\ for the byte`)
	}
	c = rest[1]
	p.at++
	control, isControl := controls[c]
	switch {
	case isControl:
		return control, nil
	case c == 'x':
		if len(rest) >= 4 {
			if n, err := strconv.ParseUint(rest[2:4], 16, 8); err == nil {
				p.at += 2
				return byte(n), nil
			}
		}
		return 0, classError(p.class, begin, `two hexadecimal digits follow \x, as in \x7F`)
	case ' ' <= c && c <= '/', ':' <= c && c <= '@', '[' <= c && c <= '`', '{' <= c && c <= '~':
		return c, nil
	case strings.IndexByte("dsw", c) >= 0:
		return 0, classError(p.class, begin, `a range ends with the class \%c; write a byte`, c)
	}
	return 0, classError(p.class, begin, `a backslash before %q means nothing; write \\ for a backslash`, rest[1:2])
}

// escaped returns s with each byte written as \xHH.
func escaped(s string) string {
	var b strings.Builder
	for i := range len(s) {
		const hex = "0123456789ABCDEF"
		b.WriteString(`\x`)
		b.WriteByte(hex[s[i]>>4])
		b.WriteByte(hex[s[i]&15])
	}
	return b.String()
}
