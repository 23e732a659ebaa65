// Package matchers tests the options of a route that require something of a request besides
// method, host and path: what each matches, what Explain says if it does not, its errors.
package matchers

import (
	"errors"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/internal/tests/muxtest"
)

// A matcherRow says what becomes of a request that meets the matcher of an
// option.
type matcherRow struct {
	option  muxwell.RouteOption
	request string
	want    string // why it is not taken; "" if it is
}

// checkOptionErrors compares what registration says about options with what it
// should say.
func checkOptionErrors(t *testing.T, rows map[string][]muxwell.RouteOption) {
	t.Helper()
	for want, options := range rows {
		m := muxwell.New(muxwell.Constraint("even", func(v string) bool { return len(v)%2 == 0 }))
		_, err := m.Add("GET /{id}", http.NotFoundHandler(), options...)
		e, ok := errors.AsType[*muxwell.OptionError](err)
		if !ok {
			t.Errorf("got error %v, want an OptionError: %s", err, want)
			continue
		}
		if got := e.Option + ": " + e.Reason; got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
		if e.Pattern != "GET /{id}" || !strings.HasPrefix(e.Error(), `muxwell: pattern "GET /{id}": `) {
			t.Errorf("%s: pattern %q", e, e.Pattern)
		}
		for range m.Routes() {
			t.Errorf("%s: the route was registered", want)
		}
	}
}

// checkMatchers compares what Explain says of a route with the option of each row, in
// a mux with the options.
func checkMatchers(t *testing.T, rows []matcherRow, options ...muxwell.Option) {
	t.Helper()
	options = append([]muxwell.Option{muxwell.Constraint("even", func(v string) bool { return len(v)%2 == 0 })}, options...)
	for _, row := range rows {
		m := muxwell.New(options...)
		rt, err := m.Add("/", http.NotFoundHandler(), row.option)
		if err != nil {
			t.Fatal(err)
		}
		e, got := m.Explain(muxtest.MatcherRequest(row.request)), ""
		if e.Route != rt {
			got = e.Others[0].Reason
		}
		if got != row.want {
			t.Errorf("%s, request %s: got %q, want %q", rt.Matchers()[0], row.request, got, row.want)
		}
	}
}

// checkStatus checks the answer to a request that a route with the option misses.
func checkStatus(t *testing.T, option muxwell.RouteOption, request string, want int) {
	t.Helper()
	m := muxwell.New()
	if _, err := m.Add("/", http.NotFoundHandler(), option); err != nil {
		t.Fatal(err)
	}
	if got := muxtest.AnswerTo(m, muxtest.MatcherRequest(request)).Code; got != want {
		t.Errorf("request %s: status %d, want %d", request, got, want)
	}
}

// isBeta is a function for MatchFunc.
func isBeta(r *http.Request) bool { return r.Header.Get("X-Beta") == "1" }

type betaTester struct{ value string }

func (b *betaTester) is(r *http.Request) bool { return r.Header.Get("X-Beta") == b.value }

func genericBeta[T any](r *http.Request) bool { return isBeta(r) }

func TestMatchFunc(t *testing.T) {
	checkMatchers(t, []matcherRow{
		{muxwell.MatchFunc(isBeta), "/ | X-Beta: 1", ""},
		{muxwell.MatchFunc(isBeta), "/", "MatchFunc(matchers.isBeta) returned false"},
		{muxwell.MatchFunc((&betaTester{"2"}).is), "/", "MatchFunc(matchers.(*betaTester).is) returned false"},
		{muxwell.MatchFunc(func(*http.Request) bool { return false }), "/", "MatchFunc(matchers.TestMatchFunc) returned false"},
		{muxwell.MatchFunc(genericBeta[netip.Addr]), "/", "MatchFunc(matchers.genericBeta[...]) returned false"},
	})
	checkOptionErrors(t, map[string][]muxwell.RouteOption{
		"MatchFunc(nil): the function is nil; pass one, or omit the option": {muxwell.MatchFunc(nil)},
	})
}

// TestMatcherText: an option is shown as it is written, and its route knows
// nothing of what becomes of the caller's slices.
func TestMatcherText(t *testing.T) {
	pairs := []string{"x-beta", "1"}
	types := []string{"text/csv"}
	allow := []netip.Prefix{netip.MustParsePrefix("::ffff:10.0.0.0/104"), netip.MustParsePrefix("fd00::1/8")}
	trusted := []netip.Prefix{netip.MustParsePrefix("192.0.2.1/32")}
	options := []muxwell.RouteOption{
		muxwell.Headers(pairs...), muxwell.HeadersRegexp(pairs...), muxwell.Queries(pairs...), muxwell.Accept(types...), muxwell.ContentType(types...),
		muxwell.ClientIP(allow, trusted...), muxwell.Schemes("HTTPS"),
	}
	pairs[0], pairs[1], types[0], allow[0], trusted[0] = "", "", "", netip.Prefix{}, netip.Prefix{}
	for range 2 { // an option is for any number of routes
		m := muxwell.New()
		rt, err := m.Add("/", http.NotFoundHandler(), options...)
		if err != nil {
			t.Fatal(err)
		}
		want := []string{
			`Headers("x-beta", "1")`, `HeadersRegexp("x-beta", "1")`, `Queries("x-beta", "1")`, `Accept("text/csv")`, `ContentType("text/csv")`,
			`ClientIP([::ffff:10.0.0.0/104, fd00::1/8], 192.0.2.1/32)`, `Schemes("HTTPS")`,
		}
		if got := rt.Matchers(); !slices.Equal(got, want) {
			t.Errorf("got %s, want %s", got, want)
		}
		r := muxtest.MatcherRequest("/?x-beta=1 | X-Beta: 1 | Content-Type: text/csv | X-Forwarded-For: 10.1.2.3 | tls")
		if e := m.Explain(r); e.Route != rt {
			t.Errorf("%v", e)
		}
	}
}
