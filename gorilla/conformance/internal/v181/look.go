// Code generated from ../oracle/look.go by copymachine; DO NOT EDIT.

package v181

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/muxwell/muxwell/gorilla/conformance/internal/program"
)

// getters returns the results of all getters of a route.
func (m *Machine) getters(r *muxRoute) string {
	var b strings.Builder
	line := func(name string, value any, err error) {
		fmt.Fprintf(&b, "%s %q %s\n", name, value, errorText(err))
	}
	template, err := r.GetPathTemplate()
	line("path template", template, err)
	text, err := r.GetPathRegexp()
	line("path regexp", text, err)
	host, err := r.GetHostTemplate()
	line("host template", host, err)
	list, err := r.GetQueriesTemplates()
	line("queries templates", nilOr(list), err)
	list, err = r.GetQueriesRegexp()
	line("queries regexp", nilOr(list), err)
	list, err = r.GetMethods()
	line("methods", nilOr(list), err)
	list, err = r.GetVarNames()
	line("variables", nilOr(list), err)
	line("name", r.GetName(), r.GetError())
	fmt.Fprintf(&b, "skip clean %t\n", r.SkipClean())
	handler := r.GetHandler()
	if m.WrapHandlers && m.bases[r] != nil {
		handler = m.bases[r]
	}
	if m.Old {
		fmt.Fprintf(&b, "handler %s\n", m.chain(handler))
		return b.String()
	}
	wrapped := wrappedHandler(r)
	fmt.Fprintf(&b, "handler %s wrapped nil %t\n", m.chain(handler), wrapped == nil)
	if r.GetError() == nil {
		fmt.Fprintf(&b, "wrapped %s\n", m.chain(wrapped))
	}
	writeMetadata(&b, r)
	return b.String()
}

// nilOr distinguishes a nil slice from an empty one.
func nilOr(list []string) any {
	if list == nil {
		return "nil"
	}
	return list
}

// walk walks the tree of a router; see program.Walk for stop.
func (m *Machine) walk(r *muxRouter, stop int) program.Seen {
	var b strings.Builder
	visits := 0
	failure := errors.New("stopped")
	err := r.Walk(func(route *muxRoute, router *muxRouter, ancestors []*muxRoute) error {
		if visits++; visits > 500 {
			return errors.New("too many visits")
		}
		template, _ := route.GetPathTemplate()
		fmt.Fprintf(&b, "%s of %s %q under", m.number(route), m.number(router), template)
		for _, a := range ancestors {
			b.WriteString(" " + m.number(a))
		}
		b.WriteByte('\n')
		switch visits {
		case stop:
			return errSkipRouter
		case -stop:
			return failure
		}
		return nil
	})
	return program.Seen{Text: b.String() + errorText(err)}
}

// urlSeen is the recorded part of a URL.
func urlSeen(u *url.URL, err error) program.Seen {
	if u == nil {
		return program.Seen{Text: "nil " + errorText(err)}
	}
	return program.Seen{Text: fmt.Sprintf("%q %+v %s", u, *u, errorText(err))}
}

// varsText returns variables in order of their names.
func varsText(v map[string]string) string {
	if v == nil {
		return "nil"
	}
	list := make([]string, 0, len(v))
	for name, value := range v {
		list = append(list, fmt.Sprintf("%q:%q", name, value))
	}
	slices.Sort(list)
	return "{" + strings.Join(list, " ") + "}"
}

// errorText returns the text of an error, and whether it is one that the package
// exports.
func errorText(err error) string {
	switch err {
	case nil:
		return "nil"
	case errMethodMismatch:
		return "ErrMethodMismatch"
	case errNotFound:
		return "ErrNotFound"
	case errSkipRouter:
		return "SkipRouter"
	}
	return fmt.Sprintf("%q", err)
}
