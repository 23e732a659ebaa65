package muxwell

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/muxwell/muxwell/internal/excerpt"
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

		// A vendor's type stands for all formats.
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
		rt := matcherRoute(t, Accept(row.types...))
		m, r := rt.info.matchers[0], newBenchRequest("GET", "/")
		for line := range strings.SplitSeq(row.accept, "|") {
			r.Header.Add("Accept", line)
		}
		if got := qualityOf(&m, r); got != row.want || m.takes(r, &config{}) != (row.want > 0) {
			t.Errorf("%s, Accept %q: got %d, takes %t, want %d", m.text, row.accept, got, m.takes(r, &config{}), row.want)
		}
		checkAccept(t, r.Header["Accept"], row.types)
	}
	checkMatchers(t, []matcherRow{
		{Accept("application/json"), "/", ""},
		{Accept("application/json"), "/ | Accept: text/html", `Accept "text/html" does not take application/json`},
		{Accept("application/json", "text/csv"), "/ | Accept: a/b | Accept: c/d", `Accept "a/b, c/d" does not take application/json or text/csv`},
	})
	if m := matcherRoute(t, Accept("a/b")).info.matchers[0]; m.status != http.StatusNotAcceptable {
		t.Errorf("status %d, want 406", m.status)
	}
}

func TestContentType(t *testing.T) {
	const notJSON = `Content-Type is %q, not application/json`
	checkMatchers(t, []matcherRow{
		{ContentType("application/json"), "/ | body | Content-Type: application/json", ""},
		{ContentType("Application/Json"), "/ | Content-Type:  application/JSON ", ""},
		{ContentType("application/json"), "/ | Content-Type: application/json; charset=utf-8", ""},
		{ContentType("application/json", "text/csv"), "/ | Content-Type: text/csv", ""},
		{ContentType("application/json"), "/", ""},
		{ContentType("application/json"), "/ | Content-Type:", ""},
		{ContentType("application/json"), "/ | body", "Content-Type is missing"},
		{ContentType("application/json"), "/ | body | Content-Type:", "Content-Type is missing"},
		{ContentType("application/json"), "/ | Content-Type: text/json", fmt.Sprintf(notJSON, "text/json")},
		{ContentType("application/json"), "/ | Content-Type: application/json, text/csv", fmt.Sprintf(notJSON, "application/json, text/csv")},
		{ContentType("application/json"), "/ | Content-Type: application/json;x", fmt.Sprintf(notJSON, "application/json;x")},
		{ContentType("application/json"), "/ | Content-Type: text/csv | Content-Type: application/json", fmt.Sprintf(notJSON, "text/csv")},
		{ContentType("application/json"), "/ | Content-Type: */*", fmt.Sprintf(notJSON, "*/*")},
		{ContentType("application/json"), "/ | Content-Type: *", fmt.Sprintf(notJSON, "*")},
		{ContentType("application/json"), "/ | Content-Type: application/*", fmt.Sprintf(notJSON, "application/*")},
		{ContentType("application/json"), "/ | Content-Type: application/vnd.x+json", fmt.Sprintf(notJSON, "application/vnd.x+json")},
		{ContentType("text/*"), "/ | Content-Type: text/csv;a=b", ""},
		{ContentType("text/*"), "/ | Content-Type: texts/csv", `Content-Type is "texts/csv", not text/*`},
		{ContentType("text/*; charset=utf-8"), "/ | Content-Type: text/csv; Charset=UTF-8", ""},
		{ContentType("text/csv; charset=utf-8"), "/ | Content-Type: text/csv;x=y;charset=\"utf-8\"", ""},
		{ContentType("text/csv; charset=utf-8"), "/ | Content-Type: text/csv", `Content-Type is "text/csv", not text/csv; charset=utf-8`},
		{ContentType("text/csv; charset=utf-8"), "/ | Content-Type: text/csv;charset=utf-8;charset=x", `Content-Type is "text/csv;charset=utf-8;charset=x", not text/csv; charset=utf-8`},
	})
	if m := matcherRoute(t, ContentType("a/b")).info.matchers[0]; m.status != http.StatusUnsupportedMediaType {
		t.Errorf("status %d, want 415", m.status)
	}
}

func TestMediaTypeErrors(t *testing.T) {
	many := "a/b"
	for i := range maxMediaParams + 1 {
		many += fmt.Sprintf(";p%d=1", i)
	}
	long := "a/b;c=" + strings.Repeat("d", 1019)
	const form = ` is no media type; write it as "application/json" or "text/csv; header=present"`
	checkOptionErrors(t, map[string][]RouteOption{
		`Accept(): no media type; write one, as "application/json"`: {Accept()},
		`Accept("json"): "json"` + form:                             {Accept("json")},
		`Accept(""): ""` + form:                                     {Accept("")},
		`Accept("a/b, c/d"): "a/b, c/d"` + form:                     {Accept("a/b, c/d")},
		`ContentType("a/b; c"): "a/b; c"` + form:                    {ContentType("a/b; c")},
		`Accept("a/b", "text/*"): "text/*" is a range, which is for clients to ask for; ` +
			`write the types that the handler can answer with`: {Accept("a/b", "text/*")},
		`Accept("*/*"): "*/*" has a '*' in front of the '/'; leave the option out to take every type`:                                                           {Accept("*/*")},
		`ContentType("*/*"): "*/*" has a '*' in front of the '/'; leave the option out to take every type`:                                                      {ContentType("*/*")},
		`ContentType("a/*+json"): "a/*+json" has a '*' in a subtype, and none is called so; write the whole type`:                                               {ContentType("a/*+json")},
		`ContentType("a/b", "` + long + `"): "` + excerpt.Abridge(long) + `" has 1025 bytes, and of a Content-Type 1024 are read at most; leave parameters out`: {ContentType("a/b", long)},
		`Accept("a/b;q=1"): "a/b;q=1" has a weight, which only a client gives; leave q out`:                                                                     {Accept("a/b;q=1")},
		`Accept("a/b;x=1;X=2"): "a/b;x=1;X=2" has the parameter x twice; leave one of them out`:                                                                 {Accept("a/b;x=1;X=2")},
		`ContentType("` + many + `"): "` + excerpt.Abridge(many) + `" has more than 64 parameters`:                                                              {ContentType(many)},
	})
}

// naiveQuality is the twin of acceptQuality: every range that covers a type, with
// what it counts by, sorted. It knows nothing of a header that is too long.
func naiveQuality(lines, types []string) int {
	if all := strings.Join(lines, ","); len(all)-max(0, len(lines)-1) > 4096 || len(lines) > 0 && strings.Count(all, ",") > 255 {
		return 0
	}
	var ranges []naiveMedia
	for _, line := range lines {
		for _, element := range naiveElements(line) {
			if m, ok := newNaiveMedia(element); ok {
				ranges = append(ranges, m)
			}
		}
	}
	if len(ranges) == 0 {
		return 1000
	}
	best := 0
	for _, text := range types {
		offer, _ := newNaiveMedia(text)
		var covering [][3]int // specificity of the name, parameters, weight
		for _, m := range ranges {
			if level := naiveLevel(m, offer); level > 0 && m.within(offer) {
				covering = append(covering, [3]int{level, len(m.params), m.weight})
			}
		}
		slices.SortFunc(covering, func(a, b [3]int) int { return slices.Compare(a[:], b[:]) })
		if n := len(covering); n > 0 {
			best = max(best, covering[n-1][2])
		}
	}
	return best
}

func naiveLevel(m, offer naiveMedia) int {
	base, format, _ := strings.Cut(m.sub, "+")
	switch {
	case m.main == offer.main && m.sub == offer.sub:
		return 4
	case m.main == offer.main && base == offer.sub && format != "" && !strings.Contains(format, "+") && strings.HasPrefix(base, "vnd."):
		return 3
	case m.main == offer.main && m.sub == "*":
		return 2
	case m.main == "*":
		return 1
	}
	return 0
}

func checkAccept(t *testing.T, lines, types []string) int {
	t.Helper()
	parsed, err := parseMediaTypes("", types)
	if err != nil {
		t.Fatal(err)
	}
	want := naiveQuality(lines, types)
	for _, st := range []*matchState{{}, {read: maxRead}, {parsed: new(parsedRequest)}} {
		for range 2 {
			if got := st.acceptQuality(lines, parsed); got != want {
				t.Errorf("Accept %.200q of %q, state %+v: got %d, want %d", lines, types, st, got, want)
			}
		}
	}
	return want
}

// acceptTypes are types for generated headers.
var acceptTypes = [][]string{
	{"a/b"}, {"a/b", "a/c"}, {"a/b;x=1"}, {"a/b;x=1;y=2"}, {"a/vnd.b"}, {"a/vnd.b+c", "b/a"}, {`a/b;x="1,\"2"`}, {"a/b;charset=c"},
}

// TestAcceptIsNaive compares acceptQuality with its twin on generated headers.
func TestAcceptIsNaive(t *testing.T) {
	skipUnderRace(t)
	src := rand.New(rand.NewPCG(5, 6))
	names := []string{"a/b", "a/b", "A/B", "a/c", "a/*", "*/*", "*", "b/a", "a/vnd.b", "a/vnd.b+c", "a/vnd.b+c+d", "a", "a/", "*/b"}
	params := []string{";x=1", ";x=2", ` ; X="1"`, `;x="\1"`, `;x="1,\"2"`, ";y=2", ";charset=C", ";q=0", "; q=0.5", ";q=.25", ";q=1", ";q=2", ";", ";x", `;x="`, " "}
	counts := map[bool]int{}
	for range 100_000 {
		var lines []string
		for range src.IntN(3) {
			var elements []string
			for range src.IntN(4) {
				element := names[src.IntN(len(names))]
				for range src.IntN(3) {
					element += params[src.IntN(len(params))]
				}
				elements = append(elements, element)
			}
			lines = append(lines, strings.Join(elements, [...]string{",", ", "}[src.IntN(2)]))
		}
		counts[checkAccept(t, lines, acceptTypes[src.IntN(len(acceptTypes))]) > 0]++
	}
	if counts[true] < 10_000 || counts[false] < 10_000 {
		t.Errorf("unbalanced: %v", counts)
	}
}

func FuzzAccept(f *testing.F) {
	f.Add("a/b;x=1;q=0.5, a/*", "*/*;q=0.1", byte(2))
	f.Add(`a/b;x="1,\"2";q=1`, "", byte(6))
	f.Add("*; q=.2, a/vnd.b+c", "a", byte(4))
	f.Add(strings.Repeat(",", 253)+"a/b", "a/c;q=0.5", byte(1))
	f.Add(strings.Repeat(",", 254)+"a/b", "a/c;q=0.5", byte(1))
	f.Add(strings.Repeat(" ", 4090)+"a/b", "b/a", byte(5))
	f.Add(strings.Repeat(" ", 4091)+"a/b", "b/a", byte(5))
	f.Fuzz(func(t *testing.T, line, line2 string, i byte) {
		checkAccept(t, []string{line, line2}, acceptTypes[int(i)%len(acceptTypes)])
	})
}

// naiveContentType is the twin of ContentType for requests with a body.
func naiveContentType(option, value string) bool {
	want, _ := newNaiveMedia(strings.Trim(option, " \t"))
	got, ok := newNaiveMedia(strings.Trim(value, " \t"))
	if !ok || len(value) > 1024 || got.sub == "*" || got.main != want.main || want.sub != "*" && got.sub != want.sub {
		return false
	}
	for name := range want.params {
		if v, ok := got.params[name]; !ok || got.twice[name] || !sameParam(name, v, want.params[name]) {
			return false
		}
	}
	return true
}

func FuzzContentType(f *testing.F) {
	f.Add("text/csv; header=present", "Text/CSV;a=b; HEADER=\"present\"")
	f.Add("text/*", "text/html;charset=utf-8")
	f.Add("text/csv;charset=x;y=\"\\\"\"", "text/csv;;charset=X;y=\"\\\"\";y=z")
	f.Add("text/csv", "text/*")
	f.Add("text/csv", "text/csv;a="+strings.Repeat("b", 1013))
	f.Add("text/csv", "text/csv;a="+strings.Repeat("b", 1014))
	f.Fuzz(func(t *testing.T, option, value string) {
		rt, err := New().Add("/", http.NotFoundHandler(), ContentType(option))
		if err != nil {
			return
		}
		r := newBenchRequest("POST", "/")
		r.Header["Content-Type"], r.ContentLength = []string{value}, -1
		if got, want := rt.info.matchers[0].takes(r, &config{}), naiveContentType(option, value); got != want {
			t.Errorf("%q of %q: got %t, want %t", option, value, got, want)
		}
	})
}

// TestAcceptIsQuick: a megabyte of header costs a few looks at each byte.
func TestAcceptIsQuick(t *testing.T) {
	types, err := parseMediaTypes("", []string{"a/b;x=1", "c/d"})
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{",", "a/b,", "a/b;x=1;", `"`, `",`, `\`, ";", " ", "a", "a/b;x=\"", "*/*;q=0.1,", "a/b;q=1;"} {
		lines := []string{strings.Repeat(part, 1<<20/len(part))}
		start := time.Now()
		acceptQuality(lines, types)
		if took := time.Since(start); took > 2*time.Second {
			t.Errorf("%q, repeated: %s", part, took)
		}
		if got := testing.AllocsPerRun(1, func() { acceptQuality(lines, types) }); got != 0 && !raceEnabled {
			t.Errorf("%q, repeated: %v allocations, want 0", part, got)
		}
	}
}

// qualityOf returns what a matcher of Accept says about a request.
func qualityOf(m *matcher, r *http.Request) int {
	quality, _ := m.ask(r, new(matchState))
	return quality
}
