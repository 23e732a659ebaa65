package urlpath

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
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

// TestEscaped compares Escaped with net/url for each byte, raw and escaped.
func TestEscaped(t *testing.T) {
	for c := range 256 {
		for _, path := range []string{"/" + string([]byte{byte(c)}), "/a"} {
			for _, raw := range []string{"", "/" + string([]byte{byte(c)}), fmt.Sprintf("/%%%02x", c), fmt.Sprintf("/%%%02X", c), fmt.Sprintf("/%%%X", c), "/%" + string([]byte{byte(c)}) + "1"} {
				checkEscaped(t, path, raw)
			}
		}
	}
	// All that a path may have is found without a copy.
	u := &url.URL{Path: "/a/b-._~!$&'()*+,;=:@[]Z9 ü", RawPath: "/a%2Fb-._~!$&'()*+,;=:@[]Z9%20%C3%BC"}
	if n := testing.AllocsPerRun(10, func() { Escaped(u) }); n != 0 {
		t.Errorf("%v allocations, want none", n)
	}
}

func checkEscaped(t *testing.T, path, raw string) {
	t.Helper()
	u := &url.URL{Path: path, RawPath: raw}
	want := u.EscapedPath()
	if got := Escaped(u); got != want {
		t.Errorf("Escaped of %q, sent as %q: %q, want %q", path, raw, got, want)
	}
	slashes := raw != "" && raw == want
	for segment := range strings.SplitSeq(raw, "/") {
		if strings.Contains(segment, "%") && !strings.Contains(strings.ToUpper(segment), "%2F") {
			slashes = false
		}
	}
	if got, ok := EscapedSlashes(u); ok != slashes || ok && got != raw {
		t.Errorf("EscapedSlashes of %q, sent as %q: %q, %t, want %t", path, raw, got, ok, slashes)
	}
}

func FuzzEscaped(f *testing.F) {
	f.Add("/a/b", "/a%2Fb")
	f.Add("/%", "/%")
	f.Add("*", "")
	f.Fuzz(func(t *testing.T, path, raw string) {
		checkEscaped(t, path, raw)
		if path, err := url.PathUnescape(raw); err == nil { // what a server makes of it
			checkEscaped(t, path, raw)
		}
	})
}
