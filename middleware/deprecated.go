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
	Sunset     time.Time // from when on the resource may be gone
	Info       string    // URL of what there is to know about the deprecation
	SunsetInfo string    // URL of what there is to know about the sunset
	Successor  string    // URL of what is there in its place
}

// Deprecated tells clients that a resource should not be used from a time on, past or
// to come, by the header Deprecation (RFC 9745), and by Sunset (RFC 8594) and Link as
// options say:
//
//	Deprecation: @1767225600
//	Sunset: Thu, 31 Dec 2026 00:00:00 GMT
//	Link: <https://example.com/v1>; rel="deprecation"; type="text/html"
//
// It changes nothing else: the resource answers as before, after its sunset too. o
// may be nil. Deprecated panics if since is zero, if the sunset is before it, or if a
// URL is not valid.
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

// linksOf returns the lines of Link that options ask for (RFC 8288).
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
