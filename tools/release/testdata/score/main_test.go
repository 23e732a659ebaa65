package main

import (
	"strings"
	"testing"
)

func TestAnswer(t *testing.T) {
	if got, want := answer(`{"text1":"a b","text2":"a c"}`), `"similarity":0.352`; !strings.Contains(got, want) {
		t.Errorf("got %s, want %s in it", got, want)
	}
}
