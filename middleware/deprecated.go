package middleware

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// DeprecatedOptions are the options of [Deprecated]. The URLs may be relative.
type DeprecatedOptions struct {
	Sunset     time.Time // the time from which the resource may be gone
	Info       string    // URL of information about the deprecation
	SunsetInfo string    // URL of information about the sunset
	Successor  string    // URL of the replacement
}

// Deprecated announces to clients that a resource is deprecated as of a time, past or
// future. It sets the header Deprecation (RFC 9745) and, for the respective options,
// Sunset (RFC 8594) and Link:
//
//	Deprecation: @1767225600
//	Sunset: Thu, 31 Dec 2026 00:00:00 GMT
//	Link: <https://example.com/v1>; rel="deprecation"; type="text/html"
//
// It changes nothing else: the resource answers as before, even after its sunset. o may
// be nil. Deprecated panics if since is zero, if the sunset is before it, or if a URL
// is invalid.
func Deprecated(since time.Time, o *DeprecatedOptions) func(http.Handler) http.Handler {
	if o == nil {
		o = &DeprecatedOptions{}
	}
	if since.IsZero() {
		panic("middleware: Deprecated: no time; pass the time of the deprecation, which may be in the future")
	}
	if !o.Sunset.IsZero() && o.Sunset.Before(since) {
		panic(fmt.Sprintf("middleware: Deprecated: the sunset, %s, is before the deprecation, %s; RFC 9745 requires it not to be",
			o.Sunset.Format(time.RFC3339), since.Format(time.RFC3339)))
	}
	headers := []header{{"Deprecation", "@" + strconv.FormatInt(since.Unix(), 10)}}
	if !o.Sunset.IsZero() {
		headers = append(headers, header{"Sunset", o.Sunset.UTC().Format(http.TimeFormat)})
	}
	links := linksOf(o)
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			h := w.Header()
			setHeaders(h, headers)
			if len(links) > 0 {
				h["Link"] = append(h["Link"], links...)
			}
			next.ServeHTTP(w, r)
		})
	}
}

// linksOf returns the Link lines for the options (RFC 8288).
func linksOf(o *DeprecatedOptions) (lines []string) {
	for _, link := range []struct{ url, relation string }{
		{o.Info, `"deprecation"; type="text/html"`},
		{o.SunsetInfo, `"sunset"; type="text/html"`},
		{o.Successor, `"successor-version"`},
	} {
		if link.url == "" {
			continue
		}
		if _, err := url.Parse(link.url); err != nil || !isText(link.url) || strings.ContainsAny(link.url, ` <>"`) {
			panic(fmt.Sprintf("middleware: Deprecated: %q is not a valid URL; write one such as https://example.com/v1, with other characters escaped", link.url))
		}
		lines = append(lines, "<"+link.url+">; rel="+link.relation)
	}
	return lines
}
