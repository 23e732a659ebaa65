package main

import (
	"encoding/json"
	"errors"
	"flag"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/muxwell/muxwell/similarity/load"
)

// TestQuestion: right answers in whatever form, and wrong ones.
func TestQuestion(t *testing.T) {
	for _, c := range []struct {
		body, answer string
		ok           bool
	}{
		{`{"text1":"a b","text2":"a c"}`, `{"similarity":0.352,"interpretation":"Slightly Similar"}`, true},
		{`{"text1":"a b","text2":"a c"}`, " {\"interpretation\" : \"Slightly Similar\", \"similarity\" : 3.52e-1 }\n", true},
		{`{"text1":"a","text2":"a"}`, `{"similarity":1.0,"interpretation":"Highly Similar"}`, true},
		{`{"text1":"a b","text2":"a c"}`, `{"similarity":0.353,"interpretation":"Slightly Similar"}`, false},
		{`{"text1":"a b","text2":"a c"}`, `{"similarity":0.352,"interpretation":"Dissimilar"}`, false},
		{`{"text1":"a b","text2":"a c"}`, `{"similarity":0.352}`, false},
		{`{"text1":"a b","text2":"a c"}`, `{"similarity":"0.352","interpretation":"Slightly Similar"}`, false},
		{`{"text1":"a b","text2":"a c"}`, `{"similarity":0.352,"interpretation":"Slightly Similar","more":1}`, false},
		{`{"text1":"a b","text2":"a c"}`, ``, false},
		{half, `{"similarity":0.688,"interpretation":"Quite Similar"}`, true},
		{half, `{"similarity":0.687,"interpretation":"Quite Similar"}`, true},
		{half, `{"similarity":0.686,"interpretation":"Quite Similar"}`, false},
	} {
		all, err := questions([][]byte{[]byte(c.body)})
		if err != nil {
			t.Fatal(err)
		}
		if err := all[0].check([]byte(c.answer)); (err == nil) != c.ok {
			t.Errorf("%.50s: %s: error %v", c.body, c.answer, err)
		}
	}
}

// half has the counts (1, 1, 1, 2, 3) and (3, 2, 1, 1, 1): the cosine is 11/16, 687.5
// thousandths.
const half = `{"text1":"a b c d d e e e","text2":"a a a b b c d e"}`

var everyBuild = flag.Bool("every-build", false, "TestServices builds the service without assembly and those in Rust, too")

// TestServices: the services there are agree with package score on random texts. It
// builds them.
func TestServices(t *testing.T) {
	if testing.Short() {
		t.Skip("builds take long")
	}
	all, err := questions(randomBodies(1000))
	if err != nil {
		t.Fatal(err)
	}
	b, err := newBuilder(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range allServices {
		if rust := s.build.profile != ""; (rust || len(s.build.env) > 0) && !*everyBuild {
			continue
		}
		if s.build.profile != "" {
			s.build.profile = "answers" // built faster; the answers are the same
		}
		t.Run(s.name, func(t *testing.T) {
			program, err := b.build(t.Context(), s)
			if errors.Is(err, errSkipped) {
				t.Skip(err)
			}
			if err != nil {
				t.Fatal(err)
			}
			c := contender{service: s, program: program}
			if _, err := c.check(t.Context(), all); err != nil {
				t.Error(err)
			}
		})
	}
}

// randomBodies returns bodies of short random texts, of texts as the load has them, and
// the cases.
func randomBodies(n int) [][]byte {
	rng := rand.New(rand.NewPCG(1, 2))
	pieces := append(strings.Split("a b C the The WORD x_1 42 longerThanSixteenBytes LONGERTHANSIXTEENBYTES . , ' \" \\ é Ж K İ İ Σ ẞ 😀", " "),
		" ", " ", " ", "  ", "\t", "\n", "\r\n", "\f", "\v", "\x00", "\x7f", "\u00a0", "\u2003")
	text := func() string {
		var b strings.Builder
		for range rng.IntN(80) {
			b.WriteString(pieces[rng.IntN(len(pieces))])
		}
		return b.String()
	}
	bodies := load.Bodies(load.Messy, 20, 2)
	for _, c := range cases {
		bodies = append(bodies, []byte(c))
	}
	for range n {
		body, err := json.Marshal(map[string]string{"text1": text(), "text2": text()})
		if err != nil {
			panic(err) // strings are always JSON
		}
		bodies = append(bodies, body)
	}
	return bodies
}
