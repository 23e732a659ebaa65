package source

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/internal/routelist"
	"github.com/muxwell/muxwell/routebench/route"
	"github.com/muxwell/muxwell/routes"
)

func TestList(t *testing.T) {
	tests := []struct{ list, want string }{
		{"GET /a\n# no route\n\nPOST\t/b  # why\n", "l:1 GET /a, l:4 POST /b"},
		{"GET,POST example.com/{x:[a b]+}", "l:1 GET example.com/{x:[a b]+}, l:1 POST example.com/{x:[a b]+}"},
		{"/a", "l:1 GET /a, l:1 HEAD /a, l:1 POST /a, l:1 PUT /a, l:1 PATCH /a, l:1 DELETE /a, l:1 OPTIONS /a"},
		// What another line has is left out, in whatever words it says so.
		{"/a/{x}\nPOST,PATCH /a/{y}\nHEAD /a/%7Bx}\nLINK /a/{x}", "l:1 GET /a/{x}, l:1 HEAD /a/{x}, l:1 PUT /a/{x}, l:1 DELETE /a/{x}, " +
			"l:1 OPTIONS /a/{x}, l:2 POST /a/{y}, l:2 PATCH /a/{y}, l:3 HEAD /a/%7Bx}, l:4 LINK /a/{x}"},
		{"GET /a\n/a", "l:1 GET /a, l:2 POST /a, l:2 PUT /a, l:2 PATCH /a, l:2 DELETE /a, l:2 OPTIONS /a"},
		{"HEAD,OPTIONS,PUT,PATCH,DELETE /a\n/a", "l:1 HEAD /a, l:1 OPTIONS /a, l:1 PUT /a, l:1 PATCH /a, l:1 DELETE /a, l:2 GET /a, l:2 POST /a"},
		{"GET /a name=x meta=k:v", "l:1 GET /a"},
		{"GET /a header=X-A:1\nGET /a", "l:1 GET /a +1, l:2 GET /a"},
		{"POST /a name=x header=X-A:1 query=q accept=text/csv client=::1 trusted=127.0.0.1", "l:1 POST /a +4"},
		{"GET,HEAD,POST,PUT,PATCH,DELETE,OPTIONS /a\n/a", "l:1 GET /a, l:1 HEAD /a, l:1 POST /a, l:1 PUT /a, l:1 PATCH /a, l:1 DELETE /a, l:1 OPTIONS /a"},
	}
	for _, tt := range tests {
		rs, err := List("l", strings.NewReader(tt.list))
		var got []string
		for _, r := range rs {
			text := r.Source + " " + r.Text
			if len(r.Options) > 0 {
				text += fmt.Sprintf(" +%d", len(r.Options))
			}
			got = append(got, text)
		}
		if err != nil || strings.Join(got, ", ") != tt.want {
			t.Errorf("List(%q) =\n\t%s, error %v, want\n\t%s", tt.list, strings.Join(got, ", "), err, tt.want)
		}
		if _, err := NewOracle(rs); err != nil {
			t.Errorf("List(%q): its routes conflict with each other: %v", tt.list, err)
		}
	}
}

func TestListErrors(t *testing.T) {
	tests := []struct {
		list string
		want []string
	}{
		{"", []string{"l: ", "the list has no routes"}},
		{"# nothing", []string{"the list has no routes"}},
		{"GET /a\nGET /{x\n", []string{"l:2: '{' is never closed", "2 | GET /{x", "^"}},
		{"GET /a/{x}\nGET /a/{y}", []string{"l:2: conflicts with line 1", "1 | GET /a/{x}", "2 | GET /a/{y}"}},
		{"GET /{x\nGET /a b\nGET /a header=:", []string{"l:1: ", "l:2: ", "l:3: "}},
		{"/ok\n  /a//b", []string{"l:2: no GET request reaches this path", "2 |   /a//b\n\t  |      ^"}},
		{"GET /a\x00", []string{"l:1: ", "binary"}},
		{"GET /a\nGET /\xff", []string{"l:2: ", "UTF-8"}},
		{"GET /" + strings.Repeat("a/", 1<<16), []string{"l:1: ", "is this a route list?"}},
		{"GET /{x:" + strings.Repeat("(", 5000) + "}", []string{"l:1: "}},
		{"openapi: 3.0.0\npaths:\n", []string{"l:1: "}},
	}
	for _, tt := range tests {
		rs, err := List("l", strings.NewReader(tt.list))
		if err == nil || rs != nil {
			t.Errorf("List(%.40q) = %v, %v, want an error only", tt.list, rs, err)
			continue
		}
		for _, want := range tt.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("List(%.40q): error\n%v\nwant %q in it", tt.list, err, want)
			}
		}
		if _, ok := errors.AsType[routelist.Errors](err); !ok {
			t.Errorf("List(%.40q): the error is a %T, want routelist.Errors", tt.list, err)
		}
	}
}

// TestListsThereAre reads the lists of the repository, and asks for each route.
func TestListsThereAre(t *testing.T) {
	names, err := routes.FS.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range names {
		f, err := routes.FS.Open(entry.Name())
		if err != nil {
			t.Fatal(err)
		}
		rs, err := List(entry.Name(), f)
		f.Close()
		if err != nil {
			t.Errorf("%s: %v", entry.Name(), err)
			continue
		}
		checkSamples(t, entry.Name(), rs, nil)
	}
}

// TestListLong reads a list with as many routes as anyone compares.
func TestListLong(t *testing.T) {
	const n = 100_000
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "GET /p%d/{id}/x/{name}\n", i)
	}
	rs, err := List("long", strings.NewReader(b.String()))
	if err != nil || len(rs) != n {
		t.Fatalf("List of %d lines = %d routes, error %v", n, len(rs), err)
	}
	if got, want := rs[n-1].Source, fmt.Sprintf("long:%d", n); got != want {
		t.Errorf("source of the last route is %q, want %q", got, want)
	}
	o, err := NewOracle(rs)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < n; i += n / 100 {
		if q, ok := o.Sample(i, rand.New(rand.NewPCG(1, 1))); !ok || q.Route != i {
			t.Errorf("%s: the request %v does not reach it", rs[i], q)
		}
	}
}

// FuzzList checks that the routes of a list do not conflict with each other, and
// answer as the list does in muxwell.
func FuzzList(f *testing.F) {
	f.Add("GET /a\n/a/{x}\nPOST,PUT {t}.example.com/{y...}  name=n header=X:1 # why")
	f.Add("/{x:int}\nGET /{x}\nHEAD /{x}\n/\n")
	f.Add("\ufeffCONNECT a//b\r\n*/a query=q={q} client=::1 trusted=10.0.0.0/8")
	f.Fuzz(func(t *testing.T, list string) {
		rs, err := List("l", strings.NewReader(list))
		if err != nil {
			return
		}
		o, err := NewOracle(rs)
		if err != nil {
			t.Fatalf("List(%q) = %v, which conflict with each other: %v", list, rs, err)
		}
		m := muxwell.New()
		if err := routelist.Load(m, "l", strings.NewReader(list), noEntry); err != nil {
			t.Fatalf("List(%q) = %v, but muxwell says %v", list, rs, err)
		}
		qs, _ := o.Samples(1)
		for _, q := range qs {
			_, pattern := m.Handler(q.HTTP)
			if !hasMethods(pattern) && !slices.Contains(anyMethods, q.HTTP.Method) {
				continue // List makes a route for any method one for those seven
			}
			if path := rs[q.Route].Host + pathOf(rs[q.Route]); !strings.HasSuffix(pattern, path) {
				t.Fatalf("list %q: %s goes to %s, but in muxwell to %q", list, q, rs[q.Route], pattern)
			}
		}
	})
}

func hasMethods(pattern string) bool {
	i := strings.IndexAny(pattern, " \t/{")
	return i >= 0 && (pattern[i] == ' ' || pattern[i] == '\t')
}

func pathOf(r *route.Route) string { return strings.TrimPrefix(r.Text, r.Method+" "+r.Host) }

// checkSamples checks that each route but those that nothing reaches has a request
// that its oracle sends to it.
func checkSamples(t *testing.T, name string, rs []*route.Route, unreachable []int) []*route.Request {
	t.Helper()
	o, err := NewOracle(rs)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return nil
	}
	qs, missed := o.Samples(7)
	if !slices.Equal(missed, unreachable) {
		t.Errorf("%s: no request for routes %v, want none for %v", name, missed, unreachable)
	}
	if len(qs)+len(missed) != len(rs) {
		t.Errorf("%s: %d requests and %d unreachable of %d routes", name, len(qs), len(missed), len(rs))
	}
	want := 0
	for _, q := range qs {
		for slices.Contains(missed, want) {
			want++
		}
		names := rs[want].Names()
		if q.Route != want || q.Status != 200 || len(q.Values) != len(names) || q.HTTP.Method != rs[want].Method {
			t.Errorf("%s: %s has route %d, status %d, values %q, want route %d (%s), 200, and values of %q", name, q, q.Route, q.Status, q.Values, want, rs[want], names)
		}
		want++
	}
	return qs
}
