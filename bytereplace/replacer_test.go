package bytereplace

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
)

// naive is what a Replacer does, byte by byte.
func naive(t *table, s string) string {
	out := []byte{}
	for i := range len(s) {
		if to := t[s[i]]; to != deleted {
			out = append(out, byte(to))
		}
	}
	return string(out)
}

// pairsOf returns the pairs of a table for New and for strings.NewReplacer.
func pairsOf(t *table) (pairs []string) {
	for c, to := range t {
		switch {
		case to == deleted:
			pairs = append(pairs, string([]byte{byte(c)}), "")
		case int(to) != c:
			pairs = append(pairs, string([]byte{byte(c)}), string([]byte{byte(to)}))
		}
	}
	return pairs
}

// tableOf returns the table of steps.
func tableOf(steps ...Step) *table {
	t := identity()
	for c := range t {
		for _, step := range steps {
			if t[c] != deleted {
				t[c] = step.to[t[c]]
			}
		}
	}
	return t
}

type testTable struct {
	name  string
	table *table
	find  finder
	write writer
}

// testTables holds tables for each pair of loops.
func testTables() []testTable {
	inverted := identity()
	for c := range inverted {
		inverted[c] ^= 0xff
	}
	return []testTable{
		{"identity", identity(), findNone, writeNone},
		{"lower case", tableOf(LowerASCII()), findNear, writeRun},
		{"an upper run", tableOf(Map(`\xC0-\xDF`, `\xE0-\xFF`)), findNear, writeRun},
		{"the lower half", tableOf(Map(`\x00-\x7F`, `\x80-\xFF`)), findNear, writeRun},
		{"the upper half", tableOf(Map(`\x80-\xFF`, `\x00-\x7F`)), findNear, writeRun},
		{"up to 7F", tableOf(Map(`\x78-\x7F`, `\xF8-\xFF`)), findNear, writeRun},
		{"one byte", tableOf(Map("-", "_")), findFew, writeRun},
		{"byte 0", tableOf(Map(`\x00`, " ")), findFew, writeRun},
		{"byte 7F", tableOf(Map(`\x7F`, `\xFF`)), findFew, writeRun},
		{"byte 80", tableOf(Map(`\x80`, `\x00`)), findFew, writeRun},
		{"byte FF", tableOf(Map(`\xFF`, `\x00`)), findFew, writeRun},
		{"7F and 80", tableOf(Map(`\x7F\x80`, `\x80\x7F`)), findFew, writeTable},
		{"two bytes", tableOf(Map("ab", "ba")), findFew, writeRun},
		{"two bytes with one between", tableOf(Map("ac", "AC")), findFew, writeTableNear},
		{"four bytes", tableOf(Map(`\t\n\f\r`, " ")), findFew, writeTableNear},
		{"five bytes in a run", tableOf(Map("a-e", "A-E")), findNear, writeRun},
		{"eight bytes", tableOf(Map("acegikmz", "A")), findFew, writeTable},
		{"near bytes", tableOf(Map("acegij", "A")), findNear, writeTableNear},
		{"near bytes deleted", tableOf(Delete("aceghi"), Map("d", "D")), findNear, writeKeptNear},
		{"nine bytes", tableOf(Map("acegikmoz", "A")), findTable, writeTable},
		{"a run to one byte", tableOf(Map("a-z", ".")), findNear, writeTableNear},
		{"a run across the halves", tableOf(Map(`p-\x90`, ".")), findTable, writeTable},
		{"inverted", inverted, findTable, writeTable},
		{"all to one byte", tableOf(Map(`\x00-\x61\x63-\xFF`, "b")), findTable, writeTable},
		{"one byte deleted", tableOf(Delete(`\r`)), findFew, writeKeptNear},
		{"two bytes deleted", tableOf(Delete("a."), Map("b", "B")), findFew, writeKept},
		{"ASCII deleted", tableOf(Delete("[:ascii:]")), findNear, writeKeptNear},
		{"all but ASCII deleted", tableOf(Keep("[:ascii:]")), findNear, writeKeptNear},
		{"words", tableOf(LowerASCII(), Keep(`\w\s`), Map(`\s`, " ")), findTable, writeKept},
		{"one byte kept", tableOf(Keep("e")), findTable, writeKept},
		{"nothing kept", tableOf(Delete(`\x00-\xFF`)), findTable, writeKept},
	}
}

// testTexts returns texts of a size: of any bytes, of letters, with few changes,
// of UTF-8, and one of a kind.
func testTexts(src *rand.Rand, size int) []string {
	const mixed = "aAbBcC-. \t\r\nzZ@[`{"
	anyByte, letters, rare := make([]byte, size), make([]byte, size), bytes.Repeat([]byte{'x'}, size)
	for i := range size {
		anyByte[i] = byte(src.IntN(256))
		letters[i] = mixed[src.IntN(len(mixed))]
		if src.IntN(50) == 0 {
			rare[i] = letters[i]
		}
	}
	return []string{
		string(anyByte), string(letters), string(rare), strings.Repeat("x", size), strings.Repeat("\r", size),
		strings.Repeat("Zoë—日本 \xff\xfe", size)[:size],
	}
}

// check compares all functions of r with the naive one.
func check(t *testing.T, r *Replacer, table *table, text string) {
	t.Helper()
	want := naive(table, text)
	verify := func(call, got, want string) {
		t.Helper()
		if got != want {
			t.Fatalf("%s of %d bytes: got %s, want %s; text %s", call, len(text), short(got), short(want), short(text))
		}
	}
	verify("Replace", r.Replace(text), want)
	verify("AppendReplace(nil)", string(r.AppendReplace(nil, text)), want)
	verify("AppendReplace", string(r.AppendReplace([]byte("A-\r"), text)), "A-\r"+want)
	src := []byte(text)
	verify("AppendReplaceBytes", string(r.AppendReplaceBytes([]byte("A-\r"), src)), "A-\r"+want)
	verify("the source of AppendReplaceBytes", string(src), text)

	guard := strings.Repeat("A-\r.", 16)
	memory := []byte(guard + text + guard)
	b := memory[len(guard) : len(guard)+len(text)]
	verify("ReplaceInPlace", string(r.ReplaceInPlace(b)), want)
	verify("the memory before ReplaceInPlace", string(memory[:len(guard)]), guard)
	verify("the memory behind ReplaceInPlace", string(memory[len(guard)+len(text):]), guard)
}

func short(s string) string {
	if len(s) > 200 {
		return fmt.Sprintf("%q and %d bytes", s[:200], len(s)-200)
	}
	return fmt.Sprintf("%q", s)
}

func TestReplacer(t *testing.T) {
	sizes := []int{127, 128, 129, 1000, 1023, 1024, 1025, 1100, 2048, 5000}
	for size := range 100 {
		sizes = append(sizes, size)
	}
	for _, test := range testTables() {
		t.Run(test.name, func(t *testing.T) {
			src := rand.New(rand.NewPCG(1, 9))
			r := newReplacer(test.table)
			if r.find != test.find || r.write != test.write {
				t.Errorf("got find %d and write %d, want %d and %d", r.find, r.write, test.find, test.write)
			}
			std := strings.NewReplacer(pairsOf(test.table)...)
			for _, size := range sizes {
				for _, text := range testTexts(src, size) {
					check(t, r, test.table, text)
					if got, want := r.Replace(text), std.Replace(text); got != want {
						t.Fatalf("got %s, strings.Replacer has %s", short(got), short(want))
					}
				}
			}
		})
	}
}

// TestEachByte puts each byte in each place of a word, among bytes that differ
// from it by one bit, or by one.
func TestEachByte(t *testing.T) {
	for _, test := range testTables() {
		r := newReplacer(test.table)
		for c := range 256 {
			for _, other := range []byte{'x', byte(c ^ 0x80), byte(c ^ 1), byte(c + 1), byte(c - 1)} {
				text := bytes.Repeat([]byte{other}, 70)
				for at := range 34 {
					text[at] = byte(c)
					if got, want := r.Replace(string(text)), naive(test.table, string(text)); got != want {
						t.Fatalf("%s: byte %#x at %d of %#x: got %q, want %q", test.name, c, at, other, got, want)
					}
					text[at] = other
				}
			}
		}
	}
}

// TestFirst has one byte that changes, in each place of a long text.
func TestFirst(t *testing.T) {
	for _, test := range testTables() {
		r := newReplacer(test.table)
		same := bytes.IndexByte(r.changes[:], 0)
		if same < 0 || test.find == findNone {
			continue
		}
		changed := bytes.IndexByte(r.changes[:], 1)
		text := bytes.Repeat([]byte{byte(same)}, 2*fewWindow+40)
		if got := first(r, text); got != len(text) {
			t.Errorf("%s: got %d for a text without a change, want %d", test.name, got, len(text))
		}
		for at := range text {
			text[at] = byte(changed)
			if got, gotString := first(r, text), first(r, string(text)); got != at || gotString != at {
				t.Fatalf("%s: got %d and %d of a string, want %d", test.name, got, gotString, at)
			}
			text[at] = byte(same)
		}
	}
}

// TestRandomTables also has runs of all bounds.
func TestRandomTables(t *testing.T) {
	src := rand.New(rand.NewPCG(2, 9))
	for range 3000 {
		table := identity()
		lo, hi, bits, kind := src.IntN(256), src.IntN(256), src.IntN(256), src.IntN(4)
		for c := min(lo, hi); c <= max(lo, hi); c++ {
			switch kind {
			case 0:
				table[c] ^= int16(bits)
			case 1:
				table[c] = int16(bits)
			case 2:
				table[c] = deleted
			case 3:
				table[c] = int16(src.IntN(257) - 1)
			}
		}
		r := newReplacer(table)
		for _, text := range testTexts(src, src.IntN(300)) {
			check(t, r, table, text)
		}
	}
}

func TestZeroReplacer(t *testing.T) {
	check(t, new(Replacer), identity(), "A b\xff\x00")
	check(t, new(Replacer), identity(), "")
}

// TestOverlap has dst and src in the same memory, at all distances.
func TestOverlap(t *testing.T) {
	const size, room = 40, 120
	for _, test := range testTables() {
		r := newReplacer(test.table)
		for at := range room - size {
			for end := range room {
				memory := []byte(strings.Repeat("aA-.x\r\x7f\x80\xff", room))[:room:room]
				dst, src := memory[:end], memory[at:at+size]
				want := string(dst) + naive(test.table, string(src))
				before := string(memory)
				if got := string(r.AppendReplaceBytes(dst, src)); got != want {
					t.Fatalf("%s: dst [0:%d], src [%d:%d]: got %q, want %q", test.name, end, at, at+size, got, want)
				}
				if room-end < size && string(memory) != before {
					t.Fatalf("%s: dst [0:%d], src [%d:%d]: the memory has changed", test.name, end, at, at+size)
				}
				if got, want := string(memory[:end]), before[:end]; got != want {
					t.Fatalf("%s: dst is %q now, was %q", test.name, got, want)
				}
				if b := min(end+size, room); string(memory[b:]) != before[b:] {
					t.Fatalf("%s: the memory behind dst[0:%d] has changed", test.name, end+size)
				}
			}
		}
	}
}

// TestConcurrent is for the race detector: a Replacer is shared, and so is a
// text that does not change.
func TestConcurrent(t *testing.T) {
	const text = "xyz 0123456789 xyz 0123456789 xyz 0123456789 xyz 0123456789 xyz 0123456789"
	var wg sync.WaitGroup
	for _, test := range testTables() {
		if naive(test.table, text) != text {
			continue
		}
		r, shared := newReplacer(test.table), []byte(text)
		for range 4 {
			wg.Go(func() {
				if got := string(r.ReplaceInPlace(shared)); got != text {
					t.Errorf("%s: got %q, want %q", test.name, got, text)
				}
				messy := text + "A-.\r\xff"
				if got, want := r.Replace(messy), naive(test.table, messy); got != want {
					t.Errorf("%s: got %q, want %q", test.name, got, want)
				}
			})
		}
	}
	wg.Wait()
}

func TestAllocs(t *testing.T) {
	for _, test := range testTables() {
		r := newReplacer(test.table)
		for _, size := range []int{1, 16, 64, 65, 1000, 10_000} {
			for _, text := range testTexts(rand.New(rand.NewPCG(3, 9)), size) {
				result := naive(test.table, text)
				var want float64
				switch {
				case result == text, result == "", size <= shortLen && len(result) == 1:
					want = 0 // the runtime has the strings of one byte
				case size > shortLen && len(result) < size/2:
					want = 2
				default:
					want = 1
				}
				got := testing.AllocsPerRun(10, func() { r.Replace(text) })
				if got != want {
					t.Errorf("%s: Replace of %s: got %v allocations, want %v", test.name, short(text), got, want)
				}
				buf, src := make([]byte, 0, size), []byte(text)
				if got := testing.AllocsPerRun(10, func() {
					r.AppendReplace(buf, text)
					r.AppendReplaceBytes(buf, src)
					r.ReplaceInPlace(buf[:size])
				}); got != 0 {
					t.Errorf("%s: with a buffer for %s: got %v allocations, want 0", test.name, short(text), got)
				}
			}
		}
	}
}
