package route

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestAlternatives(t *testing.T) {
	tests := []struct {
		expression string
		want       []string
	}{
		{"a", []string{"a"}},
		{"a|b", []string{"a", "b"}},
		{"(?:a|b)", []string{"a", "b"}},
		{"(?:a|b)|c", []string{"(?:a|b)", "c"}},
		{"(?:a|b)(?:c|d)", []string{"(?:a|b)(?:c|d)"}},
		{"(?:a|b)+", []string{"(?:a|b)+"}},
		{"(?i:a|b)", []string{"(?i:a|b)"}},
		{`a\|b|[|]|[]|]|[^]|]|[[:alpha:]|]`, []string{`a\|b`, "[|]", "[]|]", "[^]|]", "[[:alpha:]|]"}},
		{"a|", []string{"a", ""}},
	}
	for _, tt := range tests {
		got := alternatives(tt.expression)
		if !slices.Equal(got, tt.want) {
			t.Errorf("alternatives(%q) = %q, want %q", tt.expression, got, tt.want)
		}
		whole := regexp.MustCompile("^(?:" + tt.expression + ")$")
		anchored := regexp.MustCompile("^" + strings.Join(got, "$|^") + "$")
		for _, value := range []string{"", "a", "b", "c", "ab", "ba", "ac", "A", "a|b", "|", "]", "ca", "ax", "xa", "xb"} {
			if whole.MatchString(value) != anchored.MatchString(value) {
				t.Errorf("%q: the alternatives %q differ for %q", tt.expression, got, value)
			}
		}
	}
}

// TestFormatExpressions checks how alternatives are written.
func TestFormatExpressions(t *testing.T) {
	for _, tt := range []struct {
		syntax        Syntax
		pattern, want string
	}{
		{Syntax{Regexp: "{%s:%s}"}, "GET /{x:a|b}", "/{x:(?:a|b)}"},
		{Syntax{Regexp: "{%s:%s}"}, "GET /{x:(?:a|b)}", "/{x:(?:a|b)}"},
		{Syntax{Regexp: "{%s:%s}"}, "GET /{x:[ab]}", "/{x:[ab]}"},
		{Syntax{Regexp: ":%s(%s)", Or: "|"}, "GET /{x:(?:a|b)}", "/:x(a|b)"},
		{Syntax{Regexp: "{%s ^%s$}", Or: "$|^"}, "GET /{x:a|b}", "/{x ^a$|^b$}"},
	} {
		if got, _, err := tt.syntax.Format(parse(t, tt.pattern)); err != nil || got != tt.want {
			t.Errorf("%+v: Format(%q) = %q, %v, want %q", tt.syntax, tt.pattern, got, err, tt.want)
		}
	}
	beside := Syntax{Param: ":%s", Mixed: true, Beside: func(g Segment) bool { return g[0].Literal == "v" }}
	for pattern, want := range map[string]string{"GET /v{x}": "/v:x", "GET /w{x}": ""} {
		if got, _, _ := beside.Format(parse(t, pattern)); got != want {
			t.Errorf("Format(%q) = %q, want %q", pattern, got, want)
		}
	}
}
