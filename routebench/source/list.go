package source

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/internal/routelist"
	"github.com/muxwell/muxwell/routebench/route"
)

// anyMethods are the methods that a route without one is given. Routers differ in
// what any method is: some have a list of their own, some leave it to handlers.
var anyMethods = []string{
	http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions,
}

// List reads a list of routes, in the format of the muxwell command, and returns its routes
// in order. name is the name of the list in errors and in the routes' sources, name:line.
//
// A route has one method, so a line may become several routes:
//
//	GET,POST /form    GET /form, POST /form
//	/any              GET, HEAD, POST, PUT, PATCH, DELETE and OPTIONS /any
//
// Of the seven, those are omitted that another line without matchers has for the same host
// and path. GET includes HEAD.
//
// Names and metadata of routes are ignored, because no request depends on them. The error
// names every error in the list with line and column, including invalid patterns and
// duplicates.
func List(name string, r io.Reader) ([]*route.Route, error) {
	l := &lister{name: name, mux: muxwell.New()}
	if err := routelist.Load(l.mux, name, r, noEntry); err != nil {
		return nil, err
	}
	for rt := range l.mux.Routes() {
		if e, ok := routelist.EntryOf(rt); ok {
			l.add(e, rt.Methods())
		}
	}
	if len(l.errs) > 0 {
		return nil, l.errs
	}
	return l.routes, nil
}

var nowhere = http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})

func noEntry(routelist.Entry) http.Handler { return nowhere }

// A lister makes routes of the entries of a list.
type lister struct {
	name   string
	mux    *muxwell.Mux // knows which routes are there already
	routes []*route.Route
	errs   routelist.Errors
}

// add adds the routes of an entry, which has the given methods.
func (l *lister) add(e routelist.Entry, methods []string) {
	path := e.Pattern
	if methods == nil {
		methods = l.free(e)
	} else {
		path = strings.TrimLeft(path[strings.IndexAny(path, " \t"):], " \t")
	}
	options := matchers(e)
	for _, method := range methods {
		r, err := route.Parse(method + " " + path)
		if err != nil {
			l.fail(e, err, len(method)+1)
			return
		}
		r.Source, r.Options = fmt.Sprintf("%s:%d", l.name, e.Line), options
		l.routes = append(l.routes, r)
	}
}

// free returns those of anyMethods that an entry without methods is left with.
func (l *lister) free(e routelist.Entry) []string {
	var free []string
	for _, method := range anyMethods {
		_, err := l.mux.Add(method+" "+e.Pattern, nowhere, matchers(e)...)
		if _, taken := errors.AsType[*muxwell.ConflictError](err); taken {
			continue
		}
		if method == http.MethodHead && !slices.Contains(free, http.MethodGet) {
			continue
		}
		free = append(free, method)
	}
	return free
}

// matchers returns the options of an entry on which requests depend.
func matchers(e routelist.Entry) []muxwell.RouteOption {
	var options []muxwell.RouteOption
	for i, option := range e.RouteOptions() {
		switch e.Options[i].Key {
		case "name", "meta", "trusted": // what is trusted is a part of client
			continue
		}
		options = append(options, option)
	}
	return options
}

// fail notes that the pattern of an entry, behind added bytes of a method, is none
// that requests of that method reach.
func (l *lister) fail(e routelist.Entry, err error, added int) {
	fault := &routelist.Error{File: l.name, Line: e.Line, Column: e.Column, Text: e.Text, Reason: err.Error(), Err: err}
	if pe, ok := errors.AsType[*muxwell.PatternError](err); ok {
		fault.Column += max(0, pe.Offset-added)
		fault.Reason = pe.Reason
	}
	l.errs = append(l.errs, fault)
}
