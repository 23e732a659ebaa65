package score

import (
	"math/rand/v2"
	"strings"
	"testing"
)

func checkWords(t *testing.T, text string) {
	t.Helper()
	got, want := string(AppendWords([]byte("> "), []byte(text))), "> "+strings.Join(referenceWords(text, ASCII), " ")
	if got != want {
		t.Fatalf("%q: %q, want %q", text, got, want)
	}
}

// TestAppendWords compares the words with those of the reference.
func TestAppendWords(t *testing.T) {
	for _, text := range []string{"", " ", "a", " A\t\nb ", "don't STOP_", "\u212a\u0130 \u00e9", "...", "Z[a@{`z"} {
		checkWords(t, text)
	}
	rng := rand.New(rand.NewPCG(11, 12))
	for i := range 3000 {
		size := 30
		if i%100 == 0 {
			size = 3000
		}
		checkWords(t, randomText(rng, size))
	}
}
