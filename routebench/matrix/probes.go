package matrix

import "slices"

// Probes returns the probes in the order of reports: what patterns can express, how routes
// are chosen, what handlers see, and what is safe.
func Probes() []Probe {
	return slices.Concat(patterns, choices, paths, methods, safety)
}

// patterns has the probes about what can be registered.
var patterns = []Probe{
	{
		Name: "parameter", About: "A parameter matches one segment.",
		Routes: []string{"GET /users/{id}/posts/{post}"},
		Requests: []Request{
			{Target: "GET /users/7/posts/a.b-c", Values: []string{"7", "a.b-c"}},
			{Target: "GET /users/7/posts", Route: None},
			{Target: "GET /users/7/posts/a/b", Route: None},
		},
	},
	{
		Name: "catch-all", About: "A parameter at the end matches the rest of the path, including slashes.",
		Routes: []string{"GET /files/{path...}"},
		Requests: []Request{
			{Target: "GET /files/a", Values: []string{"a"}},
			{Target: "GET /files/a/b/c.txt", Values: []string{"a/b/c.txt"}},
		},
	},
	{
		Name: "catch-all in the middle", About: "More of the pattern follows a parameter for several segments.",
		Routes: []string{"GET /repos/{path...}/raw/{file}"},
		Requests: []Request{
			{Target: "GET /repos/a/raw/x", Values: []string{"a", "x"}},
			{Target: "GET /repos/a/b/c/raw/x", Values: []string{"a/b/c", "x"}},
			{Target: "GET /repos/a/b", Route: None},
		},
	},
	{
		Name: "expression", About: "A parameter matches only values that a regular expression matches as a whole.",
		Routes: []string{"GET /orders/{id:[0-9]+}"},
		Requests: []Request{
			{Target: "GET /orders/42", Values: []string{"42"}},
			{Target: "GET /orders/x", Route: None},
			{Target: "GET /orders/4x", Route: None},
			{Target: "GET /orders/x4", Route: None},
		},
	},
	{
		Name: "text before a parameter", About: "A segment is literal text and then a parameter.",
		Routes: []string{"GET /v{version}/status"},
		Requests: []Request{
			{Target: "GET /v2/status", Values: []string{"2"}},
			{Target: "GET /w2/status", Route: None},
		},
	},
	{
		Name: "text behind a parameter", About: "A segment is a parameter and then literal text.",
		Routes: []string{"GET /files/{name}.json"},
		Requests: []Request{
			{Target: "GET /files/report.json", Values: []string{"report"}},
			{Target: "GET /files/report.xml", Route: None},
		},
	},
	{
		Name: "two parameters in a segment", About: "A segment has two parameters with a dot between them.",
		Routes: []string{"GET /files/{name}.{ext}"},
		Requests: []Request{
			{Target: "GET /files/report.pdf", Values: []string{"report", "pdf"}},
			{Target: "GET /files/report", Route: None},
		},
	},
	{
		Name: "a colon is text", About: "Literal text may have a colon, as it does in Google's APIs.",
		Routes: []string{"GET /jobs:run"},
		Requests: []Request{
			{Target: "GET /jobs:run"},
			{Target: "GET /jobs:stop", Route: None},
			{Target: "GET /jobsrun", Route: None},
		},
	},
	{
		Name:   "different names at one place",
		About:  "Routes call the parameter of the same segment differently.",
		Routes: []string{"GET /users/{id}", "GET /users/{name}/posts", "DELETE /users/{user}"},
		judge:  ownNames,
		Requests: []Request{
			{Target: "GET /users/7", Values: []string{"7"}},
			{Target: "GET /users/7/posts", Route: 1, Values: []string{"7"}},
			{Target: "DELETE /users/7", Route: 2, Values: []string{"7"}},
		},
	},
	{
		Name: "hosts", About: "A pattern holds for one host, whatever the port; a router for each host does not count.",
		Routes: []string{"GET api.example.com/a", "GET /a"},
		Requests: []Request{
			{Target: "GET api.example.com/a"},
			{Target: "GET api.example.com:8080/a"},
			{Target: "GET www.example.com/a", Route: 1},
		},
	},
	{
		Name: "parameters in hosts", About: "A label of the host is a parameter.",
		Routes: []string{"GET {tenant}.example.com/a/{x}"},
		Requests: []Request{
			{Target: "GET acme.example.com/a/b", Values: []string{"acme", "b"}},
			{Target: "GET example.com/a/b", Route: None},
		},
	},
}

// choices has the probes about which of several routes answers.
var choices = []Probe{
	{
		Name: "literal beside parameter", About: "A literal segment wins over a parameter if it was registered first.",
		Routes: []string{"GET /users/me", "GET /users/{id}"},
		Requests: []Request{
			{Target: "GET /users/me"},
			{Target: "GET /users/7", Route: 1, Values: []string{"7"}},
			{Target: "GET /users/mega", Route: 1, Values: []string{"mega"}},
		},
	},
	{
		Name: "in any order", About: "A literal segment wins over a parameter even if it was registered later.",
		Routes: []string{"GET /users/{id}", "GET /users/me"},
		Requests: []Request{
			{Target: "GET /users/me", Route: 1},
			{Target: "GET /users/7", Values: []string{"7"}},
		},
	},
	{
		Name: "literal beside catch-all", About: "A literal path wins over a catch-all that matches it too.",
		Routes: []string{"GET /files/index", "GET /files/{path...}"},
		Requests: []Request{
			{Target: "GET /files/index"},
			{Target: "GET /files/a/b", Route: 1, Values: []string{"a/b"}},
			{Target: "GET /files/index/b", Route: 1, Values: []string{"index/b"}},
		},
	},
	{
		Name: "backtracking", About: "A literal segment that leads nowhere does not hide a parameter that leads to a route.",
		Routes: []string{"GET /a/b/c", "GET /a/{x}/d"},
		Requests: []Request{
			{Target: "GET /a/b/c"},
			{Target: "GET /a/b/d", Route: 1, Values: []string{"b"}},
		},
	},
	{
		Name:   "overlapping routes",
		About:  "Two routes may match the same path although neither is more specific; net/http refuses this on purpose.",
		Routes: []string{"GET /a/{x}", "GET /{y}/b"},
		Requests: []Request{
			{Target: "GET /a/c", Values: []string{"c"}},
			{Target: "GET /c/b", Route: 1, Values: []string{"c"}},
			{Target: "GET /a/b", Route: Any},
		},
	},
	{
		Name: "duplicates refused", About: "The same route is not registered twice without an error.",
		Routes: []string{"GET /users/{id}", "GET /users/{id}"},
		judge:  duplicate,
	},
}

// paths has the probes about paths.
var paths = []Probe{
	{
		Name: "values are decoded", About: "Handlers see a%20b as two letters with a space between them; some routers have an option for it, which is off by default.",
		Routes:   []string{"GET /a/{x}/c"},
		Requests: []Request{{Target: "GET /a/a%20b/c", Values: []string{"a b"}}},
	},
	{
		Name: "decoded once", About: "The value of %2541 is %41, not A.",
		Routes:   []string{"GET /a/{x}/c"},
		Requests: []Request{{Target: "GET /a/%2541/c", Values: []string{"%41"}}, {Target: "GET /a/100%25/c", Values: []string{"100%"}}},
	},
	{
		Name: "a plus is a plus", About: "In a path, + is not a space; it is one only in queries and forms.",
		Routes:   []string{"GET /a/{x}/c"},
		Requests: []Request{{Target: "GET /a/a+b/c", Values: []string{"a+b"}}, {Target: "GET /a/a+b%20c/c", Values: []string{"a+b c"}}},
	},
	{
		Name: "escaped slash", About: "A slash sent as %2F is part of a parameter's value; some routers have an option for it, which is off by default.",
		Routes:   []string{"GET /a/{x}/c"},
		Requests: []Request{{Target: "GET /a/a%2Fb/c", Values: []string{"a/b"}}},
	},
	{
		Name: "UTF-8", About: "Patterns and values may be in any script.",
		Routes: []string{"GET /straße/{x}"},
		Requests: []Request{
			{Target: "GET /stra%C3%9Fe/%E6%9D%B1%E4%BA%AC", Values: []string{"東京"}},
			{Target: "GET /strasse/a", Route: None},
		},
	},
	{
		Name:   "no empty values",
		About:  "A parameter does not match an empty segment: a 404, a redirect and the route of the cleaned path are right.",
		Routes: []string{"GET /users/{id}", "GET /users/{id}/posts"},
		judge:  empty,
	},
	{
		Name:   "dot segments",
		About:  "/a/../b is not below /a: it is redirected, refused, or answered as /b.",
		Routes: []string{"GET /a/{x}/{y}", "GET /b"},
		judge:  dots,
	},
	{
		Name:   "trailing slash",
		About:  "A path with an additional slash is another path: it is redirected or not found; some routers serve it on purpose.",
		Routes: []string{"GET /a", "GET /b/{x}"},
		Requests: []Request{
			{Target: "GET /a"},
			{Target: "GET /a/", Route: None},
			{Target: "GET /b/c/", Route: None},
		},
	},
	{
		Name:   "case",
		About:  "Paths differ in case: the wrong one is redirected or not found; some routers serve it on purpose.",
		Routes: []string{"GET /About"},
		Requests: []Request{
			{Target: "GET /About"},
			{Target: "GET /about", Route: None},
		},
	},
}

// methods has the probes about methods.
var methods = []Probe{
	{
		Name: "405 with Allow", About: "A method for which the path has no route is answered with 405 and the allowed methods.",
		Routes: []string{"GET /a", "POST /a", "DELETE /b/{x}"},
		Requests: []Request{
			{Target: "PUT /a", Allow: []string{"GET", "POST"}},
			{Target: "GET /b/c", Allow: []string{"DELETE"}},
			{Target: "GET /c", Route: None},
		},
	},
	{
		Name:   "OPTIONS",
		About:  "OPTIONS is answered with the methods in Allow, and with 200, 204 or 405.",
		Routes: []string{"GET /a", "POST /a"},
		Requests: []Request{
			{Target: "OPTIONS /a", Allow: []string{"GET", "POST"}},
		},
	},
	{
		Name: "HEAD", About: "A route for GET also answers HEAD, without an option, middleware or another route.",
		Routes:   []string{"GET /a", "GET /b/{x}"},
		Requests: []Request{{Target: "HEAD /a"}, {Target: "HEAD /b/c", Route: 1, Values: []string{"c"}}},
	},
	{
		Name: "any method", About: "A route may have a method for which net/http has no constant.",
		Routes: []string{"PROPFIND /dav/{x}", "GET /dav/{x}"},
		Requests: []Request{
			{Target: "PROPFIND /dav/a", Values: []string{"a"}},
			{Target: "GET /dav/a", Route: 1, Values: []string{"a"}},
		},
	},
}

// safety has the probes about what handlers may keep.
var safety = []Probe{
	{
		Name: "values may be kept", About: "A string that a handler read does not change after the request.",
		Routes: []string{"GET /a/{x}"},
		judge:  keepsValues,
	},
	{
		Name:   "context may be kept",
		About:  "What handlers get returns the same values after the request, for example in a goroutine; frameworks that reuse contexts require a copy.",
		Routes: []string{"GET /a/{x}"},
		judge:  keepsContext,
	},
}
