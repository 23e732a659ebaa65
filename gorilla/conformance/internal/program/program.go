// Package program represents the use of a router package as data. A program has the
// calls that build routers and the requests that they answer; a result has what each call
// returned. One program runs with two packages, and the first call with different results is
// a difference between the packages. Because a program is data, it can be generated at
// random, reduced to the relevant calls, and printed as Go.
package program

import (
	"crypto/tls"
	"net/http"
	"net/url"
	"strings"
)

// A Program is a list of calls in the order of their execution.
type Program []Op

// An Op is one call. Values, which are routers and routes, have numbers that are
// unique in their program, from 1.
type Op struct {
	Call Call
	On   int      // the value it is called on, 0 for a function
	Out  int      // the value it makes, 0 for none
	Args []string // the arguments that are strings
	Nums []int    // the others: handlers, middleware, functions, flags, values
	Req  *Request // the request, if the call needs one
}

// A Call is the function or method of an Op. A method that both routers and routes have
// creates a new route when it is called on a router.
type Call string

// The calls that create values.
const (
	NewRouter  Call = "NewRouter"
	ZeroRouter Call = "new(Router)"
	ZeroRoute  Call = "new(Route)"
	NewRoute   Call = "NewRoute"
	Handle     Call = "Handle"     // Args: template; Nums: handler
	HandleFunc Call = "HandleFunc" // Args: template; Nums: handler
	Subrouter  Call = "Subrouter"
)

// The calls that set up routers.
const (
	StrictSlash             Call = "StrictSlash" // Nums: 0 or 1
	SkipClean               Call = "SkipClean"   // Nums: 0 or 1
	UseEncodedPath          Call = "UseEncodedPath"
	OmitRouteFromContext    Call = "OmitRouteFromContext"    // Nums: 0 or 1
	OmitRouterFromContext   Call = "OmitRouterFromContext"   // Nums: 0 or 1
	UseCORS                 Call = "CORSMethodMiddleware"    // Nums: router it is made for
	NotFoundHandler         Call = "NotFoundHandler"         // Nums: handler
	MethodNotAllowedHandler Call = "MethodNotAllowedHandler" // Nums: handler
)

// The calls that set up routes. Use is one of routers too.
const (
	Path          Call = "Path"
	PathPrefix    Call = "PathPrefix"
	Host          Call = "Host"
	Headers       Call = "Headers"
	HeadersRegexp Call = "HeadersRegexp"
	Queries       Call = "Queries"
	Schemes       Call = "Schemes"
	Methods       Call = "Methods"
	MatcherFunc   Call = "MatcherFunc"   // Nums: index in Matchers, and a route
	BuildVarsFunc Call = "BuildVarsFunc" // Nums: index in VarsFuncs
	Name          Call = "Name"
	BuildOnly     Call = "BuildOnly"
	Metadata      Call = "Metadata"    // Args: key; Nums: value
	Handler       Call = "Handler"     // Nums: handler
	HandlerFunc   Call = "HandlerFunc" // Nums: handler
	Mount         Call = "Handler(router)"
	Use           Call = "Use" // Nums: middleware
)

// The calls that inspect.
const (
	ServeHTTP  Call = "ServeHTTP"  // Nums: 1 to have the handler report every getter
	Match      Call = "Match"      // on a router or a route, with a new RouteMatch
	MatchAgain Call = "MatchAgain" // the same, with the one of the last MatchAgain
	Getters    Call = "Getters"    // all getters of a route
	Get        Call = "Get"        // Args: name
	Walk       Call = "Walk"       // Nums: 0, or the visit that skips (>0) or fails (<0)
	URL        Call = "URL"        // Args: pairs
	URLHost    Call = "URLHost"    // Args: pairs
	URLPath    Call = "URLPath"    // Args: pairs
)

// Nil is the handler number of a nil http.Handler.
const Nil = -1

// Seen is the recorded result of one call. Equal values mean equal behavior.
type Seen struct {
	Panic    string // the value that it panicked with
	Text     string // the results, or the body of the response
	Code     int    // the status of the response
	Location string // its Location
	Header   string // the rest of its header
	Matched  bool   // whether Match was true
	Vars     int    // number of variables
	Missed   bool   // whether a RouteMatch has a MatchErr
}

// A Machine runs programs on one router package.
type Machine interface {
	// Do runs one op. A panic of the package is part of the result.
	Do(op Op) Seen
}

// A Request is a client's request, with its connection.
type Request struct {
	Method string
	Target string // of the request line
	Host   string
	Header []string // pairs
	TLS    bool

	// The change that a handler in front of the router makes to the URL: it removes a prefix
	// of the path, as http.StripPrefix does, or sets the path and leaves RawPath unchanged.
	Strip, Path string
}

// HTTP returns the request as a server passes it to a handler. It returns nil if the target
// cannot be parsed, because then a server would not call the handler.
func (r *Request) HTTP() *http.Request {
	target := r.Target
	authority := r.Method == http.MethodConnect && target != "" && target[0] != '/'
	if authority {
		target = "http://" + target
	}
	u, err := url.ParseRequestURI(target)
	if err != nil {
		return nil
	}
	if authority {
		u.Scheme = ""
	}
	req := &http.Request{
		Method: r.Method, URL: u, RequestURI: r.Target, Host: r.Host,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{}, Body: http.NoBody, RemoteAddr: "192.0.2.1:1234",
	}
	if u.Host != "" {
		req.Host = u.Host
	}
	for i := 0; i+1 < len(r.Header); i += 2 {
		req.Header.Add(r.Header[i], r.Header[i+1])
	}
	if r.TLS {
		req.TLS = &tls.ConnectionState{}
	}
	if r.Strip != "" && strings.HasPrefix(u.Path, r.Strip) {
		u.Path = u.Path[len(r.Strip):]
		u.RawPath = strings.TrimPrefix(u.RawPath, r.Strip)
	}
	if r.Path != "" {
		u.Path = r.Path
	}
	return req
}

// MakesRoute reports whether the op, called on a router, creates a route.
func (op Op) MakesRoute() bool {
	switch op.Call {
	case ZeroRoute, NewRoute, Handle, HandleFunc, Path, PathPrefix, Host, Headers, Queries,
		Schemes, Methods, MatcherFunc, BuildVarsFunc, Name:
		return op.Out != 0
	}
	return false
}

// MakesRouter reports whether the op creates a router.
func (op Op) MakesRouter() bool {
	return op.Call == NewRouter || op.Call == ZeroRouter || op.Call == Subrouter
}

// Compares reports whether the op sends a request to the package.
func (op Op) Compares() bool {
	return op.Call == ServeHTTP || op.Call == Match || op.Call == MatchAgain
}

// Asks reports whether the op returns something that does not depend on a request.
func (op Op) Asks() bool {
	switch op.Call {
	case Getters, Get, Walk, URL, URLHost, URLPath:
		return true
	}
	return false
}

// Newer reports whether the op calls something that v1.8.1 of gorilla/mux does not have, and
// that no other op needs.
func (op Op) Newer() bool {
	return op.Call == OmitRouteFromContext || op.Call == OmitRouterFromContext || op.Call == Metadata
}

// uses returns the values that the op needs.
func (op Op) uses() []int {
	values := []int{op.On}
	switch op.Call {
	case UseCORS, Mount:
		values = append(values, op.Nums[0])
	case MatcherFunc:
		values = append(values, op.Nums[1])
	}
	return values
}
