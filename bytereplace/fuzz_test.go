package bytereplace

import (
	"strings"
	"testing"
)

// FuzzNew compares with the naive replacement and with package strings. Three
// bytes of spec are a pair: old, new, and whether old is deleted.
func FuzzNew(f *testing.F) {
	f.Add([]byte("AaxBbx"), "A text of B's")
	f.Add([]byte("A.\x00B.\x00"), "A text of B's")
	f.Add([]byte("-_x"), strings.Repeat("a-b_", 100))
	f.Add([]byte("\r.\x00"), strings.Repeat("a line of text, with an end\r\n", 100))
	f.Add([]byte("aAxcCxeExgGxiIxkKxmMxoOxqQx"), "\x80\xff")
	f.Fuzz(func(t *testing.T, spec []byte, text string) {
		spec = spec[:min(len(spec), 3*32)] // New is called for each pair
		table, seen, pairs := identity(), [256]bool{}, []string{}
		for ; len(spec) >= 3; spec = spec[3:] {
			old, to := spec[0], int16(spec[1])
			replacement := string(spec[1:2])
			if spec[2]%2 == 0 {
				to, replacement = deleted, ""
			}
			again := append(pairs, string(spec[:1]), replacement)
			if _, err := New(again...); (err != nil) != (seen[old] && table[old] != to) {
				t.Fatalf("New(%q): got error %v; has old: %t", again, err, seen[old])
			} else if err != nil {
				continue
			}
			table[old], seen[old], pairs = to, true, again
		}
		r, err := New(pairs...)
		if err != nil {
			t.Fatal(err)
		}
		check(t, r, table, text)
		if got, want := r.Replace(text), strings.NewReplacer(pairs...).Replace(text); got != want {
			t.Errorf("New(%q).Replace(%q): got %q, strings has %q", pairs, text, got, want)
		}
	})
}

// FuzzBuild compares steps in one pass with one pass for each.
func FuzzBuild(f *testing.F) {
	f.Add(`\w\s`, `\t\n\f\r`, " ", "_", "Hello,\tWorld!")
	f.Add(`^\x80-\xFF`, "a-z", "b-za", "a", strings.Repeat("Abz\xff", 100))
	f.Fuzz(func(t *testing.T, keep, from, to, remove, text string) {
		steps := []Step{LowerASCII(), Keep(keep), Map(from, to), Delete(remove)}
		want, failed := text, false
		for _, step := range steps {
			r, err := Build(step)
			if err != nil {
				failed = true
				break
			}
			want = r.Replace(want)
		}
		r, err := Build(steps...)
		if (err != nil) != failed {
			t.Fatalf("got error %v, want one: %t", err, failed)
		}
		if err != nil {
			return
		}
		check(t, r, tableOf(steps...), text)
		if got := r.Replace(text); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	})
}

// FuzzClass compares classes with package regexp.
func FuzzClass(f *testing.F) {
	for _, class := range classes {
		f.Add(class)
	}
	f.Fuzz(checkClass)
}
