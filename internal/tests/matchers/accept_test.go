package matchers

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/internal/excerpt"
	"github.com/muxwell/muxwell/internal/matcher"
	"github.com/muxwell/muxwell/internal/tests/muxtest"
)

func TestAccept(t *testing.T) {
	const (
		json    = "application/json"
		v2      = "application/vnd.acme.v2"
		browser = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8"
		java    = "text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2"
	)
	for _, row := range []struct {
		types  []string
		accept string // lines with bars between them
		want   int
	}{
		{[]string{json}, "application/json", 1000},
		{[]string{json}, "APPLICATION/Json", 1000},
		{[]string{"Application/JSON"}, "application/json", 1000},
		{[]string{json}, "application/*", 1000},
		{[]string{json}, "*/*", 1000},
		{[]string{json}, "text/html", 0},
		{[]string{json}, "text/*", 0},
		{[]string{json}, "application/jsonx", 0},
		{[]string{json}, "application/json+x", 0},
		{[]string{json}, "application/problem+json", 0},
		{[]string{json}, browser, 800},
		{[]string{"text/html"}, browser, 1000},
		{[]string{"application/xml"}, browser, 900},
		{[]string{"application/xml", "image/webp"}, browser, 1000},
		{[]string{json}, java, 200},

		// None that can be read says nothing.
		{[]string{json}, "", 1000},
		{[]string{json}, "|", 1000},
		{[]string{json}, " , ,", 1000},
		{[]string{json}, "json", 1000},
		{[]string{json}, "text/html;q=x", 1000},
		{[]string{json}, `text/html;a="`, 1000},
		{[]string{json}, "json, text/html", 0},
		{[]string{json}, "json, application/json;q=0.1", 100},

		// The closest range decides.
		{[]string{json}, "*/*, application/json;q=0", 0},
		{[]string{json}, "application/json;q=0, */*", 0},
		{[]string{json}, "application/*;q=0, */*", 0},
		{[]string{json}, "application/*;q=0, application/json;q=0.5, */*", 500},
		{[]string{json}, "application/json;q=0.2, application/json;q=0.4", 400},
		{[]string{json, "text/csv"}, "application/json;q=0, */*;q=0.3", 300},
		{[]string{"a/1", "a/2", "a/3", "a/4", "a/5", "a/6", "a/7", "a/8", "a/9"}, "a/9;q=0.9, a/8;q=0.8", 900},
		{[]string{"a/1", "a/2", "a/3", "a/4", "a/5", "a/6", "a/7", "a/8", "a/9"}, "a/x", 0},
		{[]string{"a/1", "a/2", "a/3", "a/4", "a/5", "a/6", "a/7", "a/8", "a/9"}, "?", 1000},
		{[]string{json}, "*/*;q=0", 0},
		{[]string{json}, "text/html|application/json", 1000},
		{[]string{json}, "*/*|application/json;q=0", 0},

		// Parameters.
		{[]string{"text/csv; header=present"}, "text/csv", 1000},
		{[]string{"text/csv; header=present"}, "text/csv;header=present", 1000},
		{[]string{"text/csv; header=present"}, "text/csv ; HEADER=present ; q=0.5", 500},
		{[]string{"text/csv; header=present"}, "text/csv;q=0.5;header=present", 500},
		{[]string{"text/csv; header=present"}, `text/csv;header="present"`, 1000},
		{[]string{"text/csv; header=present"}, `text/csv;header="p\resent"`, 1000},
		{[]string{"text/csv; header=present"}, `text/csv;header="p\resen"`, 0},
		{[]string{"text/csv; header=present"}, `text/csv;header="p\resent "`, 0},
		{[]string{"text/csv; header=present"}, "text/csv;header=Present", 0},
		{[]string{"text/csv; header=present"}, "text/csv;header=absent", 0},
		{[]string{"text/csv; header=present"}, "text/csv;header=present;header=present", 0},
		{[]string{"text/csv; header=present"}, "text/csv;header=present;x=1", 0},
		{[]string{"text/csv; header=present"}, "text/csv;header=present;q=0, text/csv", 0},
		{[]string{"text/csv; header=present"}, "text/csv;q=0, text/csv;header=present;q=0.7", 700},
		{[]string{"text/csv; header=present"}, "text/*;header=present;q=0.7, text/csv;q=0.3", 300},
		{[]string{`text/csv; header="a, b"`}, `text/html, text/csv;header="a, b";q=0.5, x/y`, 500},
		{[]string{`text/csv; header="a\"b"`}, `text/csv;header="a\"b"`, 1000},
		{[]string{"text/csv"}, "text/csv;header=present", 0},
		{[]string{"text/csv; a=1; b=2"}, "text/csv;b=2;a=1;q=0.2, text/csv;a=1;q=0.9", 200},
		{[]string{"text/plain; charset=utf-8"}, "text/plain;charset=UTF-8", 1000},
		{[]string{"text/csv"}, "text/csv;;q=0.5;", 500},
		{[]string{"text/csv"}, "text/csv; q = 0.5", 1000},
		{[]string{"text/csv"}, "x/y, text/csv; q = 0.5", 0},

		// Weights.
		{[]string{json}, "application/json;Q=0.123", 123},
		{[]string{json}, "application/json;q=1.000", 1000},
		{[]string{json}, "application/json;q=1.", 1000},
		{[]string{json}, "application/json;q=0.", 0},
		{[]string{json}, "application/json;q=0.001", 1},
		{[]string{json}, "x/y, application/json;q=0.0001", 0},
		{[]string{json}, "x/y, application/json;q=1.001", 0},
		{[]string{json}, "x/y, application/json;q=2", 0},
		{[]string{json}, "x/y, application/json;q=-1", 0},
		{[]string{json}, "x/y, application/json;q=.", 0},
		{[]string{json}, "x/y, application/json;q=", 0},
		{[]string{json}, "x/y, application/json;q", 0},
		{[]string{json}, "x/y, application/json;q=1;q=1", 0},

		// A vendor's type covers all formats.
		{[]string{v2}, "application/vnd.acme.v2", 1000},
		{[]string{v2}, "application/vnd.acme.v2+json", 1000},
		{[]string{v2}, "application/vnd.Acme.v2+XML;q=0.5", 500},
		{[]string{v2}, "application/vnd.acme.v2+json;q=0, application/vnd.acme.v2+xml", 1000},
		{[]string{v2}, "application/vnd.acme.v2+json;q=0, application/*", 0},
		{[]string{v2}, "application/vnd.acme.v2+", 0},
		{[]string{v2}, "application/vnd.acme.v2+a+json", 0},
		{[]string{v2}, "application/vnd.acme.v20+json", 0},
		{[]string{v2}, "application/vnd.acme.v3+json", 0},
		{[]string{v2}, "text/vnd.acme.v2+json", 0},
		{[]string{v2 + "+json"}, "application/vnd.acme.v2", 0},
		{[]string{v2 + "+json"}, "application/vnd.acme.v2+xml", 0},

		// Malformed elements.
		{[]string{json}, "x/y, /json, application/, */json, application//json, application/json x", 0},
		{[]string{json}, `x/y, a"b, application/json`, 0},
		{[]string{json}, `x/y, a"b", application/json`, 1000},
		{[]string{json}, "x/y, application/json;a", 0},
		{[]string{json}, "x/y, application/json;=1", 0},
	} {
		var set matcher.Set
		if err := set.AddAccept(row.types); err != nil {
			t.Fatal(err)
		}
		m, r := set.Matchers[0], muxtest.NewRequest("GET", "/")
		for line := range strings.SplitSeq(row.accept, "|") {
			r.Header.Add("Accept", line)
		}
		if got := qualityOf(&m, r); got != row.want || m.Matches(r, nil) != (row.want > 0) {
			t.Errorf("%s, Accept %q: got %d, takes %t, want %d", m.Text, row.accept, got, m.Matches(r, nil), row.want)
		}
	}
	checkMatchers(t, []matcherRow{
		{muxwell.Accept("application/json"), "/", ""},
		{muxwell.Accept("application/json"), "/ | Accept: text/html", `Accept "text/html" does not include application/json`},
		{muxwell.Accept("application/json", "text/csv"), "/ | Accept: a/b | Accept: c/d", `Accept "a/b, c/d" does not include application/json or text/csv`},
	})
	checkStatus(t, muxwell.Accept("a/b"), "/ | Accept: c/d", http.StatusNotAcceptable)
}

func TestContentType(t *testing.T) {
	const notJSON = `Content-Type is %q, not application/json`
	checkMatchers(t, []matcherRow{
		{muxwell.ContentType("application/json"), "/ | body | Content-Type: application/json", ""},
		{muxwell.ContentType("Application/Json"), "/ | Content-Type:  application/JSON ", ""},
		{muxwell.ContentType("application/json"), "/ | Content-Type: application/json; charset=utf-8", ""},
		{muxwell.ContentType("application/json", "text/csv"), "/ | Content-Type: text/csv", ""},
		{muxwell.ContentType("application/json"), "/", ""},
		{muxwell.ContentType("application/json"), "/ | Content-Type:", ""},
		{muxwell.ContentType("application/json"), "/ | body", "Content-Type is missing"},
		{muxwell.ContentType("application/json"), "/ | body | Content-Type:", "Content-Type is missing"},
		{muxwell.ContentType("application/json"), "/ | Content-Type: text/json", fmt.Sprintf(notJSON, "text/json")},
		{muxwell.ContentType("application/json"), "/ | Content-Type: application/json, text/csv", fmt.Sprintf(notJSON, "application/json, text/csv")},
		{muxwell.ContentType("application/json"), "/ | Content-Type: application/json;x", fmt.Sprintf(notJSON, "application/json;x")},
		{muxwell.ContentType("application/json"), "/ | Content-Type: text/csv | Content-Type: application/json", fmt.Sprintf(notJSON, "text/csv")},
		{muxwell.ContentType("application/json"), "/ | Content-Type: */*", fmt.Sprintf(notJSON, "*/*")},
		{muxwell.ContentType("application/json"), "/ | Content-Type: *", fmt.Sprintf(notJSON, "*")},
		{muxwell.ContentType("application/json"), "/ | Content-Type: application/*", fmt.Sprintf(notJSON, "application/*")},
		{muxwell.ContentType("application/json"), "/ | Content-Type: application/vnd.x+json", fmt.Sprintf(notJSON, "application/vnd.x+json")},
		{muxwell.ContentType("text/*"), "/ | Content-Type: text/csv;a=b", ""},
		{muxwell.ContentType("text/*"), "/ | Content-Type: texts/csv", `Content-Type is "texts/csv", not text/*`},
		{muxwell.ContentType("text/*; charset=utf-8"), "/ | Content-Type: text/csv; Charset=UTF-8", ""},
		{muxwell.ContentType("text/csv; charset=utf-8"), "/ | Content-Type: text/csv;x=y;charset=\"utf-8\"", ""},
		{muxwell.ContentType("text/csv; charset=utf-8"), "/ | Content-Type: text/csv", `Content-Type is "text/csv", not text/csv; charset=utf-8`},
		{muxwell.ContentType("text/csv; charset=utf-8"), "/ | Content-Type: text/csv;charset=utf-8;charset=x", `Content-Type is "text/csv;charset=utf-8;charset=x", not text/csv; charset=utf-8`},
	})
	checkStatus(t, muxwell.ContentType("a/b"), "/ | Content-Type: c/d", http.StatusUnsupportedMediaType)
}

func TestMediaTypeErrors(t *testing.T) {
	many := "a/b"
	for i := range 65 {
		many += fmt.Sprintf(";p%d=1", i)
	}
	long := "a/b;c=" + strings.Repeat("d", 1019)
	const form = ` is not a media type; write it as "application/json" or "text/csv; header=present"`
	checkOptionErrors(t, map[string][]muxwell.RouteOption{
		`Accept(): no media type; write one, such as "application/json"`: {muxwell.Accept()},
		`Accept("json"): "json"` + form:                                  {muxwell.Accept("json")},
		`Accept(""): ""` + form:                                          {muxwell.Accept("")},
		`Accept("a/b, c/d"): "a/b, c/d"` + form:                          {muxwell.Accept("a/b, c/d")},
		`ContentType("a/b; c"): "a/b; c"` + form:                         {muxwell.ContentType("a/b; c")},
		`Accept("a/b", "text/*"): "text/*" is a range, which only clients use; ` +
			`write the types that the handler can answer with`: {muxwell.Accept("a/b", "text/*")},
		`Accept("*/*"): "*/*" has a '*' before the '/'; to match every type omit the option`:                                                                     {muxwell.Accept("*/*")},
		`ContentType("*/*"): "*/*" has a '*' before the '/'; to match every type omit the option`:                                                                {muxwell.ContentType("*/*")},
		`ContentType("a/*+json"): "a/*+json" has a '*' in a subtype, which no type has; write the whole type`:                                                    {muxwell.ContentType("a/*+json")},
		`ContentType("a/b", "` + long + `"): "` + excerpt.Abridge(long) + `" has 1025 bytes, but at most 1024 bytes of a Content-Type are read; omit parameters`: {muxwell.ContentType("a/b", long)},
		`Accept("a/b;q=1"): "a/b;q=1" has a weight, which only clients use; omit q`:                                                                              {muxwell.Accept("a/b;q=1")},
		`Accept("a/b;x=1;X=2"): "a/b;x=1;X=2" has the parameter x twice; remove one of them`:                                                                     {muxwell.Accept("a/b;x=1;X=2")},
		`ContentType("` + many + `"): "` + excerpt.Abridge(many) + `" has more than 64 parameters`:                                                               {muxwell.ContentType(many)},
	})
}

// qualityOf returns what a matcher of Accept says about a request.
func qualityOf(m *matcher.Matcher, r *http.Request) int {
	quality, _ := m.Ask(r, new(matcher.State))
	return quality
}
