package matcher

import (
	"fmt"
	"math/rand/v2"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"testing"

	"github.com/muxwell/muxwell/internal/clientaddr"
	"github.com/muxwell/muxwell/internal/mediatype"
	"github.com/muxwell/muxwell/internal/pattern"
)

// checkFindQuery compares FindQuery, and what finds a key in a query that was parsed,
// with net/url.
func checkFindQuery(t *testing.T, rawQuery, key string) (ok bool) {
	t.Helper()
	values := firstValues(rawQuery)
	want, wantOK := values.Get(key), values.Has(key)
	got, ok := FindQuery(rawQuery, key)
	if got != want || ok != wantOK {
		t.Errorf("key %q in %.200q: got %q, %t, url.ParseQuery says %q, %t", key, rawQuery, got, ok, want, wantOK)
	}
	parsed := parseQuery(rawQuery)
	for _, time := range []string{"first", "second"} { // the first one unescapes the value
		if got, ok := parsed.find(key); got != want || ok != wantOK {
			t.Errorf("key %q in %.200q, parsed, the %s time: got %q, %t, url.ParseQuery says %q, %t", key, rawQuery, time, got, ok, want, wantOK)
		}
	}
	part := QueryPart{Key: key, Segment: pattern.Segment{Kind: pattern.Literal, Text: want}}
	for _, st := range []*State{{}, {read: maxRead}, {parsed: new(parsedRequest)}, {parsed: &parsedRequest{query: parsed}}} {
		for range 2 {
			if got := st.MatchesQuery([]QueryPart{part}, rawQuery); got != wantOK {
				t.Errorf("%q=%q in %.200q, state %+v: got %t, want %t", key, want, rawQuery, st, got, wantOK)
			}
		}
	}
	return ok
}

// TestFindQuery compares FindQuery with net/url on generated queries.
func TestFindQuery(t *testing.T) {
	src := rand.New(rand.NewPCG(1, 2))
	parts := []string{"a", "b", "a=", "&a", "&b=", "&", "&", "=", "=", ";", "+", "%", "%61", "%2B", "%20", "%3d", "%26", "%zz", "%6", "%FF", "é", " ", "\x00"}
	keys := []string{"a", "b", "ab", "a b", "a+", "=", "&", "%", "%61", ";", "a;", "\xff", "é", " ", "\x00"}
	found := 0
	for range 200_000 {
		var b strings.Builder
		for range src.IntN(12) {
			b.WriteString(parts[src.IntN(len(parts))])
		}
		if checkFindQuery(t, b.String(), keys[src.IntN(len(keys))]) {
			found++
		}
	}
	if found < 5_000 {
		t.Errorf("only %d keys were found", found)
	}
}

func FuzzFindQuery(f *testing.F) {
	f.Add("a=1&b=2&a=3", "a")
	f.Add("a+b=%zz&a%20b=2;&a%20b", "a b")
	f.Add("&&=&%&%61=+", "a")
	f.Add(strings.Repeat("&", 999)+"a=%62", "a")
	f.Add("a=%62"+strings.Repeat("&", 1000), "a")
	f.Fuzz(func(t *testing.T, rawQuery, key string) {
		if key == "" {
			return // no option has such a key
		}
		checkFindQuery(t, rawQuery, key)
	})
}

func FuzzScheme(f *testing.F) {
	f.Add("10.0.0.1:80", "https, HTTP")
	f.Add("192.0.2.1:80", "https")
	f.Add("10.0.0.1", "\thttps\t")
	f.Add("10.0.0.1", "ws, wss")
	f.Add("10.0.0.1", "http,"+strings.Repeat(" ", 59)+"https")
	f.Add("10.0.0.1", "http,"+strings.Repeat(" ", 60)+"https")
	f.Add("10.0.0.1", strings.Repeat(" ", 59)+"https")
	f.Add("10.0.0.1", strings.Repeat(" ", 60)+"https")
	f.Fuzz(func(t *testing.T, peer, forwarded string) {
		r := httptest.NewRequest("GET", "/", nil)
		r.RemoteAddr = peer
		r.Header["X-Forwarded-Proto"] = []string{forwarded}
		want := "http"
		if addr, ok := clientaddr.Parse(peer); ok && netip.MustParsePrefix("10.0.0.0/8").Contains(addr) {
			all := strings.Split(forwarded, ",")
			last := all[len(all)-1]
			switch strings.ToLower(strings.Trim(last, " \t")) {
			case "https", "wss":
				if len(last) <= 64 {
					want = "https"
				}
			}
		}
		if got := Scheme(r, []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}); got != want {
			t.Errorf("peer %q, X-Forwarded-Proto %q: got %s, want %s", peer, forwarded, got, want)
		}
	})
}

// TestParseOnce: what many routes have matchers for is parsed once for a request, after
// as much of it was read as the longest query has.
func TestParseOnce(t *testing.T) {
	var query, accept strings.Builder
	for i := range 50 {
		fmt.Fprintf(&query, "&long-key-%d=value", i)
		fmt.Fprintf(&accept, ",text/x-%d", i)
	}
	for _, row := range []struct {
		kind    string
		add     func(s *Set, i int) error
		target  string
		accept  string
		kept    func(*parsedRequest) bool
		matches int // the route that matches
	}{
		{
			kind: "queries",
			add: func(s *Set, i int) error {
				return s.AddQueries([]string{"q", fmt.Sprintf("v%d", i)}, pattern.Rules{}, nil)
			},
			target:  "/?q=v99" + query.String(),
			kept:    func(p *parsedRequest) bool { return p.query != nil && p.accept == nil },
			matches: 99,
		},
		{
			kind:    "accept",
			add:     func(s *Set, i int) error { return s.AddAccept([]string{fmt.Sprintf("application/vnd.v%d", i)}) },
			target:  "/",
			accept:  "text/html,application/vnd.v98" + accept.String(),
			kept:    func(p *parsedRequest) bool { return p.query == nil && p.accept != nil },
			matches: 98,
		},
	} {
		r := httptest.NewRequest("GET", row.target, nil)
		if row.accept != "" {
			r.Header.Set("Accept", row.accept)
		}
		var st State
		for i := range 100 {
			var s Set
			if err := row.add(&s, i); err != nil {
				t.Fatal(err)
			}
			before := st
			if _, status := s.Ask(r, nil, &st); (status == 0) != (i == row.matches) {
				t.Errorf("%s, route %d: status %d", row.kind, i, status)
			}
			if st.read > maxRead || before.parsed != nil && st != before {
				t.Errorf("%s, route %d: the state is %+v after %+v; it is to stay once the request is parsed, and to be no more than %d bytes", row.kind, i, st, before, maxRead)
			}
		}
		if st.read == 0 || st.parsed == nil || !row.kept(st.parsed) {
			t.Errorf("%s: %d bytes read, parsed %+v", row.kind, st.read, st.parsed)
		}
	}
}

// TestStates: a request is matched alike, whatever was read of it before.
func TestStates(t *testing.T) {
	types := []string{"a/b", "a/c;x=1"}
	for _, header := range []string{"", "a/b", "a/c;x=1;q=0.5", "a/*;q=0.2, */*;q=0.1", "x/y", ";", strings.Repeat(",", 256), strings.Repeat(" ", 4097)} {
		var s Set
		if err := s.AddAccept(types); err != nil {
			t.Fatal(err)
		}
		lines := []string{header}
		want := 0
		if len(header) <= maxAccept && strings.Count(header, ",") < maxAcceptElements {
			want = mediatype.Quality(lines, s.Matchers[0].Accept)
		}
		for _, st := range []*State{{}, {read: maxRead}, {parsed: new(parsedRequest)}} {
			for range 2 {
				if got := st.acceptQuality(lines, s.Matchers[0].Accept); got != want {
					t.Errorf("Accept %.200q of %q, state %+v: got %d, want %d", header, types, st, got, want)
				}
			}
		}
	}
}

// firstValues returns the values of a query that is not too long.
func firstValues(rawQuery string) url.Values {
	if len(rawQuery) > MaxQuery || len(strings.Split(rawQuery, "&")) > maxQueryPairs {
		return nil
	}
	values, _ := url.ParseQuery(rawQuery)
	return values
}

// TestLongQueries: a query that is too long has none of the keys.
func TestLongQueries(t *testing.T) {
	var s Set
	if err := s.AddQueries([]string{"a", ""}, pattern.Rules{}, nil); err != nil {
		t.Fatal(err)
	}
	for query, want := range map[string]bool{
		"a&" + strings.Repeat("&", maxQueryPairs-2): true,
		"a&" + strings.Repeat("&", maxQueryPairs-1): false,
		"a=" + strings.Repeat("1", MaxQuery-2):      true,
		"a=" + strings.Repeat("1", MaxQuery-1):      false,
	} {
		for _, st := range []*State{{}, {read: maxRead}} {
			if got := st.MatchesQuery(s.Queries, query); got != want {
				t.Errorf("query of %d bytes: %t, want %t", len(query), got, want)
			}
		}
	}
}
