package suite_test

import (
	"testing"

	"github.com/muxwell/muxwell/gorilla/mux"
)

// This file replaces TestHost of mux_test.go, and TestHostMatcher of old_test.go.

func host(template string) func(*mux.Router) *mux.Route {
	return func(r *mux.Router) *mux.Route { return r.Host(template) }
}

func TestHost(t *testing.T) {
	check(t, []matching{
		{
			name: "in the request line", route: host("api.shop.test"),
			req: request("GET", "http://api.shop.test/x"), url: "http://api.shop.test",
		},
		{
			name: "another in the request line", route: host("api.shop.test"),
			req: request("GET", "http://api.other.test/x"), miss: true,
		},
		{
			name: "in the header", route: host("api.shop.test"),
			req: withHost("GET", "/x", "api.shop.test"), url: "http://api.shop.test",
		},
		{
			name: "another in the header", route: host("api.shop.test"),
			req: withHost("GET", "/x", "api.other.test"), miss: true,
		},
		{
			name: "a longer one", route: host("shop.test"),
			req: withHost("GET", "/x", "api.shop.test"), miss: true,
		},
		{
			name: "with a port that the template leaves open", route: host("api.shop.test"),
			req: withHost("GET", "/x", "api.shop.test:8080"),
		},
		{
			name: "with the port of the template", route: host("api.shop.test:8080"),
			req: request("GET", "http://api.shop.test:8080/x"), url: "http://api.shop.test:8080",
		},
		{
			name: "with another port in the request line", route: host("api.shop.test:8080"),
			req: request("GET", "http://api.shop.test:9090/x"), miss: true,
		},
		{
			name: "with the port in the header", route: host("api.shop.test:8080"),
			req: withHost("GET", "/x", "api.shop.test:8080"),
		},
		{
			name: "with another port in the header", route: host("api.shop.test:8080"),
			req: withHost("GET", "/x", "api.shop.test:9090"), miss: true,
		},
		{
			name: "without the port of the template", route: host("api.shop.test:8080"),
			req: withHost("GET", "/x", "api.shop.test"), miss: true,
		},
	})
}

func TestHostVariables(t *testing.T) {
	three := "{a:[a-z]{3}}.{b:[a-z]{3}}.{c:[a-z]{3}}"
	check(t, []matching{
		{
			name: "plain", route: host("{tenant}.shop.test"), hostTemplate: "{tenant}.shop.test",
			req: withHost("GET", "/", "acme.shop.test"), vars: vars{"tenant": "acme"}, url: "http://acme.shop.test",
		},
		{
			name: "plain ends at a dot", route: host("{tenant}.shop.test"),
			req: withHost("GET", "/", "eu.acme.shop.test"), miss: true,
		},
		{
			name: "regexp", route: host("api.{zone:[a-z]{2}}.test"), hostTemplate: "api.{zone:[a-z]{2}}.test",
			req: request("GET", "http://api.eu.test/"), vars: vars{"zone": "eu"}, url: "http://api.eu.test",
		},
		{
			name: "regexp, another value", route: host("api.{zone:[a-z]{2}}.test"),
			req: request("GET", "http://api.e1.test/"), miss: true,
		},
		{
			name: "regexp with a group", route: host("api.{zone:[a-z](?:u|s)}.test"),
			req: request("GET", "http://api.us.test/"), vars: vars{"zone": "us"}, url: "http://api.us.test",
		},
		{
			name: "in the port too", route: host("{zone:[a-z]{2}}.test:80{n:(?:80|1)}"),
			req: withHost("GET", "/", "eu.test:8080"), vars: vars{"zone": "eu", "n": "80"}, url: "http://eu.test:8080",
		},
		{
			name: "for all of the port", route: host("{zone}.test:{port:.*}"),
			req: withHost("GET", "/", "eu.test:65535"), vars: vars{"zone": "eu", "port": "65535"},
			url: "http://eu.test:65535",
		},
		{
			name: "several", route: host(three), hostTemplate: three,
			req: request("GET", "http://one.two.six/"), vars: vars{"a": "one", "b": "two", "c": "six"},
			url: "http://one.two.six",
		},
		{
			name: "several, with a port that they leave open", route: host(three),
			req: withHost("GET", "/", "one.two.six:81"), vars: vars{"a": "one", "b": "two", "c": "six"},
		},
		{
			name: "several, one does not match", route: host(three),
			req: request("GET", "http://one.222.six/"), miss: true,
		},
		{
			name: "name with a hyphen", route: host("{the-zone:[a-z]{2}(?:1|2)}.test"),
			req: request("GET", "http://eu1.test/"), vars: vars{"the-zone": "eu1"}, url: "http://eu1.test",
		},
	})
}
