package matchers

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/internal/matcher"
	"github.com/muxwell/muxwell/internal/tests/muxtest"
)

func TestHeaders(t *testing.T) {
	checkMatchers(t, []matcherRow{
		{muxwell.Headers("X-Beta", "1"), "/ | X-Beta: 1", ""},
		{muxwell.Headers("x-bETA", "1"), "/ | X-Beta: 1", ""},
		{muxwell.Headers("X-Beta", "1"), "/ | X-Beta: 0 | X-Beta: 1", ""},
		{muxwell.Headers("X-Beta", "0, 1"), "/ | X-Beta: 0, 1", ""},
		{muxwell.Headers("X-Beta", "1", "X-Beta", "0"), "/ | X-Beta: 0 | X-Beta: 1", ""},
		{muxwell.Headers("X-Beta", "1"), "/", "header X-Beta is missing"},
		{muxwell.Headers("X-Beta", "1"), "/ | X-Beta: 0", `header X-Beta is "0", not "1"`},
		{muxwell.Headers("X-Beta", "1"), "/ | X-Beta: 10", `header X-Beta is "10", not "1"`},
		{muxwell.Headers("X-Beta", "a"), "/ | X-Beta: A", `header X-Beta is "A", not "a"`},
		{muxwell.Headers("X-Beta", "1"), "/ | X-Beta: 0, 1 | X-Beta: \x01", `header X-Beta is "0, 1, \x01", not "1"`},
		{muxwell.Headers("X-Beta", ""), "/ | X-Beta: x", ""},
		{muxwell.Headers("X-Beta", ""), "/ | X-Beta:", ""},
		{muxwell.Headers("X-Beta", ""), "/", "header X-Beta is missing"},
		{muxwell.Headers("X-A", "1", "X-B", "2"), "/ | X-A: 1", "header X-B is missing"},
		{muxwell.Headers("X-A", "1", "X-B", "2"), "/ | X-B: 2", "header X-A is missing"},
	})
}

func TestHeadersRegexp(t *testing.T) {
	checkMatchers(t, []matcherRow{
		{muxwell.HeadersRegexp("X-V", "v[0-9]+"), "/ | X-V: v1", ""},
		{muxwell.HeadersRegexp("x-v", "v[0-9]+"), "/ | X-V: 1 | X-V: v1", ""},
		{muxwell.HeadersRegexp("X-V", "v[0-9]+"), "/ | X-V: xv1", `header X-V is "xv1", which v[0-9]+ does not match`},
		{muxwell.HeadersRegexp("X-V", "v[0-9]+"), "/ | X-V: v1x", `header X-V is "v1x", which v[0-9]+ does not match`},
		{muxwell.HeadersRegexp("X-V", "v[0-9]+"), "/", "header X-V is missing"},
		{muxwell.HeadersRegexp("X-V", "a|b"), "/ | X-V: ab", `header X-V is "ab", which a|b does not match`},
		{muxwell.HeadersRegexp("X-V", ".*b.*"), "/ | X-V: abc", ""},
		{muxwell.HeadersRegexp("X-V", "^$"), "/ | X-V:", ""},
		{muxwell.HeadersRegexp("X-V", "int"), "/ | X-V: int", ""},
		{muxwell.HeadersRegexp("X-V", "a", "X-W", "b"), "/ | X-V: a | X-W: c", `header X-W is "c", which b does not match`},
	})
}

func TestHeaderErrors(t *testing.T) {
	checkOptionErrors(t, map[string][]muxwell.RouteOption{
		`Headers(): no header; write a name and a value`:                                                                                                            {muxwell.Headers()},
		`Headers("X-A", "1", "X-B"): the header "X-B" has no value; write a value after each name`:                                                                  {muxwell.Headers("X-A", "1", "X-B")},
		`Headers("", "1"): a header's name is empty; write one before each value`:                                                                                   {muxwell.Headers("", "1")},
		"Headers(\"X A\", \"1\"): \"X A\" cannot be a header's name, which is made of letters, digits and !#$%&'*+-.^_`|~":                                          {muxwell.Headers("X A", "1")},
		`Headers("host", "a"): the host is not among the headers of a request; write it in the pattern`:                                                             {muxwell.Headers("host", "a")},
		`HeadersRegexp("Host", "a.*"): the host is not among the headers of a request; write it in the pattern`:                                                     {muxwell.HeadersRegexp("Host", "a.*")},
		`Headers("Trailer", ""): Trailer is not among the headers of a request; write a MatchFunc that reads the request's field of that name`:                      {muxwell.Headers("Trailer", "")},
		`Headers("X-A", " 1"): header "X-A": no value of a header begins or ends with a space; remove it`:                                                           {muxwell.Headers("X-A", " 1")},
		`Headers("X-A", "1\n2"): header "X-A": no value of a header has a control character; remove it`:                                                             {muxwell.Headers("X-A", "1\n2")},
		`HeadersRegexp("X-A"): the header "X-A" has no value; write a value after each name`:                                                                        {muxwell.HeadersRegexp("X-A")},
		`HeadersRegexp("X-A", "("): header "X-A": invalid regular expression: missing closing )`:                                                                    {muxwell.HeadersRegexp("X-A", "(")},
		`HeadersRegexp("X-A", ""): header "X-A": the expression is empty; for any line write Headers with the value "", for an empty one ^$`:                        {muxwell.HeadersRegexp("X-A", "")},
		`HeadersRegexp("X-A", "[^\\x00-\\x{10FFFF}]"): header "X-A": the regular expression matches nothing`:                                                        {muxwell.HeadersRegexp("X-A", `[^\x00-\x{10FFFF}]`)},
		`Headers("Transfer-Encoding", "x"): Transfer-Encoding is not among the headers of a request; write a MatchFunc that reads the request's field of that name`: {muxwell.Headers("Transfer-Encoding", "x")},
		`Headers("X-A", "1", "Host", ""): the host is not among the headers of a request; write it in the pattern`:                                                  {muxwell.Headers("X-A", "1", "Host", "")},
	})
}

// FuzzHeaders compares both options with loops over the header.
func FuzzHeaders(f *testing.F) {
	f.Add("X-A", "1", "0", "1")
	f.Add("x-a", "v[0-9]+", "v1", "")
	f.Add("x-a", "", "", "x")
	f.Add("Host", "(", "\xff", "x")
	f.Add("x-a", "a*", strings.Repeat("a", 16383), "a")
	f.Add("x-a", "a*", strings.Repeat("a", 16384), "a")
	f.Fuzz(func(t *testing.T, name, value, line, line2 string) {
		r := muxtest.NewRequest("GET", "/")
		r.Header.Add("X-Other", value)
		r.Header.Add(name, line)
		r.Header.Add(name, line2)
		for _, option := range []muxwell.RouteOption{muxwell.Headers(name, value), muxwell.HeadersRegexp(name, value)} {
			m := muxwell.New()
			rt, err := m.Add("/", http.NotFoundHandler(), option)
			if err != nil {
				continue
			}
			lines := r.Header.Values(name)
			want := value == "" || slices.Contains(lines, value)
			text := rt.Matchers()[0]
			if text == matcher.OptionText("HeadersRegexp", []string{name, value}) {
				want = len(strings.Join(lines, "")) <= 16384 && slices.ContainsFunc(lines, regexp.MustCompile("^(?:("+value+"))$").MatchString)
			}
			e := m.Explain(r)
			if got := e.Route == rt; got != want {
				t.Errorf("%s of %q: got %t, want %t", text, r.Header.Values(name), got, want)
			}
			if !want && (len(e.Others) != 1 || e.Others[0].Reason == "") {
				t.Errorf("%s of %q: no reason", text, r.Header.Values(name))
			}
		}
	})
}
