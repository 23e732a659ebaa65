package mux

import (
	"fmt"
	"reflect"
	"regexp"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/muxwell/muxwell/internal/byteclass"
)

// RegexpCompileFunc compiles the regular expressions of templates and of
// [Route.HeadersRegexp]. It is [regexp.Compile] by default. A program may set it before
// it registers routes, for example to a function that caches. Expressions that another
// function compiled are matched with its result, and by nothing faster. Setting it
// while routes are registered is a race.
var RegexpCompileFunc = regexp.Compile

// CompileRegexpsWith makes *variable take effect instead of [RegexpCompileFunc]. It is for
// packages with the API of this one that have such a variable, as gorilla/replace does.
// Call it in an init function.
func CompileRegexpsWith(variable *func(string) (*regexp.Regexp, error)) { compileFunc = variable }

var compileFunc = &RegexpCompileFunc

func compileRegexp(expr string) (*regexp.Regexp, error) { return (*compileFunc)(expr) }

// compilesAsUsual reports whether regular expressions are compiled by regexp.Compile.
func compilesAsUsual() bool {
	return reflect.ValueOf(*compileFunc).Pointer() == usualCompile
}

var usualCompile = reflect.ValueOf(regexp.Compile).Pointer()

// A templateKind is the text against which a template is matched.
type templateKind uint8

const (
	pathTemplate   templateKind = iota // the path
	prefixTemplate                     // the beginning of the path
	hostTemplate                       // the host
	queryTemplate                      // a key of the query, an equals sign and its first value
)

// defaults are the patterns of variables that have none of their own.
var defaults = [...]string{pathTemplate: "[^/]+", prefixTemplate: "[^/]+", hostTemplate: "[^.]+", queryTemplate: ".*"}

// A template is text with variables in braces. It does not change.
type template struct {
	text    string
	kind    templateKind
	strict  bool // a path with a final slash added or removed matches too
	encoded bool // paths are matched as they were sent
	slashed bool // strict, and text ends in a slash
	anyPort bool // the host is matched without its port
	foreign bool // another function than regexp.Compile made its regular expression

	vars []variable
	tail string // what follows the last variable
	key  string // of a query
	// pattern is the regular expression of a template. The fields below match the same
	// faster; how names the method.
	pattern string
	how     method
	stop    byte // method simple: the byte that ends a variable
	// at has the segments of the path that are the variables' values, if the template is
	// simple and each variable is a whole segment of the first maxDepth ones.
	at      []uint8
	program *byteclass.Program // method compiled

	compile func() *regexp.Regexp // of pattern, once
}

// A variable is one of a template's.
type variable struct {
	before  string // the literal text before it
	name    string
	pattern string
	own     bool // the pattern is not the default one
	check   *regexp.Regexp
}

// A method is a way to match.
type method uint8

const (
	byRegexp method = iota
	simple          // literals, and variables with the default pattern that a stop byte or the end follows
	literal         // a query without variables
	compiled        // by package byteclass
	anyValue        // a query with any value that has no line feed
)

// newTemplate parses a template. It panics if the pattern of a variable has a
// capturing group.
func newTemplate(text string, kind templateKind, strict, encoded bool) (*template, error) {
	spans, err := braces(text)
	if err != nil {
		return nil, err
	}
	t := &template{text: text, kind: kind, encoded: encoded, strict: strict && kind == pathTemplate}
	rest := text
	if t.strict && strings.HasSuffix(text, "/") {
		rest, t.slashed = text[:len(text)-1], true
	}
	usual := compilesAsUsual()
	t.foreign = !usual
	pattern, end := "^", 0
	for i, span := range spans {
		v := variable{before: rest[end:span[0]], pattern: defaults[kind]}
		tag := rest[span[0]:span[1]]
		end = span[1]
		v.name, v.pattern, v.own = strings.Cut(tag[1:len(tag)-1], ":")
		if !v.own {
			v.pattern = defaults[kind]
		}
		if v.name == "" || v.pattern == "" {
			return nil, fmt.Errorf("mux: missing name or pattern in %q", tag)
		}
		if v.own || !usual {
			if v.check, err = compileRegexp("^" + v.pattern + "$"); err != nil {
				return nil, fmt.Errorf("mux: error compiling regex for %q: %w", tag, err)
			}
		}
		pattern += regexp.QuoteMeta(v.before) + "(?P<v" + strconv.Itoa(i) + ">" + v.pattern + ")"
		t.vars = append(t.vars, v)
	}
	t.tail = rest[end:]
	pattern += regexp.QuoteMeta(t.tail)
	if t.strict {
		pattern += "[/]?"
	}
	open := false // anything may follow the template
	if kind == queryTemplate {
		var value string
		if t.key, value, _ = strings.Cut(text, "="); value == "" {
			pattern += defaults[kind]
			open = true
		}
	}
	if kind != prefixTemplate {
		pattern += "$"
	}
	t.pattern = pattern
	t.anyPort = kind == hostTemplate && !strings.Contains(pattern, ":")
	if err := t.setCompile(usual); err != nil {
		return nil, err
	}
	if usual {
		t.setMethod(open)
	}
	return t, nil
}

// setCompile sets compile. A pattern is compiled immediately if that may fail, or if
// compiling can be observed.
func (t *template) setCompile(usual bool) error {
	if usual && !t.hasOwn() && utf8.ValidString(t.text) && len(t.text) < 1000 {
		pattern := t.pattern
		t.compile = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
		return nil
	}
	re, err := compileRegexp(t.pattern)
	if err != nil {
		return err
	}
	if re.NumSubexp() != len(t.vars) {
		panic(fmt.Sprintf("route %s contains capture groups in its regexp. ", t.text) +
			"Only non-capturing groups are accepted: e.g. (?:pattern) instead of (pattern)")
	}
	t.compile = func() *regexp.Regexp { return re }
	return nil
}

// expression returns the regular expression as it was compiled.
func (t *template) expression() string {
	if t.foreign {
		return t.compile().String()
	}
	return t.pattern
}

// hasOwn reports whether a variable has a pattern of its own.
func (t *template) hasOwn() bool {
	return slices.ContainsFunc(t.vars, func(v variable) bool { return v.own })
}

// setMethod chooses how the template is matched. open is set if anything but a line
// feed may follow it.
func (t *template) setMethod(open bool) {
	switch {
	case !utf8.ValidString(t.text) || strings.ContainsRune(t.text, utf8.RuneError):
		return // package regexp treats bytes that are not UTF-8 as U+FFFD
	case t.kind == queryTemplate && (len(t.vars) > 0 && strings.Contains(t.key, "{") || t.hasAnchor()):
		return // the text before the value matters
	case t.kind == queryTemplate && t.isAnyValue(open):
		t.how = anyValue
		return
	case t.kind == queryTemplate && len(t.vars) == 0:
		t.how = literal
		return
	case t.kind != queryTemplate && t.isSimple():
		t.how = simple
		t.setSegments()
		return
	}
	var parts []byteclass.Part
	text := func(s string) {
		if len(parts) == 0 && t.kind == queryTemplate {
			s = s[len(t.key)+1:] // the value is matched by itself
		}
		if s != "" {
			parts = append(parts, byteclass.Part{Text: s})
		}
	}
	for _, v := range t.vars {
		text(v.before)
		parts = append(parts, byteclass.Part{Expr: v.pattern})
	}
	text(t.tail)
	switch {
	case t.strict:
		parts = append(parts, byteclass.Part{Expr: "/?"})
	case open:
		parts = append(parts, byteclass.Part{Expr: defaults[queryTemplate]})
	case t.kind == prefixTemplate:
		parts = append(parts, byteclass.Part{Expr: "(?s:.*)"})
	}
	if p, err := byteclass.Join(parts...); err == nil && p.Compiled() {
		t.how, t.program = compiled, p
	}
}

// hasAnchor reports whether a pattern depends on the text around a value.
func (t *template) hasAnchor() bool {
	return slices.ContainsFunc(t.vars, func(v variable) bool {
		re, err := syntax.Parse(v.pattern, syntax.Perl)
		return err != nil || anchored(re)
	})
}

func anchored(re *syntax.Regexp) bool {
	return re.Op >= syntax.OpBeginLine && re.Op <= syntax.OpNoWordBoundary || slices.ContainsFunc(re.Sub, anchored)
}

// isAnyValue reports whether a query template matches every value that has no line
// feed: {v} and nothing else, or nothing.
func (t *template) isAnyValue(open bool) bool {
	if open {
		return len(t.vars) == 0
	}
	return len(t.vars) == 1 && !t.vars[0].own && t.vars[0].before == t.key+"=" && t.tail == ""
}

// isSimple reports whether [template.matchSimple] can match the template. It sets the
// stop byte.
func (t *template) isSimple() bool {
	t.stop = '/'
	if t.kind == hostTemplate {
		t.stop = '.'
	}
	if t.hasOwn() {
		return false
	}
	for i := range t.vars {
		next := t.tail
		if i+1 < len(t.vars) {
			if next = t.vars[i+1].before; next == "" {
				return false
			}
		}
		if next != "" && next[0] != t.stop {
			return false
		}
	}
	return true
}

// setSegments sets at, if it can, for a simple template.
func (t *template) setSegments() {
	if t.kind == hostTemplate {
		return
	}
	at, slashes := make([]uint8, 0, len(t.vars)), 0
	for _, v := range t.vars {
		slashes += strings.Count(v.before, "/")
		if !strings.HasSuffix(v.before, "/") || slashes > maxDepth {
			return
		}
		at = append(at, uint8(slashes-1))
	}
	t.at = at
}

// braces returns where the outermost pairs of braces begin and end.
func braces(s string) (spans [][2]int, err error) {
	level, start := 0, 0
	for i := range len(s) {
		switch s[i] {
		case '{':
			if level++; level == 1 {
				start = i
			}
		case '}':
			if level--; level == 0 {
				spans = append(spans, [2]int{start, i + 1})
			}
		}
		if level < 0 {
			break
		}
	}
	if level != 0 {
		return nil, fmt.Errorf("mux: unbalanced braces in %q", s)
	}
	return spans, nil
}

// names returns the names of the variables.
func (t *template) names() []string {
	names := make([]string, len(t.vars))
	for i, v := range t.vars {
		names[i] = v.name
	}
	return names
}

// uniqueNames returns an error if two templates have a variable of the same name.
func uniqueNames(t, other *template) error {
	if other == nil {
		return nil
	}
	for _, v := range t.vars {
		for _, o := range other.vars {
			if v.name == o.name {
				return fmt.Errorf("mux: duplicated route variable %q", o.name)
			}
		}
	}
	return nil
}
