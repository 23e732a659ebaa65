package route

import (
	"net/http"
	"net/url"
)

// A Request is a request of a comparison with its right answer.
type Request struct {
	// HTTP is the request as a server passes it to its handler. It is copied before it is
	// served, and never changed.
	HTTP *http.Request
	// Route is the index of the route that must answer, or -1 for none.
	Route int
	// Values are the values of the route's parameters, in the order of [Route.Names].
	Values []string
	// Status is the answer's status: 200 if a route matches.
	Status int
}

// NewRequest returns a request as a server passes it to its handler. target is the path and
// the query. The Route is -1 and the Status is 404.
func NewRequest(method, host, target string) (*Request, error) {
	u, err := url.ParseRequestURI(target)
	if err != nil {
		return nil, err
	}
	if host == "" {
		host = "example.com"
	}
	return &Request{Route: -1, Status: http.StatusNotFound, HTTP: &http.Request{
		Method: method, Host: host, URL: u, RequestURI: target, Header: make(http.Header), Body: http.NoBody,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, RemoteAddr: "192.0.2.1:1234",
	}}, nil
}

// String returns the request's method and target, with its host unless that is example.com.
func (q *Request) String() string {
	if q.HTTP.Host != "example.com" {
		return q.HTTP.Method + " " + q.HTTP.Host + q.HTTP.RequestURI
	}
	return q.HTTP.Method + " " + q.HTTP.RequestURI
}
