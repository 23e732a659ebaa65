package registration

import (
	"go/types"
	"strings"
)

// A Kind is the package of a router.
type Kind uint8

// The routers that are known.
const (
	ServeMux Kind = iota + 1 // net/http
	Muxwell
	Chi
	Gorilla
)

// String returns the name of the router's type.
func (k Kind) String() string {
	return [...]string{"", "http.ServeMux", "muxwell.Mux", "chi.Router", "mux.Router"}[k]
}

// kinds are the routers by the path of their package.
var kinds = map[string]Kind{
	"net/http":                   ServeMux,
	"github.com/muxwell/muxwell": Muxwell,
	"github.com/go-chi/chi":      Chi,
	"github.com/go-chi/chi/v5":   Chi,
	"github.com/gorilla/mux":     Gorilla,
}

// A role is what a call does with a router.
type role uint8

const (
	registers role = iota + 1 // a route: the first two arguments are the pattern and the handler
	groups                    // returns a group; or passes one to a function
	mounts                    // a router below a prefix
	creates                   // a router
	uses                      // middleware
	defaults                  // options for routes
)

// A callee is a function or method of a router.
type callee struct {
	kind     Kind
	role     role
	name     string // Handle
	method   string // GET of Get
	pattern  int    // index of the argument that is the pattern or the prefix, from 0, or -1
	handler  int    // index of the argument that is the handler or the function that gets a group
	receiver bool   // it is a method
}

// calleeOf returns what fn does if it is a function of a router.
func calleeOf(fn *types.Func) (callee, bool) {
	if fn == nil || fn.Pkg() == nil {
		return callee{}, false
	}
	kind := kinds[fn.Pkg().Path()]
	if kind == 0 {
		return callee{}, false
	}
	recv := receiverName(fn)
	c := callee{kind: kind, name: fn.Name(), handler: 1, receiver: recv != ""}
	switch kind {
	case ServeMux:
		switch recv + "." + c.name {
		case "ServeMux.Handle", "ServeMux.HandleFunc", ".Handle", ".HandleFunc":
			c.role = registers
		case ".NewServeMux":
			c.role = creates
		}
	case Muxwell:
		c.role = muxwellRole(recv, c.name)
		switch c.name {
		case "Replace":
			c.pattern, c.handler = 1, 2
		case "Group":
			c.pattern, c.handler = -1, 0
		case "With", "In":
			c.pattern, c.handler = -1, -1
		}
	case Chi:
		if recv == "Mux" || recv == "Router" {
			switch c.name {
			case "Route":
				c.role = groups
			case "Group":
				c.role, c.pattern, c.handler = groups, -1, 0
			case "With":
				c.role, c.pattern, c.handler = groups, -1, -1
			case "Mount":
				c.role = mounts
			case "Method", "MethodFunc":
				c.role, c.pattern, c.handler = registers, 1, 2
			case "Use":
				c.role = uses
			case "Handle", "HandleFunc":
				c.role = registers
			}
		} else if c.name == "NewRouter" || c.name == "NewMux" {
			c.role = creates
		}
	case Gorilla:
		switch recv + "." + c.name {
		case "Router.Handle", "Router.HandleFunc":
			c.role = registers
		case "Router.Use":
			c.role = uses
		case ".NewRouter":
			c.role = creates
		}
	}
	if m := strings.ToUpper(c.name); verbs[m] && (kind == Muxwell && (recv == "Mux" || recv == "Group") || kind == Chi && (recv == "Mux" || recv == "Router")) {
		c.role, c.method = registers, m
	}
	return c, c.role != 0
}

// verbs are the methods for which routers have functions.
var verbs = map[string]bool{
	"GET": true, "HEAD": true, "POST": true, "PUT": true, "PATCH": true, "DELETE": true,
	"CONNECT": true, "OPTIONS": true, "TRACE": true, "QUERY": true,
}

func muxwellRole(recv, name string) role {
	switch recv {
	case "":
		if name == "New" {
			return creates
		}
	case "Tx":
		switch name {
		case "Add", "Replace":
			return registers
		case "In":
			return groups
		}
	case "Mux", "Group":
		switch name {
		case "Handle", "HandleFunc", "HandleParams", "HandleError", "Add", "Files":
			return registers
		case "Route", "Group", "With":
			return groups
		case "Mount":
			return mounts
		case "Use":
			return uses
		case "Defaults":
			return defaults
		}
	}
	return 0
}

// receiverName returns the name of the type that fn is a method of, or "".
func receiverName(fn *types.Func) string {
	recv := fn.Signature().Recv()
	if recv == nil {
		return ""
	}
	t := recv.Type()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	if n, ok := types.Unalias(t).(*types.Named); ok {
		return n.Obj().Name()
	}
	return ""
}
