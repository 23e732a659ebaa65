package routelist_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/muxwell/muxwell/internal/routelist"
)

func TestParse(t *testing.T) {
	tests := []struct {
		list string
		want []string // line:column:pattern
	}{
		{"GET /a", []string{"1:1:GET /a"}},
		{"GET /a\n", []string{"1:1:GET /a"}},
		{"\n\nGET /a\n\n/b", []string{"3:1:GET /a", "5:1:/b"}},
		{"GET /a\r\nGET /b\r\n", []string{"1:1:GET /a", "2:1:GET /b"}},
		{"\ufeffGET /a\n", []string{"1:1:GET /a"}},
		{"\ufeff# a list\r\n\r\nGET /a", []string{"3:1:GET /a"}},
		{"  \tGET\t /a \t\n", []string{"1:4:GET\t /a"}},
		{"GET,POST example.com/a", []string{"1:1:GET,POST example.com/a"}},
		// Comments: at the beginning of a line and after a space only.
		{"# GET /a\n  # GET /b\n#\nGET /c", []string{"4:1:GET /c"}},
		{"GET /a # why\nGET /b\t#why\nGET /c #", []string{"1:1:GET /a", "2:1:GET /b", "3:1:GET /c"}},
		{"GET /a#b\nG#T /c", []string{"1:1:GET /a#b", "2:1:G#T /c"}},
		{"/a # {b} # c", []string{"1:1:/a"}},
		{"/é # naïve, a\u00a0blank\n", []string{"1:1:/é"}},
		// A blank may stand within braces.
		{"/{a b}/c", []string{"1:1:/{a b}/c"}},
		{"/{a:[0-9 ]{4}}/c", []string{"1:1:/{a:[0-9 ]{4}}/c"}},
		{`/{a:[ \}]+} # b`, []string{`1:1:/{a:[ \}]+}`}},
		{`/{a:\} \{ \\}/b`, []string{`1:1:/{a:\} \{ \\}/b`}},
		{"GET /{a:x y}-{b:y z}/c", []string{"1:1:GET /{a:x y}-{b:y z}/c"}},
		{"GET {t:a b|c/d}.example.com/e", []string{"1:1:GET {t:a b|c/d}.example.com/e"}},
		{"{t}.example.com/a", []string{"1:1:{t}.example.com/a"}},
		// And so may a "#" after a space.
		{"/{x:[ #]+}", []string{"1:1:/{x:[ #]+}"}},
		{"/{x:[ #]+} # {why}", []string{"1:1:/{x:[ #]+}"}},
		{`/{x: #\} #} #}`, []string{`1:1:/{x: #\} #}`}},
		{"GET {t: #}.example.com/{x: #{2}}\t#", []string{"1:1:GET {t: #}.example.com/{x: #{2}}"}},
		// A backslash in a name is one, and a brace that is not closed ends nothing.
		{`/{a\} # b}`, []string{`1:1:/{a\}`}},
		{"/{a # {b}", []string{"1:1:/{a"}},
		{"/{a:{ # }", []string{"1:1:/{a:{"}},
		{strings.Repeat("{", 60_000) + " # }", []string{"1:1:" + strings.Repeat("{", 60_000)}},
		// What is wrong in a pattern is not Parse's business.
		{"GET", []string{"1:1:GET"}},
		{"GET a b", []string{"1:1:GET a b"}},
		{"/}x", []string{"1:1:/}x"}},
	}
	for _, tt := range tests {
		entries, err := routelist.Parse("list", strings.NewReader(tt.list))
		if err != nil {
			t.Errorf("Parse(%q): %v", tt.list, err)
		}
		if got := format(entries); !slices.Equal(got, tt.want) {
			t.Errorf("Parse(%q) = %q, want %q", tt.list, got, tt.want)
		}
	}
}

// format returns each entry as line:column:pattern.
func format(entries []routelist.Entry) []string {
	var lines []string
	for _, e := range entries {
		lines = append(lines, fmt.Sprintf("%d:%d:%s", e.Line, e.Column, e.Pattern))
	}
	return lines
}

func TestParseErrors(t *testing.T) {
	blank := "a space in a path; write it as %20, begin a comment with '#', put each route on its own line, or write options after the path, as in name=user; options are " + keyList()
	const empty = "list: the list has no routes; a route is a line METHOD PATTERN, such as GET /users/{id}"
	tests := []struct {
		list string
		want string
	}{
		{"", empty},
		{"\n \t\r\n# GET /a\n", empty},
		{"\ufeff", empty},
		{"GET /a\nGET /b c\n", "list:2: " + blank + "\n" +
			"\t2 | GET /b c\n" +
			"\t  |       ^"},
		{"GET /{a b} c", "list:1: " + blank + "\n" +
			"\t1 | GET /{a b} c\n" +
			"\t  |           ^"},
		{"{t}.h/{a: } b", "list:1: " + blank + "\n" +
			"\t1 | {t}.h/{a: } b\n" +
			"\t  |            ^"},
		{`/{a:\}} b`, "list:1: " + blank + "\n" +
			"\t1 | /{a:\\}} b\n" +
			"\t  |        ^"},
		{"GET\u00a0/a", "list:1: U+00A0 looks like a space but is not; write a plain space, or in a path write %C2%A0\n" +
			"\t1 | GET\\u00a0/a\n" +
			"\t  |    ^"},
		{"GET /\u202egnp.exe", "list:1: U+202E is invisible and changes the direction of text; in a path write %E2%80%AE\n" +
			"\t1 | GET /\\u202egnp.exe\n" +
			"\t  |      ^"},
		{"GET /a\x1b[2J", "list:1: control character U+001B; in a path write %1B\n" +
			"\t1 | GET /a\\x1b[2J\n" +
			"\t  |       ^"},
		{"GET /a\rGET /b\r", "list:1: a carriage return inside a line; lines end with LF or CRLF\n" +
			"\t1 | GET /a\\rGET /b\n" +
			"\t  |       ^"},
		{"GET /a\nGET /\xff\nGET /b c\n", "list:2: byte 0xff is not UTF-8, which a route list must be\n" +
			"\t2 | GET /\\xff\n" +
			"\t  |      ^"},
		{"\x7fELF\x00\x01\n\n\x80", "list:1: the list has a byte 0x00; is it a binary file?"},
		{"\xff\xfeG\x00E\x00T\x00", "list:1: the list is UTF-16; save it as UTF-8"},
		{"GET /a\n/" + strings.Repeat("x", 64<<10), "list:2: the line is longer than 65536 bytes; is this a route list?"},
		{"GET /\tx", "list:1: " + blank + "\n" +
			"\t1 | GET / x\n" +
			"\t  |      ^"},
	}
	for _, tt := range tests {
		_, err := routelist.Parse("list", strings.NewReader(tt.list))
		if err == nil || err.Error() != tt.want {
			t.Errorf("Parse(%.60q):\ngot:\n%v\nwant:\n%s", tt.list, err, tt.want)
		}
	}
}

// Faults are all reported, and the lines that are right are returned as well.
func TestParseGoesOn(t *testing.T) {
	entries, err := routelist.Parse("list", strings.NewReader("/a b\n/c\n/d e\n/f\n"))
	if got, want := format(entries), []string{"2:1:/c", "4:1:/f"}; !slices.Equal(got, want) {
		t.Errorf("entries = %q, want %q", got, want)
	}
	errs, _ := errors.AsType[routelist.Errors](err)
	if len(errs) != 2 || errs[0].Line != 1 || errs[1].Line != 3 || errs[1].Column != 3 || errs[1].Text != "/d e" {
		t.Errorf("errors = %v, want one for line 1 and one for line 3, column 3", err)
	}
}

func TestParseEmptyIsErrEmpty(t *testing.T) {
	if _, err := routelist.Parse("list", strings.NewReader("#")); !errors.Is(err, routelist.ErrEmpty) {
		t.Errorf("Parse(%q) = %v, want ErrEmpty", "#", err)
	}
}

func TestParseReadErrors(t *testing.T) {
	broken := errors.New("the cable broke")
	_, err := routelist.Parse("list", io.MultiReader(strings.NewReader("GET /a\nGET /b"), iotest.ErrReader(broken)))
	if !errors.Is(err, broken) || err.Error() != "list: the cable broke" {
		t.Errorf("err = %v, want list: %v", err, broken)
	}

	dir := t.TempDir()
	f, err := os.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	_, err = routelist.Parse("lists", f)
	if err == nil || strings.Contains(err.Error(), filepath.Base(dir)) || !strings.HasPrefix(err.Error(), "lists: ") {
		t.Errorf("Parse of a directory: err = %v, want one that names it lists only", err)
	}
}

func TestParseReadsAnyChunks(t *testing.T) {
	list := "\ufeffGET /a\r\n# é\r\nGET /é # x\r\n"
	want := []string{"1:1:GET /a", "3:1:GET /é"}
	for _, r := range []io.Reader{iotest.OneByteReader(strings.NewReader(list)), iotest.DataErrReader(strings.NewReader(list))} {
		entries, err := routelist.Parse("list", r)
		if got := format(entries); err != nil || !slices.Equal(got, want) {
			t.Errorf("Parse = %q, %v, want %q", got, err, want)
		}
	}
}

// endless is a pipe that says the same for ever.
type endless string

func (e endless) Read(p []byte) (int, error) {
	n := 0
	for n+len(e) <= len(p) {
		n += copy(p[n:], e)
	}
	return n, nil
}

func TestParseEndsOnEndlessInput(t *testing.T) {
	for in, want := range map[endless]string{
		"\x00":   "list:1: the line is longer than 65536 bytes; is this a route list?",
		"x":      "list:1: the line is longer than 65536 bytes; is this a route list?",
		"\x00\n": "list:1: the list has a byte 0x00; is it a binary file?",
		"# " + endless(strings.Repeat("x", 1000)) + "\n": "list: the list is longer than 67108864 bytes",
	} {
		if _, err := routelist.Parse("list", in); err == nil || err.Error() != want {
			t.Errorf("Parse of endless %.10q = %v, want %s", in, err, want)
		}
	}
}
