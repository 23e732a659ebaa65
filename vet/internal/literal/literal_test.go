package literal

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

func of(t *testing.T, source string) Text {
	t.Helper()
	lit := &ast.BasicLit{ValuePos: 1, Kind: token.STRING, Value: source}
	text, ok := Of(lit)
	if !ok {
		t.Fatalf("Of(%s) = false", source)
	}
	return text
}

func TestPos(t *testing.T) {
	for _, test := range []struct {
		source string
		offset int
		want   int // index in source
	}{
		{`""`, 0, 1},
		{`"/a/{x"`, 3, 4},
		{`"/a/{x"`, 5, 6},
		{"`/a/{x`", 3, 4},
		{"`\\d{`", 2, 3},
		{`"\x41{"`, 1, 5},
		{`"\u00e9{"`, 2, 7},
		{`"\u00e9{"`, 1, 1}, // in the middle of the escape
		{`"é{"`, 2, 3},
		{`"é{"`, 1, 1},
		{`"\"{"`, 1, 3},
		{`"\101{"`, 1, 5},
		{"`é{`", 2, 3},
	} {
		if got := int(of(t, test.source).Pos(test.offset)) - 1; got != test.want {
			t.Errorf("byte %d of %s is at %d, want %d", test.offset, test.source, got, test.want)
		}
	}
}

func TestPlus(t *testing.T) {
	const source = `"GET " + prefix + "/{id"`
	e, err := parser.ParseExpr(source)
	if err != nil {
		t.Fatal(err)
	}
	sum := e.(*ast.BinaryExpr)
	first := sum.X.(*ast.BinaryExpr)
	get, _ := Of(first.X.(*ast.BasicLit))
	id, _ := Of(sum.Y.(*ast.BasicLit))
	text := get.Plus(At("/users", first.Y)).Plus(id)
	if want := "GET /users/{id"; text.Value != want {
		t.Errorf("got %q, want %q", text.Value, want)
	}
	for offset, want := range map[int]string{
		0: "GET", 3: ` " +`, 4: "prefix", 9: "prefix", 10: "/{id", 11: "{id", 14: `"`,
	} {
		if got := source[text.Pos(offset)-1:]; !strings.HasPrefix(got, want) {
			t.Errorf("byte %d is at %s, want %s", offset, got, want)
		}
	}
	for _, test := range []struct {
		from, to int
		want     string // "" for none
	}{
		{0, 3, `"POST " + prefix + "/{id"`},
		{11, 14, `"GET " + prefix + "/POST"`},
		{3, 5, ""},
		{5, 6, ""},
	} {
		edit, ok := text.Replace(test.from, test.to, "POST")
		got := ""
		if ok {
			got = source[:edit.Pos-1] + string(edit.NewText) + source[edit.End-1:]
		}
		if got != test.want {
			t.Errorf("Replace(%d, %d) = %s, want %s", test.from, test.to, got, test.want)
		}
	}
}

func TestReplaceQuotes(t *testing.T) {
	if edit, ok := of(t, `"/:id"`).Replace(1, 4, `{id:\d+}`); !ok || string(edit.NewText) != `{id:\\d+}` {
		t.Errorf("got %s, %v", edit.NewText, ok)
	}
	if edit, ok := of(t, "`/:id`").Replace(1, 4, `{id:\d+}`); !ok || string(edit.NewText) != `{id:\d+}` {
		t.Errorf("got %s, %v", edit.NewText, ok)
	}
	if _, ok := of(t, "`/:id`").Replace(1, 4, "`"); ok {
		t.Error("a backquote was put into a raw string")
	}
}

// naiveOffset is the reference for sourceOffset: it tries every beginning of the source.
func naiveOffset(source string, offset int) int {
	best := 1
	for k := 1; k < len(source); k++ {
		value, err := strconv.Unquote(source[:k] + source[:1])
		if err == nil && utf8.ValidString(source[:k]) && len(value) <= offset {
			best = k
		}
	}
	return best
}

func FuzzPos(f *testing.F) {
	for _, s := range []string{`""`, `"/a/{x"`, "`/a\\d`", `"\x41\u00e9\U0001F600\101\n\"é"`, "`é😀`", `"\xff\xc3\xa9"`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, source string) {
		value, err := strconv.Unquote(source)
		if err != nil || source[0] == '\'' || !utf8.ValidString(source) || strings.Contains(source, "\r") {
			t.Skip()
		}
		text := of(t, source)
		for offset := range len(value) + 1 {
			if got, want := int(text.Pos(offset))-1, naiveOffset(source, offset); got != want {
				t.Errorf("byte %d of %s is at %d, want %d", offset, source, got, want)
			}
		}
		if edit, ok := text.Replace(0, len(value), value); ok {
			again, err := strconv.Unquote(source[:edit.Pos-1] + string(edit.NewText) + source[edit.End-1:])
			if err != nil || again != value {
				t.Errorf("Replace of %s by itself = %q, %v", source, again, err)
			}
		}
	})
}
