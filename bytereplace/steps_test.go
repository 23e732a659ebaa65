package bytereplace

import (
	"errors"
	"fmt"
	"regexp"
	"testing"
)

func TestBuild(t *testing.T) {
	const text = "Größe:\t10-20 \"m_2\"\r\n\x00\xff^[x]"
	tests := []struct {
		name  string
		steps []Step
		want  string
	}{
		{"no steps", nil, text},
		{"zero step", []Step{{}, {}}, text},
		{"lower case", []Step{LowerASCII()}, "größe:\t10-20 \"m_2\"\r\n\x00\xff^[x]"},
		{"words", []Step{LowerASCII(), Keep(`\w\s`), Map(`\t\n\f\r`, " ")}, "gre 1020 m_2  x"},
		{"words, the other way round", []Step{Map(`\t\n\f\r`, " "), Keep(`\w `), LowerASCII()}, "gre 1020 m_2  x"},
		{"ASCII", []Step{Keep("[:ascii:]")}, "Gre:\t10-20 \"m_2\"\r\n\x00^[x]"},
		{"not ASCII", []Step{Delete("[:ascii:]")}, "öß\xff"},
		{"a range", []Step{Map("0-9", "a-j")}, "Größe:\tba-ca \"m_c\"\r\n\x00\xff^[x]"},
		{"all to one", []Step{Map(`^\x20-\x7E`, "?")}, "Gr????e:?10-20 \"m_2\"????^[x]"},
		{"a swap", []Step{Map("01", "10")}, "Größe:\t01-21 \"m_2\"\r\n\x00\xff^[x]"},
		{"one after another", []Step{Map("0", "1"), Map("1", "0"), Delete("2")}, "Größe:\t00-0 \"m_\"\r\n\x00\xff^[x]"},
		{"punctuation", []Step{Delete("[:punct:]")}, "Größe\t1020 m2\r\n\x00\xffx"},
		{"hyphens", []Step{Delete(`-:`), Delete(`"-`)}, "Größe\t1020 m_2\r\n\x00\xff^[x]"},
		{"a hyphen between", []Step{Delete(`\x00\-:`)}, "Größe\t1020 \"m_2\"\r\n\xff^[x]"},
		{"escapes", []Step{Delete(`\^\[\]\x00`)}, "Größe:\t10-20 \"m_2\"\r\n\xffx"},
		{"deleted is gone", []Step{Delete("x"), Map("x", "y")}, "Größe:\t10-20 \"m_2\"\r\n\x00\xff^[]"},
		{"the same twice", []Step{Map("xyx", "aba")}, "Größe:\t10-20 \"m_2\"\r\n\x00\xff^[a]"},
		{"nothing left", []Step{Keep("#"), Map("#", "$")}, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r, err := Build(test.steps...)
			if err != nil {
				t.Fatal(err)
			}
			if got := r.Replace(text); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestBuildErrors(t *testing.T) {
	tests := []struct {
		step   Step
		offset int
		want   string // behind "bytereplace: step 2, "
	}{
		{Delete(""), 0, "Delete(``): class `` at offset 0: it is empty"},
		{Keep("^"), 1, "Keep(`^`): class `^` at offset 1: nothing follows the ^; write \\^ for the byte, \\x00-\\xFF for all bytes"},
		{Keep(`^\x00-\xFF`), 0, "Keep(`^\\x00-\\xFF`): class `^\\x00-\\xFF` at offset 0: the ^ leaves no byte"},
		{Keep("[a-z]"), 0, "Keep(`[a-z]`): class `[a-z]` at offset 0: a class is written without brackets around it; write \\[ for the byte"},
		{Keep("a]"), 1, "Keep(`a]`): class `a]` at offset 1: a class is written without brackets around it; write \\] for the byte"},
		{Keep("a-]"), 2, "Keep(`a-]`): class `a-]` at offset 2: a class is written without brackets around it; write \\] for the byte"},
		{Keep("[:vowel:]"), 0, "Keep(`[:vowel:]`): class `[:vowel:]` at offset 0: unknown class; write [:alnum:], [:punct:] or another class of this form, and \\[ for a bracket"},
		{Keep("[:d:]"), 0, "Keep(`[:d:]`): class `[:d:]` at offset 0: unknown class; write [:alnum:], [:punct:] or another class of this form, and \\[ for a bracket"},
		{Keep("a[:alpha"), 1, "Keep(`a[:alpha`): class `a[:alpha` at offset 1: unknown class; write [:alnum:], [:punct:] or another class of this form, and \\[ for a bracket"},
		{Keep("z-a"), 0, "Keep(`z-a`): class `z-a` at offset 0: the range z-a ends before it begins"},
		{Keep(`09\x20-\n`), 2, "Keep(`09\\x20-\\n`): class `09\\x20-\\n` at offset 2: the range \\x20-\\n ends before it begins"},
		{Keep("a-c-e"), 3, "Keep(`a-c-e`): class `a-c-e` at offset 3: a hyphen after a range; write \\- for the byte"},
		{Keep("--a"), 0, "Keep(`--a`): class `--a` at offset 0: a hyphen begins a range; write \\- for the byte"},
		{Keep("+--"), 2, "Keep(`+--`): class `+--` at offset 2: a range ends with a hyphen; write \\- for the byte"},
		{Keep(`\w-z`), 0, "Keep(`\\w-z`): class `\\w-z` at offset 0: a range begins with the class \\w; write \\- for the byte"},
		{Keep(`[:alpha:]-z`), 0, "Keep(`[:alpha:]-z`): class `[:alpha:]-z` at offset 0: a range begins with the class [:alpha:]; write \\- for the byte"},
		{Keep(`a-\d`), 2, "Keep(`a-\\d`): class `a-\\d` at offset 2: a range ends with the class \\d; write a byte"},
		{Keep(`a\`), 1, "Keep(`a\\`): class `a\\` at offset 1: a backslash ends it; write \\\\ for the byte"},
		{Keep(`a\q`), 1, "Keep(`a\\q`): class `a\\q` at offset 1: a backslash before \"q\" means nothing; write \\\\ for a backslash"},
		{Keep(`\W`), 0, "Keep(`\\W`): class `\\W` at offset 0: a backslash before \"W\" means nothing; write \\\\ for a backslash"},
		{Keep(`\x4`), 0, "Keep(`\\x4`): class `\\x4` at offset 0: two hexadecimal digits follow \\x, as in \\x7F"},
		{Keep(`\x+4`), 0, "Keep(`\\x+4`): class `\\x+4` at offset 0: two hexadecimal digits follow \\x, as in \\x7F"},
		{Keep("aë"), 1, "Keep(`aë`): class `aë` at offset 1: \"ë\" is not ASCII; write its bytes as \\xC3\\xAB"},
		{Keep("\x80"), 0, `Keep("\x80"): class "\x80" at offset 0: "\x80" is not ASCII; write its bytes as \x80`},
		{Keep("\t-\xff"), 2, `Keep("\t-\xff"): class "\t-\xff" at offset 2: "\xff" is not ASCII; write its bytes as \xFF`},
		{Map("", "a"), 0, "Map(``, `a`): class `` at offset 0: it is empty"},
		{Map("a", ""), 0, "Map(`a`, ``): class `` at offset 0: it is empty; use Delete to delete bytes"},
		{Map("a-c", "A-B"), 0, "Map(`a-c`, `A-B`): class `A-B` at offset 0: it has 2 bytes for the 3 of `a-c`; use one byte for all, or as many bytes"},
		{Map("a-c", "A-"), 0, "Map(`a-c`, `A-`): class `A-` at offset 0: it has 2 bytes for the 3 of `a-c`; use one byte for all, or as many bytes"},
		{Map("aba", "AB\\-"), 0, "Map(`aba`, `AB\\-`): class `aba` at offset 0: it has the byte \"a\" twice, which becomes \"A\" and \"-\"; remove one of them"},
	}
	for _, test := range tests {
		r, err := Build(LowerASCII(), test.step, Step{})
		var e *StepError
		if r != nil || !errors.As(err, &e) {
			t.Errorf("want %s: got %v and error %v, want a StepError", test.want, r, err)
			continue
		}
		if got, want := err.Error(), "bytereplace: step 2, "+test.want; got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
		if e.Step != 1 || e.Offset != test.offset {
			t.Errorf("%v: got step %d and offset %d, want 1 and %d", err, e.Step, e.Offset, test.offset)
		}
		if _, again := Build(test.step); fmt.Sprint(again) == fmt.Sprint(err) {
			t.Errorf("%v: the error of another Build has the same step", again)
		}
	}
}

// checkClass compares a class with what package regexp makes of it. It reads
// the bytes as the first 256 characters.
func checkClass(t *testing.T, class string) {
	t.Helper()
	list, e := parseClass(class)
	if e != nil {
		if e.Class != class || e.Offset < 0 || e.Offset > len(class) || e.Reason == "" || len(list) > 0 {
			t.Errorf("class %q: got %q and error %+v", class, list, e)
		}
		return
	}
	re, err := regexp.Compile("^[" + class + "]$")
	if err != nil {
		t.Fatalf("class %q: got %q, regexp has error %v", class, list, err)
	}
	var in [256]bool
	for _, c := range list {
		in[c] = true
	}
	for c, got := range in {
		if want := re.MatchString(string(rune(c))); got != want {
			t.Errorf("class %q, byte %q: got %t, regexp has %t", class, []byte{byte(c)}, got, want)
		}
	}
}

// classes are seeds of FuzzClass, too.
var classes = []string{
	"a", "a-z", "-", "--", "-a", "a-", "^a", "^-", "^^", "a^", "^a-z-", `\d\s\w`, `^\d`, `\t\n\v\f\r`, `\x00-\xFF`, `\x7f\x80-\xfF`,
	`\\\-\]\[\^`, `\ -\/`, `\_`, "0-9A-Za-z_", " -~", "!-,.-/", "a:]", "[:", "[:]", "[::]", "[:^alpha:]", "a-z-9", "\x00-\x1f", "\n", "$.*", "&&", `\b`, `\x{41}`, `\pL`, `\Q`,
	"[:alnum:]", "[:alpha:]", "[:ascii:]", "[:blank:]", "[:cntrl:]", "[:digit:]", "[:graph:]", "[:lower:]", "[:print:]", "[:punct:]",
	"[:space:]", "[:upper:]", "[:word:]", "[:xdigit:]", "^[:alpha:][:digit:]-",
}

func TestClasses(t *testing.T) {
	for _, class := range classes {
		checkClass(t, class)
	}
	for name := range named {
		if class := "[:" + name + ":]"; len(name) > 1 {
			if _, err := parseClass(class); err != nil {
				t.Errorf("class %s: %v", class, err)
			}
		}
	}
	// Each ASCII byte for itself, and behind a backslash.
	for c := range 128 {
		checkClass(t, string(rune(c)))
		checkClass(t, `\`+string(rune(c)))
	}
}
