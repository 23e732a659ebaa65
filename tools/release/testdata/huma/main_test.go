package main

import (
	"net/http/httptest"
	"strings"
	"testing"
)

func TestNumbers(t *testing.T) {
	w := httptest.NewRecorder()
	newMux().ServeHTTP(w, httptest.NewRequest("GET", "/numbers/7", nil))
	if got, want := w.Body.String(), `"id":7`; !strings.Contains(got, want) {
		t.Errorf("got %s, want %s in it", got, want)
	}
}
