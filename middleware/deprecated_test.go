package middleware

import (
	"net/http"
	"testing"
	"time"
)

func TestDeprecated(t *testing.T) {
	since := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	sunset := time.Date(2026, 12, 31, 1, 0, 0, 0, time.FixedZone("CET", 3600))
	for _, row := range []struct {
		options *DeprecatedOptions
		want    string
	}{
		{nil, "Deprecation: @1767225600"},
		{&DeprecatedOptions{Sunset: sunset}, "Deprecation: @1767225600\nSunset: Thu, 31 Dec 2026 00:00:00 GMT"},
		{
			&DeprecatedOptions{Info: "https://example.com/v1", SunsetInfo: "/sunset", Successor: "/v2?a=%3E"},
			"Deprecation: @1767225600\nLink: <https://example.com/v1>; rel=\"deprecation\"; type=\"text/html\" | " +
				"</sunset>; rel=\"sunset\"; type=\"text/html\" | </v2?a=%3E>; rel=\"successor-version\"",
		},
	} {
		if got := headersOf(answer(Deprecated(since, row.options)(says("")), newRequest("GET", "/")).Header()); got != row.want {
			t.Errorf("got\n%s\nwant\n%s", got, row.want)
		}
	}
	// Links of others stay, and a handler may add more without changing the next
	// response.
	h := Deprecated(since, &DeprecatedOptions{Info: "/a"})(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Add("Link", "</b>")
		w.Header()["Link"][0] += "!"
	}))
	for range 2 {
		if got, want := headersOf(answer(h, newRequest("GET", "/")).Header()), "Deprecation: @1767225600\nLink: </a>; rel=\"deprecation\"; type=\"text/html\"! | </b>"; got != want {
			t.Errorf("got %s", got)
		}
	}
}

func TestDeprecatedPanics(t *testing.T) {
	since := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	checkPanics(t, map[string]func(){
		"middleware: Deprecated: no time; pass the time of the deprecation, which may be in the future": func() { Deprecated(time.Time{}, nil) },
		"middleware: Deprecated: the sunset, 2025-12-31T00:00:00Z, is before the deprecation, 2026-01-01T00:00:00Z; RFC 9745 requires it not to be": func() {
			Deprecated(since, &DeprecatedOptions{Sunset: since.AddDate(0, 0, -1)})
		},
		`middleware: Deprecated: "/a>b" is not a valid URL; write one such as https://example.com/v1, with other characters escaped`:       func() { Deprecated(since, &DeprecatedOptions{Info: "/a>b"}) },
		`middleware: Deprecated: "/a\nb" is not a valid URL; write one such as https://example.com/v1, with other characters escaped`:      func() { Deprecated(since, &DeprecatedOptions{Successor: "/a\nb"}) },
		`middleware: Deprecated: "http://%zz" is not a valid URL; write one such as https://example.com/v1, with other characters escaped`: func() { Deprecated(since, &DeprecatedOptions{SunsetInfo: "http://%zz"}) },
	})
}
