package router

import (
	"io"
	"net/http/httptest"
	"slices"
	"testing"
)

// values is what a router hands to handlers.
type given map[string]string

func (g given) get(name string) string { return g[name] }

func TestDo(t *testing.T) {
	c := given{"x": "1", "rest": "/a b/c"}
	tests := []struct {
		work Work
		want string
	}{
		{Work{Task: Nothing, Names: []string{"x"}}, ""},
		{Work{Task: Write, Names: []string{"x", "rest"}}, "1"},
		{Work{Task: ReadAll, Names: []string{"x", "rest"}}, ""},
		{Work{Task: Answer, Route: 7}, "7"},
		{Work{Task: Answer, Route: 7, Names: []string{"x", "rest"}}, `7 "1" "/a b/c"`},
		{Work{Task: Answer, Route: 7, Names: []string{"x", "rest"}, TrimSlash: true}, `7 "1" "a b/c"`},
		{Work{Task: Answer, Route: 7, TrimSlash: true}, "7"},
		{Work{Task: Keep, Route: 7, Names: []string{"x"}, kept: new(Kept)}, `7 "1"`},
	}
	for _, tt := range tests {
		w := httptest.NewRecorder()
		Do(&tt.work, w, c, given.get)
		if got := w.Body.String(); got != tt.want {
			t.Errorf("%+v wrote %q, want %q", tt.work, got, tt.want)
		}
	}
}

func TestDoAllocatesNothing(t *testing.T) {
	c := given{"x": "1"}
	for _, task := range []Task{Nothing, Write, ReadAll} {
		work := &Work{Task: task, Names: []string{"x"}}
		if n := testing.AllocsPerRun(100, func() { Do(work, io.Discard, c, given.get) }); n != 0 {
			t.Errorf("task %d allocates %v times, want 0", task, n)
		}
	}
}

func TestKept(t *testing.T) {
	work := &Work{Task: Keep, Names: []string{"x"}, kept: new(Kept)}
	c := given{"x": "1"}
	Do(work, io.Discard, c, given.get)
	c["x"] = "2" // as a router that uses the map for the next request
	Do(work, io.Discard, c, given.get)
	if n := work.kept.Len(); n != 2 {
		t.Fatalf("%d requests were kept, want 2", n)
	}
	if got := work.kept.Values(0); !slices.Equal(got, []string{"1"}) {
		t.Errorf("Values(0) = %q, want 1", got)
	}
	if got := work.kept.Again(0); !slices.Equal(got, []string{"2"}) {
		t.Errorf("Again(0) = %q, want 2", got)
	}
}
