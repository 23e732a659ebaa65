package mediatype

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// naiveQuality is the naive reference for Quality: every range that covers a type, with
// what it counts by, sorted.
func naiveQuality(lines, types []string) int {
	var ranges []naiveMedia
	for _, line := range lines {
		for _, element := range naiveElements(line) {
			if m, ok := newNaiveMedia(element); ok {
				ranges = append(ranges, m)
			}
		}
	}
	if len(ranges) == 0 {
		return 1000
	}
	best := 0
	for _, text := range types {
		offer, _ := newNaiveMedia(text)
		var covering [][3]int // specificity of the name, parameters, weight
		for _, m := range ranges {
			if level := naiveLevel(m, offer); level > 0 && m.within(offer) {
				covering = append(covering, [3]int{level, len(m.params), m.weight})
			}
		}
		slices.SortFunc(covering, func(a, b [3]int) int { return slices.Compare(a[:], b[:]) })
		if n := len(covering); n > 0 {
			best = max(best, covering[n-1][2])
		}
	}
	return best
}

func naiveLevel(m, offer naiveMedia) int {
	base, format, _ := strings.Cut(m.sub, "+")
	switch {
	case m.main == offer.main && m.sub == offer.sub:
		return 4
	case m.main == offer.main && base == offer.sub && format != "" && !strings.Contains(format, "+") && strings.HasPrefix(base, "vnd."):
		return 3
	case m.main == offer.main && m.sub == "*":
		return 2
	case m.main == "*":
		return 1
	}
	return 0
}

func checkAccept(t *testing.T, lines, types []string) int {
	t.Helper()
	var parsed []Type
	for _, text := range types {
		typ, reason := Parse(text)
		if reason != "" {
			t.Fatal(reason)
		}
		parsed = append(parsed, typ)
	}
	want := naiveQuality(lines, types)
	if got := Quality(lines, parsed); got != want {
		t.Errorf("Accept %.200q of %q: got %d, want %d", lines, types, got, want)
	}
	if got := ParseRanges(lines).Quality(parsed); got != want {
		t.Errorf("Accept %.200q of %q, parsed: got %d, want %d", lines, types, got, want)
	}
	return want
}

// acceptTypes are types for generated headers.
var acceptTypes = [][]string{
	{"a/b"}, {"a/b", "a/c"}, {"a/b;x=1"}, {"a/b;x=1;y=2"}, {"a/vnd.b"}, {"a/vnd.b+c", "b/a"}, {`a/b;x="1,\"2"`}, {"a/b;charset=c"},
}

// TestAcceptIsNaive compares Quality with its naive reference on generated headers.
func TestAcceptIsNaive(t *testing.T) {
	src := rand.New(rand.NewPCG(5, 6))
	names := []string{"a/b", "a/b", "A/B", "a/c", "a/*", "*/*", "*", "b/a", "a/vnd.b", "a/vnd.b+c", "a/vnd.b+c+d", "a", "a/", "*/b"}
	params := []string{";x=1", ";x=2", ` ; X="1"`, `;x="\1"`, `;x="1,\"2"`, ";y=2", ";charset=C", ";q=0", "; q=0.5", ";q=.25", ";q=1", ";q=2", ";", ";x", `;x="`, " "}
	counts := map[bool]int{}
	for range 100_000 {
		var lines []string
		for range src.IntN(3) {
			var elements []string
			for range src.IntN(4) {
				element := names[src.IntN(len(names))]
				for range src.IntN(3) {
					element += params[src.IntN(len(params))]
				}
				elements = append(elements, element)
			}
			lines = append(lines, strings.Join(elements, [...]string{",", ", "}[src.IntN(2)]))
		}
		counts[checkAccept(t, lines, acceptTypes[src.IntN(len(acceptTypes))]) > 0]++
	}
	if counts[true] < 10_000 || counts[false] < 10_000 {
		t.Errorf("unbalanced: %v", counts)
	}
}

func FuzzAccept(f *testing.F) {
	f.Add("a/b;x=1;q=0.5, a/*", "*/*;q=0.1", byte(2))
	f.Add(`a/b;x="1,\"2";q=1`, "", byte(6))
	f.Add("*; q=.2, a/vnd.b+c", "a", byte(4))
	f.Add(strings.Repeat(",", 253)+"a/b", "a/c;q=0.5", byte(1))
	f.Add(strings.Repeat(",", 254)+"a/b", "a/c;q=0.5", byte(1))
	f.Add(strings.Repeat(" ", 4090)+"a/b", "b/a", byte(5))
	f.Add(strings.Repeat(" ", 4091)+"a/b", "b/a", byte(5))
	f.Fuzz(func(t *testing.T, line, line2 string, i byte) {
		checkAccept(t, []string{line, line2}, acceptTypes[int(i)%len(acceptTypes)])
	})
}

// naiveContentType is the naive reference for Contains.
func naiveContentType(option, value string) bool {
	want, _ := newNaiveMedia(strings.Trim(option, " \t"))
	got, ok := newNaiveMedia(strings.Trim(value, " \t"))
	if !ok || got.sub == "*" || got.main != want.main || want.sub != "*" && got.sub != want.sub {
		return false
	}
	for name := range want.params {
		if v, ok := got.params[name]; !ok || got.twice[name] || !sameParam(name, v, want.params[name]) {
			return false
		}
	}
	return true
}

func FuzzContentType(f *testing.F) {
	f.Add("text/csv; header=present", "Text/CSV;a=b; HEADER=\"present\"")
	f.Add("text/*", "text/html;charset=utf-8")
	f.Add("text/csv;charset=x;y=\"\\\"\"", "text/csv;;charset=X;y=\"\\\"\";y=z")
	f.Add("text/csv", "text/*")
	f.Fuzz(func(t *testing.T, option, value string) {
		typ, reason := Parse(option)
		if reason != "" || strings.Contains(typ.Main, "*") || typ.Sub != "*" && strings.Contains(typ.Sub, "*") {
			return // no option has it
		}
		if got, want := Contains([]Type{typ}, strings.Trim(value, " \t")), naiveContentType(option, value); got != want {
			t.Errorf("%q of %q: got %t, want %t", option, value, got, want)
		}
	})
}

// TestQualityAllocs: reading a header allocates nothing, whatever it holds.
func TestQualityAllocs(t *testing.T) {
	types := make([]Type, 2)
	for i, text := range []string{"a/b;x=1", "c/d"} {
		types[i], _ = Parse(text)
	}
	for _, part := range []string{",", "a/b,", "a/b;x=1;", `"`, `",`, `\`, ";", " ", "a", "a/b;x=\"", "*/*;q=0.1,", "a/b;q=1;"} {
		lines := []string{strings.Repeat(part, 1<<12/len(part))}
		if got := testing.AllocsPerRun(5, func() { Quality(lines, types) }); got != 0 {
			t.Errorf("%q, repeated: %v allocations, want 0", part, got)
		}
	}
}
