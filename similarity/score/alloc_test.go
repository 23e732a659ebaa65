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
