package main

import "testing"

func TestNegotiate(t *testing.T) {
	const page, data = "text/html", "application/json"
	tests := []struct {
		accept []string
		want   string
	}{
		{nil, page},
		{[]string{""}, page},
		{[]string{"*/*"}, page},
		{[]string{"text/html"}, page},
		{[]string{"application/json"}, data},
		{[]string{"Application/JSON"}, data},
		{[]string{"application/*"}, data},
		{[]string{"application/json, text/html"}, page},
		{[]string{"application/json, text/html;q=0.9"}, data},
		{[]string{"application/json;q=0.5,text/html;q=0.4"}, data},
		{[]string{"application/json ; q=0.5 , text/html ; q=0.6"}, page},
		{[]string{"text/html;Q=0.1, application/json;Q=0.2"}, data},
		{[]string{"text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8"}, page},
		// The most specific range decides.
		{[]string{"*/*, text/html;q=0.5"}, data},
		{[]string{"*/*;q=0.9, text/*;q=0.1"}, data},
		{[]string{"text/*;q=0.1, text/html"}, page},
		{[]string{"text/html;q=0, */*;q=0.001"}, data},
		{[]string{"application/json;q=0, */*"}, page},
		// Several lines are one list.
		{[]string{"text/html;q=0.2", "application/json;q=0.3"}, data},
		// Who likes nothing of it is given the first.
		{[]string{"image/png"}, page},
		{[]string{"text/html;q=0, application/json;q=0"}, page},
		// Malformed ranges do not count.
		{[]string{"text/html;q=2, application/json;q=0.1"}, data},
		{[]string{"text/html;q=x, application/json;q=0.1"}, data},
		{[]string{"text/html;q=-1, application/json;q=0.1"}, data},
		{[]string{"text/html;q=1e0, application/json;q=0.1"}, data},
		{[]string{"text/html;q=0.0001, application/json;q=0.001"}, data},
		{[]string{"text/html;q, application/json;q=0.1"}, data},
		{[]string{";;,,/, application/json"}, data},
		// Other parameters do not count, whatever they are.
		{[]string{`application/json;a="x,y;q=0\"";q=0.7, text/html;q=0.6`}, data},
		{[]string{"application/json;version=2"}, data},
	}
	for _, tt := range tests {
		if got := negotiate(tt.accept, page, data); got != tt.want {
			t.Errorf("negotiate(%q) = %s, want %s", tt.accept, got, tt.want)
		}
	}
}
