package original

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/muxwell/muxwell/similarity/load"
	"github.com/muxwell/muxwell/similarity/score"
)

// pieces are what random texts are made of.
var pieces = []string{
	"a", "b", "C", "the", "The", "word", "WORD", "x_1", "42", strings.Repeat("long", 9), strings.Repeat("LONG", 9),
	" ", " ", " ", "  ", "\t", "\n", "\r\n", "\f", "\v", "\x00", "\x7f", ".", ",", "'", "-", "\"", "\\", "/", "`", "~",
	"\u00e9", "\u00c9", "\u0416", "\u212a", "\u0130", "\u00a0", "\u2003", "\u0661", "\U0001f600", "\ufffd", "\u03a3", "\u1e9e",
}

func randomText(rng *rand.Rand) string {
	var b strings.Builder
	for range rng.IntN(60) {
		b.WriteString(pieces[rng.IntN(len(pieces))])
	}
	return b.String()
}

// TestScore: all pipelines say of random texts what package score says, but where the
// similarity is a half thousandth that sums of floats may miss.
func TestScore(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	middle := 0
	for range 3_000 {
		text1, text2 := randomText(rng), randomText(rng)
		want := score.Compare([]byte(text1), []byte(text2), score.ASCII)
		for _, p := range []Pipeline{Regexp, Replacer, ByteReplace} {
			got := p.Similarity(text1, text2)
			if _, part := math.Modf(1000 * p.Cosine(text1, text2)); math.Abs(part-0.5) < 1e-6 {
				continue
			}
			if got != want.Similarity() || Interpretation(got) != want.Interpretation() {
				t.Fatalf("%v: %q, %q: %v %s, want %v %s", p, text1, text2, got, Interpretation(got), want.Similarity(), want.Interpretation())
			}
		}
		if want.Thousandths > 0 && want.Thousandths < 1000 {
			middle++
		}
	}
	if middle < 500 {
		t.Errorf("only %d similarities are neither 0 nor 1", middle)
	}
}

func TestParsePipeline(t *testing.T) {
	for _, p := range []Pipeline{Regexp, Replacer, ByteReplace} {
		if got, err := ParsePipeline(p.String()); got != p || err != nil {
			t.Errorf("%q: %v, %v", p.String(), got, err)
		}
	}
	if _, err := ParsePipeline("pcre"); err == nil || !strings.Contains(err.Error(), "regexp, replacer, bytereplace") {
		t.Errorf("pcre: %v", err)
	}
}

func TestHandler(t *testing.T) {
	server := httptest.NewServer(Regexp.Handler())
	defer server.Close()
	for _, c := range []struct {
		method, path, body string
		status             int
		want               string
	}{
		{"POST", "/similarity", `{"text1":"a b","text2":"a c"}`, 200, `{"similarity":0.352,"interpretation":"Slightly Similar"}`},
		{"POST", "/similarity", `{"text1":"","text2":""}`, 200, `{"similarity":1,"interpretation":"Highly Similar"}`},
		{"POST", "/similarity", `{"text1":"a"}`, 400, "text1 and text2"},
		{"POST", "/similarity", `{"text1":"a"`, 400, "text1 and text2"},
		{"POST", "/similarity", "", 400, "text1 and text2"},
		{"GET", "/similarity", "", 405, ""},
		{"POST", "/", "{}", 404, ""},
	} {
		status, body := ask(t, c.method, server.URL+c.path, c.body)
		if status != c.status || !strings.Contains(body, c.want) {
			t.Errorf("%s %s %s: %d %s, want %d %s", c.method, c.path, c.body, status, body, c.status, c.want)
		}
	}
}

// ask sends a request and returns the answer.
func ask(t *testing.T, method, url, body string) (status int, answer string) {
	t.Helper()
	request, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	all, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(all)
}

// BenchmarkAnswer goes from the body of a request to that of its answer, with texts of
// 10,000 characters; no body follows itself.
//
//	go test -run - -bench Answer -cpu 1 -count 10 ./original
func BenchmarkAnswer(b *testing.B) {
	for _, kind := range []load.Kind{load.Plain, load.Messy} {
		bodies := load.Bodies(kind, 256, 1)
		for _, p := range []Pipeline{Regexp, Replacer, ByteReplace} {
			b.Run(fmt.Sprintf("text=%v/pipeline=%v", kind, p), func(b *testing.B) {
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					var in request
					if err := json.Unmarshal(bodies[i%len(bodies)], &in); err != nil {
						b.Fatal(err)
					}
					similarity := p.Similarity(*in.Text1, *in.Text2)
					if _, err := json.Marshal(answer{similarity, Interpretation(similarity)}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
		name := "muxwell"
		if score.Instructions() == "generic" {
			name = "muxwell-purego"
		}
		b.Run(fmt.Sprintf("text=%v/pipeline=%s", kind, name), func(b *testing.B) {
			b.ReportAllocs()
			var body, out []byte
			for i := 0; b.Loop(); i++ {
				body = append(body[:0], bodies[i%len(bodies)]...) // which is changed
				var err error
				if out, err = score.AppendAnswer(out[:0], body, score.ASCII); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
