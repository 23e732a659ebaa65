package middleware

import (
	"net/http"
	"strings"
	"testing"

	"github.com/muxwell/muxwell"
)

func TestMetrics(t *testing.T) {
	var got []Measure
	m := muxwell.New()
	m.Get("/users/{id}", says("hello"))
	m.Get("/panic", func(http.ResponseWriter, *http.Request) { panic("a") })
	h := Metrics(func(m Measure) { m.Duration = 0; got = append(got, m) })(m)
	for _, request := range []string{"GET /users/7", "HEAD /users/7", "BREW /users/7", "get /none", "GET /panic"} {
		method, target, _ := strings.Cut(request, " ")
		recovered(func() { answer(h, newRequest(method, target)) })
	}
	want := []Measure{
		{Method: "GET", Pattern: "GET /users/{id}", Status: 200, Bytes: 5},
		{Method: "HEAD", Pattern: "GET /users/{id}", Status: 200, Bytes: 5},
		{Method: "OTHER", Status: 405, Bytes: 19},
		{Method: "OTHER", Status: 404, Bytes: 19},
		{Method: "GET", Pattern: "GET /panic", Aborted: true},
	}
	if len(got) != len(want) {
		t.Fatalf("got %+v", got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("got  %+v\nwant %+v", got[i], want[i])
		}
	}
	checkPanics(t, map[string]func(){"middleware: Metrics: nil function; pass one that records the measurements": func() { Metrics(nil) }})
}
