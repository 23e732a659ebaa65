package mediatype

import (
	"mime"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// The twins of the parsers are regular expressions, written as the RFC has it.
const (
	tokenExpr  = "[!#$%&'*+.^_`|~0-9A-Za-z-]+"
	quotedExpr = `"(?:[^"\\]|\\.)*"`
	paramExpr  = `[ \t]*;[ \t]*(?:(` + tokenExpr + `)=(` + tokenExpr + `|` + quotedExpr + `))?`
)

var (
	mediaRx   = regexp.MustCompile(`(?s)^(` + tokenExpr + `)/(` + tokenExpr + `)((?:` + paramExpr + `)*)$`)
	paramRx2  = regexp.MustCompile(`(?s)` + paramExpr)
	elementRx = regexp.MustCompile(`(?s)^(?:[^",]|` + quotedExpr + `|"(?:[^"\\]|\\.)*\\?$)*`)
	weightRx  = regexp.MustCompile(`^(?:(?:0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)|\.[0-9]{1,3})$`)
)

// A naiveMedia is the naive reference for Range.
type naiveMedia struct {
	main, sub string
	params    map[string]string // without q
	weight    int
	empty     bool            // a parameter is left empty
	twice     map[string]bool // parameters that are there twice
}

func newNaiveMedia(s string) (naiveMedia, bool) {
	if s == "*" || strings.HasPrefix(s, "*") && regexp.MustCompile(`^\*[ \t]*;`).MatchString(s) {
		s = "*/*" + s[1:]
	}
	groups := mediaRx.FindStringSubmatch(s)
	if groups == nil || groups[1] == "*" && groups[2] != "*" {
		return naiveMedia{}, false
	}
	m := naiveMedia{main: asciiLower(groups[1]), sub: asciiLower(groups[2]), params: map[string]string{}, twice: map[string]bool{}, weight: 1000}
	weights := 0
	for _, p := range paramRx2.FindAllStringSubmatch(groups[3], -1) {
		name, value := asciiLower(p[1]), p[2]
		if strings.HasPrefix(value, `"`) {
			value = regexp.MustCompile(`(?s)\\(.)`).ReplaceAllString(value[1:len(value)-1], "$1")
		}
		switch _, twice := m.params[name]; {
		case name == "":
			m.empty = true
			continue
		case name == "q":
			if weights++; !weightRx.MatchString(value) || weights > 1 {
				return naiveMedia{}, false
			}
			f, _ := strconv.ParseFloat(value, 64)
			m.weight = int(f*1000 + 0.5)
			continue
		case twice:
			m.twice[name] = true
		}
		m.params[name] = value
	}
	return m, true
}

// within reports whether the parameters of a range are among those of a type.
func (m *naiveMedia) within(offer naiveMedia) bool {
	for name, value := range m.params {
		want, ok := offer.params[name]
		if !ok || !sameParam(name, value, want) {
			return false
		}
	}
	return len(m.twice) == 0
}

// sameParam reports whether two values of a parameter are the same.
func sameParam(name, a, b string) bool {
	return a == b || name == "charset" && asciiLower(a) == asciiLower(b)
}

// naiveElements splits a list.
func naiveElements(list string) (elements []string) {
	for {
		element := elementRx.FindString(list)
		elements = append(elements, strings.Trim(element, " \t"))
		if len(element) == len(list) {
			return elements
		}
		list = list[len(element)+1:]
	}
}

func FuzzMediaRange(f *testing.F) {
	for _, seed := range []string{"a/b", `a/b;x="\"";q=0.5`, "*;q=.2", "*/*", "*/b", "a/b;;x=1;", "a/b;q=1.0000", `a/b;x="`, "a/b x", "a/b\t; \tX=y"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		element, rest := CutElement(s)
		if want := naiveElements(s)[0]; element != want {
			t.Fatalf("%q: the first element is %q, want %q", s, element, want)
		}
		if len(element)+len(rest) > len(s) {
			t.Errorf("%q: element %q, rest %q", s, element, rest)
		}
		m, ok := ParseRange(element)
		want, wantOK := newNaiveMedia(element)
		if ok != wantOK {
			t.Fatalf("%q: got %t, want %t", element, ok, wantOK)
		}
		if !ok {
			return
		}
		if asciiLower(m.main) != want.main || asciiLower(m.sub) != want.sub || m.weight != want.weight {
			t.Errorf("%q: got %+v, want %+v", element, m, want)
		}
		// What an option says as a type is what package mime reads.
		typ, reason := Parse(element)
		if reason != "" || want.empty || strings.Contains(element, `\`) || strings.Contains(element, "*") {
			return
		}
		name, params, err := mime.ParseMediaType(element)
		if err != nil || name != typ.Main+"/"+typ.Sub || len(params) != len(typ.params) {
			t.Fatalf("%q: got %+v, mime says %s %q, error %v", element, typ, name, params, err)
		}
		for _, p := range typ.params {
			if params[p.name] != p.value {
				t.Errorf("%q: parameter %s is %q, mime says %q", element, p.name, p.value, params[p.name])
			}
		}
	})
}

func asciiLower(s string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, s)
}
