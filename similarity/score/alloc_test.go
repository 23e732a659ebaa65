//go:build !race

package score

import (
	"bytes"
	"strings"
	"testing"
)

// TestAllocations: a request costs none. Under the race detector pools drop what they
// are given now and then.
func TestAllocations(t *testing.T) {
	body := []byte(`{"text1":"` + strings.ReplaceAll(prose(10_000, 1, true), "\n", `\n`) + `","text2":"a\u00e9 b"}`)
	body = bytes.ReplaceAll(body, []byte("\t"), []byte(`\t`))
	work, dst := make([]byte, len(body)), make([]byte, 0, 100)
	if n := testing.AllocsPerRun(100, func() {
		copy(work, body)
		if _, err := AppendAnswer(dst, work, ASCII); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestAllocationsUnicode: a text costs one if it is not in Normalization Form C.
func TestAllocationsUnicode(t *testing.T) {
	word := []byte("a")
	for text, want := range map[string]float64{"über die Straße": 0, "u\u0308ber die Straße": 1, "में हैं": 0, "schön 😀": 0} {
		long := bytes.Repeat([]byte(text+" "), 100)
		if n := testing.AllocsPerRun(100, func() { Compare(long, word, Unicode) }); n != want {
			t.Errorf("%+q: %v allocations, want %v", text, n, want)
		}
	}
}
