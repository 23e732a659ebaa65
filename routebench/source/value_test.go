package source

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/muxwell/muxwell/internal/constraint"
	"github.com/muxwell/muxwell/internal/tests/builtin"
	"github.com/muxwell/muxwell/routebench/route"
)

func TestIsNumber(t *testing.T) {
	for name, want := range map[string]bool{
		"id": true, "ID": true, "user_id": true, "userId": true, "userID": true, "user-id": true, "issue_number": true,
		"pullNumber": true, "page": true, "hit_count": true,
		"grid": false, "account": false, "discount": false, "paid": false, "owner": false, "idea": false, "numbers": false, "": false, "é": false,
	} {
		if got := isNumber(name); got != want {
			t.Errorf("isNumber(%q) = %v, want %v", name, got, want)
		}
	}
}

// TestMatching checks that what is drawn for an expression is matched by it.
func TestMatching(t *testing.T) {
	v := &values{rng: rand.New(rand.NewPCG(3, 4))}
	for _, expression := range []string{
		`a`, `abc|def|`, `[a-z]+`, `[A-Z]{2}\d{3,}`, `(?i)select`, `.+`, `(?s).{5}`, `(a|b(c|d)*)+e?`, `[^a-z]{4}`, `[^0-9A-Za-z]`, `[^-_~0-9A-Za-z]`,
		`\p{Greek}+`, `(?:x{1000})`, `((a*)*)*`, `[0-9]{4}-[01][0-9]-[0-3][0-9]`, `\S\w\D`, `^a$`, `\Aa\z`, `()`, `[[:alpha:]]{3}`,
	} {
		re := regexp.MustCompile("^(?:" + expression + ")$")
		for range 50 {
			if got := v.matching(expression); !re.MatchString(got) {
				t.Errorf("matching(%q) = %q, which it does not match", expression, got)
				break
			}
		}
	}
	for _, expression := range []string{`(`, `[^\x00-\x{10FFFF}]`, `a[^\x00-\x{10FFFF}]`} {
		if got := v.matching(expression); got != "" {
			t.Errorf("matching(%q) = %q, want nothing", expression, got)
		}
	}
	if got := v.matching(strings.Repeat("(", 500) + "a*" + strings.Repeat(")*", 500)); len(got) > 1000 {
		t.Errorf("nested repetitions give %d bytes, want fewer", len(got))
	}
}

// TestValues: what is drawn for a built-in constraint, and for one that is new in their
// table, is matched by it.
func TestValues(t *testing.T) {
	builtin.Add(t)
	v := &values{rng: rand.New(rand.NewPCG(3, 5))}
	for _, b := range constraint.Builtins {
		seen := make(map[string]bool)
		for range 200 {
			got := v.value(route.Piece{Param: "x", Constraint: b.Name}, "")
			if !b.Matches(got) {
				t.Errorf("{x:%s} is given %q, which it does not match", b.Name, got)
				break
			}
			seen[got] = true
		}
		if len(seen) < 20 {
			t.Errorf("{x:%s} is given %d different values of 200, want 20 at least", b.Name, len(seen))
		}
	}
}

func TestWord(t *testing.T) {
	v := &values{rng: rand.New(rand.NewPCG(5, 6))}
	seen := make(map[string]bool)
	for range 500 {
		got := v.word(3, 12, "abc")
		if n := len(got); n < 3 || n > 12 || strings.ContainsAny(got, "abc") || strings.Trim(got, "-") != got || strings.Trim(got, letters+digits+"-") != "" {
			t.Errorf("word = %q, want 3 to 12 letters and digits but a, b and c, and '-' only within them", got)
		}
		seen[got] = true
	}
	if len(seen) < 450 {
		t.Errorf("500 words are %d different ones", len(seen))
	}
	for range 50 {
		if got := v.word(6, 6, "-"+digits); len(got) != 6 || strings.Trim(got, letters) != "" {
			t.Errorf("word without digits and '-' = %q, want 6 letters", got)
		}
		if got := v.word(6, 6, letters+digits); len(got) != 6 {
			t.Errorf("word without letters and digits = %q, want 6 bytes of some kind", got)
		}
	}
}

func TestEscape(t *testing.T) {
	for text, want := range map[string]string{
		"":       "",
		"a":      "a",
		"a/b":    "a%2Fb",
		"a:b,c;": "a:b,c;",
		"é %":    "%C3%A9%20%25",
		"?#":     "%3F%23",
		"{x}":    "%7Bx%7D",
		"/":      "%2F",
		"*":      "*",
	} {
		if got := escape(text); got != want {
			t.Errorf("escape(%q) = %q, want %q", text, got, want)
		}
	}
}
