package bytereplace

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"
)

// The rows compare Replace and AppendReplace with strings.Replacer of the same
// pairs, and with the loop that one writes by hand:
//
//	go test -run - -bench . -cpu 1 -count 10 . | tee new.txt
//	go tool benchstat -col /impl new.txt
//
// The tables: lower (A-Z to a-z), words (lower case, all deleted but \w and \s,
// white space to spaces), cr (carriage returns deleted), spaces (\t\n\f\r to
// spaces). The texts, of 10 KB but for short: prose in lines, messy (any bytes,
// half of them letters, spaces and punctuation), clean (nothing changes), gone
// (all is deleted), short (16 bytes).

type benchRow struct {
	name  string
	table *table
	text  string
}

func benchRows() []benchRow {
	const size = 10 << 10
	lower, words := tableOf(LowerASCII()), tableOf(LowerASCII(), Keep(`\w\s`), Map(`\s`, " "))
	cr, spaces := tableOf(Delete(`\r`)), tableOf(Map(`\t\n\f\r`, " "))
	src := rand.New(rand.NewPCG(4, 9))

	vocabulary := strings.Fields("the router takes a request, finds its route and calls what handles it; " +
		"most of the words are in lower case. Some begin with a Capital (like This one), others are Names: GitHub, HTTP, x_1.")
	var prose strings.Builder
	for line := 0; prose.Len() < size; {
		word := vocabulary[src.IntN(len(vocabulary))]
		prose.WriteString(word)
		if line += len(word) + 1; line > 70 {
			prose.WriteString("\r\n")
			line = 0
		} else {
			prose.WriteByte(' ')
		}
	}
	messy := make([]byte, size)
	for i := range messy {
		messy[i] = byte(src.IntN(256))
		if src.IntN(2) == 0 {
			messy[i] = "aBcDeF-g,H.\r\n \tI"[src.IntN(16)]
		}
	}
	text := prose.String()[:size]
	clean := naive(words, text)
	clean = strings.Repeat(clean, 2)[:size]
	return []benchRow{
		{"table=lower/text=prose", lower, text},
		{"table=lower/text=messy", lower, string(messy)},
		{"table=lower/text=clean", lower, clean},
		{"table=lower/text=short", lower, "Content-Encoding"},
		{"table=words/text=prose", words, text},
		{"table=words/text=messy", words, string(messy)},
		{"table=words/text=clean", words, clean},
		{"table=words/text=gone", words, strings.Repeat(".,:;", size/4)},
		{"table=words/text=short", words, "Content-Encoding"},
		{"table=cr/text=prose", cr, text},
		{"table=cr/text=messy", cr, string(messy)},
		{"table=cr/text=clean", cr, clean},
		{"table=cr/text=gone", cr, strings.Repeat("\r", size)},
		{"table=cr/text=short", cr, "Content-Length\r\n"},
		{"table=spaces/text=prose", spaces, text},
		{"table=spaces/text=messy", spaces, string(messy)},
		{"table=spaces/text=clean", spaces, clean},
		{"table=spaces/text=short", spaces, "Content-Length\r\n"},
	}
}

// byHand is the loop over a table, with a buffer of its own.
func byHand(t *table, dst []byte, s string) []byte {
	for i := range len(s) {
		if to := t[s[i]]; to >= 0 {
			dst = append(dst, byte(to))
		}
	}
	return dst
}

func BenchmarkReplace(b *testing.B) {
	for _, row := range benchRows() {
		ours, std := newReplacer(row.table), strings.NewReplacer(pairsOf(row.table)...)
		for _, impl := range []struct {
			name    string
			replace func(string) string
		}{
			{"bytereplace", ours.Replace},
			{"strings.Replacer", std.Replace},
			{"naive", func(s string) string { return string(byHand(row.table, make([]byte, 0, len(s)), s)) }},
		} {
			b.Run(row.name+"/impl="+impl.name, func(b *testing.B) {
				if got, want := impl.replace(row.text), naive(row.table, row.text); got != want {
					b.Fatalf("got %s, want %s", short(got), short(want))
				}
				b.SetBytes(int64(len(row.text)))
				b.ReportAllocs()
				for b.Loop() {
					impl.replace(row.text)
				}
			})
		}
	}
}

// BenchmarkAppend writes to memory that is there.
func BenchmarkAppend(b *testing.B) {
	for _, row := range benchRows() {
		ours, std := newReplacer(row.table), strings.NewReplacer(pairsOf(row.table)...)
		buf := make([]byte, 0, len(row.text))
		for _, impl := range []struct {
			name    string
			replace func(string) []byte
		}{
			{"bytereplace", func(s string) []byte { return ours.AppendReplace(buf[:0], s) }},
			{"strings.Replacer", func(s string) []byte {
				w := bytes.NewBuffer(buf[:0])
				_, _ = std.WriteString(w, s) // a Buffer returns no error
				return w.Bytes()
			}},
			{"naive", func(s string) []byte { return byHand(row.table, buf[:0], s) }},
		} {
			b.Run(row.name+"/impl="+impl.name, func(b *testing.B) {
				if got, want := string(impl.replace(row.text)), naive(row.table, row.text); got != want {
					b.Fatalf("got %s, want %s", short(got), short(want))
				}
				b.SetBytes(int64(len(row.text)))
				b.ReportAllocs()
				for b.Loop() {
					impl.replace(row.text)
				}
			})
		}
	}
}
