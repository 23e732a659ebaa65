package load

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/muxwell/muxwell/similarity/score"
)

// TestLiterals: package encoding/json reads the texts from them, and those of messy
// texts have escapes of all kinds.
func TestLiterals(t *testing.T) {
	for _, kind := range kinds {
		texts, literals := Texts(kind, 200, TextSize, 3), Literals(kind, 200, TextSize, 3)
		for i, text := range texts {
			var got string
			if err := json.Unmarshal(literals[i], &got); err != nil || got != text {
				t.Fatalf("%v: text %d does not come back: %v\n%.200q\n%.200q", kind, i, err, got, text)
			}
		}
		all := string(bytes.Join(literals, nil))
		for _, escape := range []string{`\"`, `\\`, `\/`, `\b`, `\f`, `\n`, `\r`, `\t`, `\u0001`, `\u000b`, `\u20`, `\uD83D\uDE00`, `\ud83d\ude00`} {
			if got, want := strings.Contains(all, escape), kind == Messy; got != want {
				t.Errorf("%v: escapes %s: %v, want %v", kind, escape, got, want)
			}
		}
	}
}

// TestPairs: all pairs in all orders, none twice, and no text comes again soon.
func TestPairs(t *testing.T) {
	for _, n := range []int{2, 4, 6, 20, TextCount} {
		known, last := make([]int, n*n), make([]int, n) // the request after the last one, or 0
		for k := range n * (n - 1) {
			i, j := Pair(k, n)
			if i == j || min(i, j) < 0 || max(i, j) >= n {
				t.Fatalf("Pair(%d, %d) = %d, %d", k, n, i, j)
			}
			if before := known[i*n+j]; before > 0 {
				t.Fatalf("of %d texts, requests %d and %d have the same: %d, %d", n, before-1, k, i, j)
			}
			known[i*n+j] = k + 1
			for _, text := range []int{i, j} {
				if before := last[text]; before > 0 && k-(before-1) < n/2-1 {
					t.Fatalf("of %d texts, requests %d and %d have text %d", n, before-1, k, text)
				}
				last[text] = k + 1
			}
			if back := n * (n - 1) / 2; k >= back {
				if jj, ii := Pair(k-back, n); ii != i || jj != j {
					t.Fatalf("Pair(%d, %d) = %d, %d, want %d, %d", k, n, i, j, ii, jj)
				}
			}
		}
		i, j := Pair(n*(n-1), n)
		if ii, jj := Pair(0, n); i != ii || j != jj {
			t.Errorf("of %d texts, the schedule does not begin anew: %d, %d, want %d, %d", n, i, j, ii, jj)
		}
	}
}

// TestBodies: they are distinct JSON of the texts that Pair names, and what they have
// in common is little to much.
func TestBodies(t *testing.T) {
	if testing.Short() {
		t.Skip("it makes 10 MB of texts four times")
	}
	const n = 150
	for _, kind := range kinds {
		texts, bodies := Texts(kind, TextCount, TextSize, 1), Bodies(kind, n, 1)
		known, interpretations := map[string]bool{}, map[string]int{}
		for k, body := range bodies {
			var got struct{ Text1, Text2 string }
			d := json.NewDecoder(bytes.NewReader(body))
			d.DisallowUnknownFields()
			i, j := Pair(k, TextCount)
			if err := d.Decode(&got); err != nil || got.Text1 != texts[i] || got.Text2 != texts[j] {
				t.Fatalf("%v: body %d has not the texts %d and %d: %v", kind, k, i, j, err)
			}
			known[string(body)] = true
			interpretations[score.Compare([]byte(got.Text1), []byte(got.Text2), score.ASCII).Interpretation()]++
		}
		if len(known) != n {
			t.Errorf("%v: %d distinct bodies, want %d", kind, len(known), n)
		}
		if len(interpretations) != 5 {
			t.Errorf("%v: the similarities are too much alike: %v", kind, interpretations)
		}
		t.Logf("%v: %v", kind, interpretations)
	}
}

// TestTooManyBodies: their number is checked before any is made.
func TestTooManyBodies(t *testing.T) {
	for _, n := range []int{-1, MaxBodies + 1} {
		func() {
			defer func() {
				if s, _ := recover().(string); !strings.Contains(s, "must be from 0 to 999000") {
					t.Errorf("%d bodies: it panics with %q", n, s)
				}
			}()
			Bodies(Plain, n, 1)
			t.Errorf("%d bodies are made", n)
		}()
	}
}

// BenchmarkBodies has the time of the texts in it.
func BenchmarkBodies(b *testing.B) {
	for _, kind := range kinds {
		b.Run("kind="+kind.String(), func(b *testing.B) {
			for b.Loop() {
				Bodies(kind, 200, 1)
			}
		})
	}
}
