package main

import (
	"context"
	"flag"
	"fmt"
	"net/http"
	"strings"

	"github.com/muxwell/muxwell"
)

const matchLong = `
It prints the route that matches the request, with its parameters. If no route
matches, it prints the answer: a redirect, 404, 405, 406 or 415. Then it prints
the other routes that matched or nearly did, each with the rule that decided.

` + fileHelp + `
METHOD is a request method; it is case-sensitive. URL is escaped, as clients send
it. It is a path with or without a query, /users/42?x=1, for the host localhost,
or an absolute URL, http://api.example.com/users/42. With https:// the request
is one over TLS. For CONNECT, URL may be HOST:PORT; of an absolute URL the part
after :// is used, including the port.

The request has the headers that -H adds, and no others: no Accept, no body.

With -json it prints an object with these members, all of them always:

  method, host, path   the request as it is compared with patterns
  route                pattern and source of the route that matches, or null
  params               its parameters, in the order of the pattern; those of the
                       query come last
  status               of the answer if no route matches, otherwise 0
  location, allow      of a redirect, or "", and of a 405, or []
  others               pattern, source, matched and reason of other routes

It exits with 0 if a route matches the request, with 1 if none does, and with 2
if the list has errors.`

func matchCommand() command {
	return command{
		name:     "match",
		operands: "FILE METHOD URL",
		short:    "explain which route of a list matches a request, and why",
		long:     matchLong,
		setup: func(fs *flag.FlagSet) runner {
			call := &matchCall{remoteAddr: "127.0.0.1:0"}
			fs.BoolVar(&call.json, "json", false, "print JSON")
			fs.Func("H", "add a `HEADER` to the request, NAME:VALUE, as in \"Accept: text/csv\";\nmay be repeated", func(text string) error {
				h, err := parseHeader(text)
				call.header = append(call.header, h)
				return err
			})
			fs.Func("client", "set the client address of the request to `ADDR` (default 127.0.0.1)", func(text string) (err error) {
				call.remoteAddr, err = parseClient(text)
				return err
			})
			return call.run
		},
	}
}

// A matchCall is a call of match with its flags.
type matchCall struct {
	json       bool
	header     [][2]string
	remoteAddr string
}

// run checks the arguments, loads the list and explains the request.
func (c *matchCall) run(ctx context.Context, std stdio, operands []string) error {
	switch n := len(operands); {
	case n < 3:
		return &usageError{reason: "match takes three operands, FILE METHOD URL, such as routes.txt GET /users/42"}
	case n > 3:
		return &usageError{reason: "match takes one request, not " + strings.Join(operands[1:], " ")}
	}
	r, err := parseRequest(operands[1], operands[2], c.header...)
	if err != nil {
		return err
	}
	r.RemoteAddr = c.remoteAddr
	m, err := loadFile(ctx, std, operands[0], loadMux)
	if err != nil {
		return &graverError{err, 2}
	}
	e := m.Explain(r)
	if c.json {
		printJSON(std.out, matchJSONOf(e))
	} else {
		fmt.Fprint(std.out, printable(e.String()))
	}
	if e.Route != nil {
		return nil
	}
	if h := hint(m, r); h != "" {
		fmt.Fprintf(std.err, "muxwell match: %s\n", printable(h))
	}
	return errSaid
}

// hint returns what may be wrong with a request that no route matches, or "".
func hint(m *muxwell.Mux, r *http.Request) string {
	if upper := strings.ToUpper(r.Method); upper != r.Method {
		again := r.Clone(r.Context())
		again.Method = upper
		if e := m.Explain(again); e.Route != nil || e.Location != "" {
			return fmt.Sprintf("methods are case-sensitive; did you mean %s?", upper)
		}
	}
	switch {
	case r.Method == http.MethodConnect && r.URL.Path == "":
		return fmt.Sprintf("the request has no path, but every pattern has one; to request a path write http://%s/", r.Host)
	case strings.Contains(r.RequestURI, "#"):
		return "the URL has a #, which is treated as part of the path; clients do not send it or what follows"
	}
	return ""
}

// matchJSON is an explanation as JSON.
type matchJSON struct {
	Method   string      `json:"method"`
	Host     string      `json:"host"`
	Path     string      `json:"path"`
	Route    *routeRef   `json:"route"`
	Params   paramsJSON  `json:"params"`
	Status   int         `json:"status"`
	Location string      `json:"location"`
	Allow    []string    `json:"allow"`
	Others   []otherJSON `json:"others"`
}

type otherJSON struct {
	routeRef
	Matched bool   `json:"matched"`
	Reason  string `json:"reason"`
}

func matchJSONOf(e *muxwell.Explanation) matchJSON {
	j := matchJSON{
		Method: e.Method, Host: e.Host, Path: e.Path, Route: refTo(e.Route),
		Status: e.Status, Location: e.Location, Allow: append([]string{}, e.Allow...), Others: []otherJSON{},
	}
	for name, value := range e.Params.All() {
		j.Params = append(j.Params, [2]string{name, value})
	}
	for _, o := range e.Others {
		j.Others = append(j.Others, otherJSON{*refTo(o.Route), o.Matched, o.Reason})
	}
	return j
}
