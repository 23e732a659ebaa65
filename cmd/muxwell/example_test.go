package main

import (
	"slices"
	"testing"
)

func TestExample(t *testing.T) {
	tests := []struct {
		list string
		want []string // an example for each route
	}{
		{"GET /a", []string{"/a"}},
		{"POST /a", []string{""}},
		{"HEAD /a", []string{""}},
		{"POST,GET /a", []string{"/a"}},
		{"/a", []string{"/a"}},
		{"example.com/a", []string{""}},
		{"GET /u/{id}/p/{n}", []string{"/u/id/p/n"}},
		{"GET /f/{path...}", []string{"/f/path"}},
		{"GET /f/\nGET /g/{$}", []string{"/f/", "/g/"}},
		{"GET /", []string{"/"}},
		{"GET /{$}", []string{"/"}},
		// The text of a pattern may be escaped or not, or by mistake.
		{"GET /a%20b/%7B/%2F", []string{"/a%20b/%7B/%2F"}},
		{"GET /a?b#c", []string{"/a%3Fb%23c"}},
		{"GET /%zz", []string{"/%25zz"}},
		{"GET /é/{ü}", []string{"/%C3%A9/%C3%BC"}},
		{"GET /{a b}/{%}", []string{"/a%20b/%25"}},
		// Where another route takes the example, another value is tried.
		{"GET /{x}\nGET /x", []string{"/xx", "/x"}},
		{"GET /{x}\nGET /x\nGET /xx", []string{"/a", "/x", "/xx"}},
		// Values are what the constraints take.
		{"GET /{id:int}", []string{"/0"}},
		{"GET /{y:[0-9]{4}}-{m:[0-9]{2}}.html", []string{"/0000-00.html"}},
		{"GET /{x:[{}]+}/{name}.{ext}", []string{"/%7B/name.ext"}},
		{"GET /{x:uint}\nGET /{y:int}", []string{"/0", "/-0"}},
		{"GET /{x:int}\nGET /{y:uint}", []string{"/0", ""}},
		{"GET {t}.example.com/a\nGET *.example.com/b", []string{"", ""}},
		{"GET /{p...}/raw", []string{"/p/raw"}},
		// What a link cannot ask for.
		{"GET /a header=X\nGET /a name=a\nGET /b client=::1", []string{"", "/a", ""}},
		// No request reaches these without a redirect.
		{"//a", []string{""}},
		{"/a/../b", []string{"/a/%2E%2E/b"}},
		{"GET /{..}", []string{"/x"}},
	}
	for _, tt := range tests {
		s := mustSite(t, tt.list)
		var got []string
		for _, rt := range s.routes {
			got = append(got, s.example(rt))
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("examples for %q: %q, want %q", tt.list, got, tt.want)
		}
	}
}
