package migrate

import (
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"regexp/syntax"
	"strings"

	"github.com/muxwell/muxwell"
)

// A part of a pattern is text, or a parameter with its expression.
type part struct {
	text, name, expr string
	param            bool
}

// splitPattern splits a pattern of gorilla/mux or chi at its braces, which nest in both.
func splitPattern(s string) ([]part, error) {
	var parts []part
	for s != "" {
		open := strings.IndexByte(s, '{')
		if open < 0 {
			open = len(s)
		}
		if open > 0 {
			if strings.Contains(s[:open], "}") {
				return nil, errors.New("its braces are unbalanced")
			}
			parts = append(parts, part{text: s[:open]})
			s = s[open:]
			continue
		}
		depth, end := 0, -1
		for i := 0; i < len(s) && end < 0; i++ {
			switch s[i] {
			case '{':
				depth++
			case '}':
				if depth--; depth == 0 {
					end = i
				}
			}
		}
		if end < 0 {
			return nil, errors.New("its braces are unbalanced")
		}
		name, expr, _ := strings.Cut(s[1:end], ":")
		if name == "" || name == "$" || strings.Contains(name, "...") || strings.ContainsAny(name, "{}/") {
			return nil, fmt.Errorf("muxwell cannot have a parameter with the name %q", name)
		}
		parts = append(parts, part{name: name, expr: expr, param: true})
		s = s[end+1:]
	}
	return parts, nil
}

// checkText returns an error for literal text that muxwell reads differently.
func checkText(s string) error {
	switch {
	case strings.ContainsAny(s, "%"):
		return errors.New("a '%' begins an escape in muxwell, and is a character here")
	case strings.ContainsAny(s, " \t"):
		return errors.New("it contains a space")
	}
	return nil
}

// gorillaPath returns the path of muxwell that matches what a template of gorilla/mux
// does. A prefix must end in a slash, or be that of a subrouter.
func gorillaPath(template string, prefix, subrouter bool) (string, error) {
	parts, err := splitPattern(template)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	for i, p := range parts {
		if !p.param {
			if err := checkText(p.text); err != nil {
				return "", err
			}
			out.WriteString(p.text)
			continue
		}
		before := i == 0 || strings.HasSuffix(parts[i-1].text, "/")
		after := i == len(parts)-1 || strings.HasPrefix(parts[i+1].text, "/")
		alone, last := before && after, i == len(parts)-1
		slash, err := canMatch(p.expr, '/')
		if err != nil {
			return "", err
		}
		shared := !alone && sharesSegment(parts, i)
		switch {
		case p.expr == "" && shared:
			// The longest text wins here, and in muxwell only with expressions.
			fmt.Fprintf(&out, "{%s:.+}", p.name)
		case p.expr == "":
			fmt.Fprintf(&out, "{%s}", p.name)
		case alone && !prefix && !subrouter && (last && p.expr == ".*" || !last && (p.expr == ".*" || p.expr == ".+")):
			fmt.Fprintf(&out, "{%s...}", p.name)
		case alone && last && p.expr == ".+":
			return "", fmt.Errorf("{%s:.+} needs at least one character, and {%s...} also matches an empty rest; "+
				"if that is right write {%[1]s...}", p.name, p.name)
		case slash:
			return "", fmt.Errorf("the expression %s can match a slash, and a parameter of muxwell is one segment; "+
				"if it is meant to be one exclude the slash, or use {%s...} and check the value", p.expr, p.name)
		case matchesEmpty(p.expr):
			return "", fmt.Errorf("the expression %s matches the empty text, and a parameter of muxwell does not", p.expr)
		default:
			fmt.Fprintf(&out, "{%s:%s}", p.name, p.expr)
		}
	}
	s := out.String()
	switch {
	case subrouter:
		s = strings.TrimSuffix(s, "/")
	case prefix && !strings.HasSuffix(s, "/"):
		return "", fmt.Errorf("PathPrefix(%q) also matches %sx, and muxwell has only prefixes of whole segments; "+
			"register %s and %[2]s/ if that is what is meant", template, s, s)
	case !prefix && strings.HasSuffix(s, "/"):
		s += "{$}"
	}
	return s, checkPath(s)
}

// sharesSegment reports whether part i has another parameter in its segment.
func sharesSegment(parts []part, i int) bool {
	for j := i - 1; j >= 0; j-- {
		if parts[j].param {
			return true
		}
		if strings.Contains(parts[j].text, "/") {
			break
		}
	}
	for j := i + 1; j < len(parts); j++ {
		if parts[j].param {
			return true
		}
		if strings.Contains(parts[j].text, "/") {
			break
		}
	}
	return false
}

// exprFollows reports whether a parameter with an expression follows part i in its segment.
func exprFollows(parts []part, i int) bool {
	for _, p := range parts[i+1:] {
		if p.expr != "" {
			return true
		}
		if strings.Contains(p.text, "/") {
			break
		}
	}
	return false
}

// textFollows reports whether text follows a parameter without an expression in its segment, in
// a pattern of muxwell.
func textFollows(pattern string) bool {
	for {
		_, rest, found := strings.Cut(pattern, "{")
		if !found {
			return false
		}
		depth, end := 1, 0
		for ; depth > 0 && end < len(rest); end++ {
			switch rest[end] {
			case '{':
				depth++
			case '}':
				depth--
			}
		}
		if end < len(rest) && rest[end] != '/' && !strings.Contains(rest[:end], ":") {
			return true
		}
		pattern = rest[end:]
	}
}

// gorillaHost returns the host of muxwell that matches what a template does.
func gorillaHost(template string) (string, error) {
	parts, err := splitPattern(template)
	if err != nil {
		return "", err
	}
	for _, p := range parts {
		if strings.ContainsAny(p.text, ": /") {
			return "", errors.New("a host with a port matches only CONNECT requests in muxwell")
		}
		if dot, err := canMatch(p.expr, '.'); err != nil || dot {
			return "", fmt.Errorf("the expression %s can match a dot, and a parameter of muxwell is one label", p.expr)
		}
		if p.expr != "" && matchesEmpty(p.expr) {
			return "", fmt.Errorf("the expression %s matches the empty text, and a parameter of muxwell does not", p.expr)
		}
	}
	return template, checkPath(template + "/")
}

// chiPath returns the path of muxwell that matches what a pattern of chi does. A catch-all
// gets the name rest, or none if that is empty.
func chiPath(pattern, rest string) (string, error) {
	text, catchAll := strings.CutSuffix(pattern, "*")
	if catchAll && !strings.HasSuffix(text, "/") {
		return "", errors.New("a '*' after text matches a part of a segment too, and a catch-all of muxwell matches whole segments")
	}
	parts, err := splitPattern(text)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	for i, p := range parts {
		if !p.param {
			if strings.Contains(p.text, "*") {
				return "", errors.New("a '*' must be at the end")
			}
			if err := checkText(p.text); err != nil {
				return "", err
			}
			out.WriteString(p.text)
			continue
		}
		after := i == len(parts)-1 || strings.HasPrefix(parts[i+1].text, "/")
		if !after && sharesSegment(parts, i) && i+1 < len(parts) {
			if sep, _, _ := strings.Cut(parts[i+1].text, "/"); len(sep) > 1 {
				return "", fmt.Errorf("with the text %q between two parameters, chi looks only for its first byte", sep)
			}
		}
		end := rune('/') // with which chi ends the value
		if !after && !parts[i+1].param {
			end = rune(parts[i+1].text[0])
		}
		if p.expr == "" {
			if exprFollows(parts, i) { // if it does not match, muxwell looks for the text again
				fmt.Fprintf(&out, "{%s:[^%s]+}", p.name, regexp.QuoteMeta(string(end)))
			} else {
				fmt.Fprintf(&out, "{%s}", p.name)
			}
			continue
		}
		slash, err := canMatch(p.expr, '/')
		overlap, _ := canMatch(p.expr, end)
		switch {
		case err != nil:
			return "", err
		case slash && !after:
			return "", fmt.Errorf("the expression %s can match a slash, and a parameter of muxwell is one segment", p.expr)
		case overlap && !after:
			return "", fmt.Errorf("the expression %s can match %q, with which chi ends the value, and muxwell does not", p.expr, string(end))
		case alternatives(p.expr):
			return "", fmt.Errorf("chi reads the expression %s as ^%[1]s$, which anchors only the outer alternatives at one side; "+
				"muxwell always matches the whole value: put it in (?:…) if that is meant", p.expr)
		case matchesEmpty(p.expr):
			return "", fmt.Errorf("the expression %s matches the empty text, and a parameter of muxwell does not", p.expr)
		case strings.HasPrefix(p.expr, "^") || strings.HasSuffix(p.expr, "$") && !strings.HasSuffix(p.expr, `\$`):
			expr := strings.TrimPrefix(p.expr, "^")
			if !strings.HasSuffix(expr, `\$`) {
				expr = strings.TrimSuffix(expr, "$")
			}
			fmt.Fprintf(&out, "{%s:%s}", p.name, expr)
		default:
			if loose(p.expr) {
				return "", fmt.Errorf("the expression %s has an anchor inside", p.expr)
			}
			fmt.Fprintf(&out, "{%s:%s}", p.name, p.expr)
		}
	}
	s := out.String()
	switch {
	case catchAll && rest != "":
		s += "{" + rest + "...}"
	case !catchAll && strings.HasSuffix(s, "/"):
		s += "{$}"
	}
	return s, checkPath(s)
}

// loose reports whether an expression has anchors.
func loose(expr string) bool {
	re, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return true
	}
	found := false
	walkExpr(re, func(re *syntax.Regexp) {
		switch re.Op {
		case syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText:
			found = true
		}
	})
	return found
}

// alternatives reports whether an expression has a '|' that is not in parentheses.
func alternatives(expr string) bool {
	depth, class := 0, false
	for i := 0; i < len(expr); i++ {
		switch c := expr[i]; {
		case c == '\\':
			i++
		case class:
			class = c != ']'
		case c == '[':
			class = true
			if i+1 < len(expr) && expr[i+1] == '^' {
				i++
			}
			if i+1 < len(expr) && expr[i+1] == ']' {
				i++
			}
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == '|' && depth == 0:
			return true
		}
	}
	return false
}

func walkExpr(re *syntax.Regexp, f func(*syntax.Regexp)) {
	f(re)
	for _, sub := range re.Sub {
		walkExpr(sub, f)
	}
}

// canMatch reports whether some text that an expression matches may contain c.
func canMatch(expr string, c rune) (bool, error) {
	re, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return false, fmt.Errorf("invalid expression %s", expr)
	}
	found := false
	walkExpr(re, func(re *syntax.Regexp) {
		switch re.Op {
		case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
			found = true
		case syntax.OpLiteral:
			for _, r := range re.Rune {
				found = found || r == c || re.Flags&syntax.FoldCase != 0 && strings.EqualFold(string(r), string(c))
			}
		case syntax.OpCharClass:
			for i := 0; i+1 < len(re.Rune); i += 2 {
				found = found || re.Rune[i] <= c && c <= re.Rune[i+1]
			}
		}
	})
	return found, nil
}

func matchesEmpty(expr string) bool {
	re, err := regexp.Compile(`^(?:` + expr + `)$`)
	return err == nil && re.MatchString("")
}

// checkPath returns an error if muxwell does not accept a path, or reads it as something
// else than a path.
func checkPath(s string) error {
	if s == "" {
		return nil // the prefix of a group
	}
	rt, err := muxwell.New().Add(s, http.NotFoundHandler())
	if err != nil {
		var fault *muxwell.PatternError
		if errors.As(err, &fault) {
			return errors.New(fault.Reason)
		}
		return err
	}
	if len(rt.Methods()) > 0 {
		return errors.New("it contains a space")
	}
	if strings.HasPrefix(s, "/") {
		for segment := range strings.SplitSeq(strings.TrimSuffix(s[1:], "/"), "/") {
			if segment == "." || segment == ".." || segment == "" && s != "/" {
				return errors.New("a request with such a path is redirected to its clean path")
			}
		}
	}
	return nil
}
