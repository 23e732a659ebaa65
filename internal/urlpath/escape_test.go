package urlpath

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

func TestEscapeControls(t *testing.T) {
	for query, want := range map[string]string{
		"":              "",
		"a=b&c=%0a é":   "a=b&c=%0a é",
		"a\r\nb":        "a%0D%0Ab",
		"\x00\x1f \x7f": "%00%1F %7F",
		"\n\xff\u0080":  "%0A\xff\u0080",
	} {
		if got := EscapeControls(query); got != want {
			t.Errorf("EscapeControls(%q) = %q, want %q", query, got, want)
		}
	}
}

// TestEscapeNonASCII compares it with http.Redirect, for each byte.
func TestEscapeNonASCII(t *testing.T) {
	for c := range 256 {
		location := "/a" + string([]byte{byte(c)}) + "b?é"
		w := httptest.NewRecorder()
		http.Redirect(w, httptest.NewRequest("GET", "/", nil), location, http.StatusFound)
		if got, want := EscapeNonASCII(location), w.Header().Get("Location"); got != want {
			t.Errorf("EscapeNonASCII(%q) = %q, want %q", location, got, want)
		}
	}
}
