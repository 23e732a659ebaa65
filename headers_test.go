package muxwell

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/muxwell/muxwell/internal/matcher"
)

func TestHeaders(t *testing.T) {
	checkMatchers(t, []matcherRow{
		{Headers("X-Beta", "1"), "/ | X-Beta: 1", ""},
		{Headers("x-bETA", "1"), "/ | X-Beta: 1", ""},
		{Headers("X-Beta", "1"), "/ | X-Beta: 0 | X-Beta: 1", ""},
		{Headers("X-Beta", "0, 1"), "/ | X-Beta: 0, 1", ""},
		{Headers("X-Beta", "1", "X-Beta", "0"), "/ | X-Beta: 0 | X-Beta: 1", ""},
		{Headers("X-Beta", "1"), "/", "header X-Beta is missing"},
		{Headers("X-Beta", "1"), "/ | X-Beta: 0", `header X-Beta is "0", not "1"`},
		{Headers("X-Beta", "1"), "/ | X-Beta: 10", `header X-Beta is "10", not "1"`},
		{Headers("X-Beta", "a"), "/ | X-Beta: A", `header X-Beta is "A", not "a"`},
		{Headers("X-Beta", "1"), "/ | X-Beta: 0, 1 | X-Beta: \x01", `header X-Beta is "0, 1, \x01", not "1"`},
		{Headers("X-Beta", ""), "/ | X-Beta: x", ""},
		{Headers("X-Beta", ""), "/ | X-Beta:", ""},
		{Headers("X-Beta", ""), "/", "header X-Beta is missing"},
		{Headers("X-A", "1", "X-B", "2"), "/ | X-A: 1", "header X-B is missing"},
		{Headers("X-A", "1", "X-B", "2"), "/ | X-B: 2", "header X-A is missing"},
	})
}

func TestHeadersRegexp(t *testing.T) {
	checkMatchers(t, []matcherRow{
		{HeadersRegexp("X-V", "v[0-9]+"), "/ | X-V: v1", ""},
		{HeadersRegexp("x-v", "v[0-9]+"), "/ | X-V: 1 | X-V: v1", ""},
		{HeadersRegexp("X-V", "v[0-9]+"), "/ | X-V: xv1", `header X-V is "xv1", which v[0-9]+ does not match`},
		{HeadersRegexp("X-V", "v[0-9]+"), "/ | X-V: v1x", `header X-V is "v1x", which v[0-9]+ does not match`},
		{HeadersRegexp("X-V", "v[0-9]+"), "/", "header X-V is missing"},
		{HeadersRegexp("X-V", "a|b"), "/ | X-V: ab", `header X-V is "ab", which a|b does not match`},
		{HeadersRegexp("X-V", ".*b.*"), "/ | X-V: abc", ""},
		{HeadersRegexp("X-V", "^$"), "/ | X-V:", ""},
		{HeadersRegexp("X-V", "int"), "/ | X-V: int", ""},
		{HeadersRegexp("X-V", "a", "X-W", "b"), "/ | X-V: a | X-W: c", `header X-W is "c", which b does not match`},
	})
}

func TestHeaderErrors(t *testing.T) {
	checkOptionErrors(t, map[string][]RouteOption{
		`Headers(): no header; write a name and a value`:                                                                                                            {Headers()},
		`Headers("X-A", "1", "X-B"): the header "X-B" has no value; write a value behind each name`:                                                                 {Headers("X-A", "1", "X-B")},
		`Headers("", "1"): a header's name is empty; write one in front of each value`:                                                                              {Headers("", "1")},
		"Headers(\"X A\", \"1\"): \"X A\" cannot be a header's name, which is made of letters, digits and !#$%&'*+-.^_`|~":                                          {Headers("X A", "1")},
		`Headers("host", "a"): the host is not among the headers of a request; write it in the pattern`:                                                             {Headers("host", "a")},
		`HeadersRegexp("Host", "a.*"): the host is not among the headers of a request; write it in the pattern`:                                                     {HeadersRegexp("Host", "a.*")},
		`Headers("Trailer", ""): Trailer is not among the headers of a request; write a MatchFunc that reads the request's field of that name`:                      {Headers("Trailer", "")},
		`Headers("X-A", " 1"): header "X-A": no value of a header begins or ends with a blank; leave it out`:                                                        {Headers("X-A", " 1")},
		`Headers("X-A", "1\n2"): header "X-A": no value of a header has a control character in it; leave it out`:                                                    {Headers("X-A", "1\n2")},
		`HeadersRegexp("X-A"): the header "X-A" has no value; write a value behind each name`:                                                                       {HeadersRegexp("X-A")},
		`HeadersRegexp("X-A", "("): header "X-A": not a regular expression that RE2 takes: missing closing )`:                                                       {HeadersRegexp("X-A", "(")},
		`HeadersRegexp("X-A", ""): header "X-A": the expression is empty; for any line write Headers with the value "", for an empty one ^$`:                        {HeadersRegexp("X-A", "")},
		`HeadersRegexp("X-A", "[^\\x00-\\x{10FFFF}]"): header "X-A": the regular expression matches nothing`:                                                        {HeadersRegexp("X-A", `[^\x00-\x{10FFFF}]`)},
		`Headers("Transfer-Encoding", "x"): Transfer-Encoding is not among the headers of a request; write a MatchFunc that reads the request's field of that name`: {Headers("Transfer-Encoding", "x")},
		`Headers("X-A", "1", "Host", ""): the host is not among the headers of a request; write it in the pattern`:                                                  {Headers("X-A", "1", "Host", "")},
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
		r := newBenchRequest("GET", "/")
		r.Header.Add("X-Other", value)
		r.Header.Add(name, line)
		r.Header.Add(name, line2)
		for _, option := range []RouteOption{Headers(name, value), HeadersRegexp(name, value)} {
			rt, err := New().Add("/", http.NotFoundHandler(), option)
			if err != nil {
				continue
			}
			lines := r.Header.Values(name)
			want := value == "" || slices.Contains(lines, value)
			if m := rt.info.Matchers[0]; m.Text == matcher.OptionText("HeadersRegexp", []string{name, value}) {
				want = len(strings.Join(lines, "")) <= 16384 && slices.ContainsFunc(lines, regexp.MustCompile("^(?:("+value+"))$").MatchString)
			}
			if got := rt.info.Matchers[0].Matches(r, nil); got != want {
				t.Errorf("%s of %q: got %t, want %t", rt.info.Matchers[0].Text, r.Header.Values(name), got, want)
			}
			if !want && missOf(rt, r) == "" {
				t.Errorf("%s of %q: no reason", rt.info.Matchers[0].Text, r.Header.Values(name))
			}
		}
	})
}
