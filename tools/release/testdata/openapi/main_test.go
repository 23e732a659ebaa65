package main

import (
	"net/http/httptest"
	"testing"

	"github.com/muxwell/muxwell/openapi"
)

func TestUsers(t *testing.T) {
	m, spec, err := newMux()
	if err != nil {
		t.Fatal(err)
	}
	openapi.Check(t, m, spec)
	for path, want := range map[string]int{"/users/7": 200, "/users/x": 400} {
		w := httptest.NewRecorder()
		if m.ServeHTTP(w, httptest.NewRequest("GET", path, nil)); w.Code != want {
			t.Errorf("%s: got %d %s, want %d", path, w.Code, w.Body, want)
		}
	}
}
