package params

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/muxwell/muxwell/vet/internal/registration"
)

// registered checks the handlers of routes where they are registered: those of other packages
// for names that no pattern has, and all for parameters that are never read.
func (c *checker) registered() {
	remote := make(map[remoteName]*remoteRead)
	var order []*remoteRead
	for _, rt := range c.table.Routes {
		if rt.Text == nil || rt.Kind != registration.ServeMux && rt.Kind != registration.Muxwell ||
			rt.Kind == registration.ServeMux && c.table.OldServeMux() || c.table.InTest(rt) {
			continue
		}
		reading := c.table.HandlerReading(rt)
		names, ok := c.names(rt)
		if unread && ok && !reading.Unknown {
			c.unread(rt, reading, names)
		}
		for _, n := range reading.Names {
			fn := n.Remote()
			if fn == nil {
				continue
			}
			k := remoteName{fn, n.Name}
			if remote[k] == nil {
				remote[k] = &remoteRead{NamedRead: n, route: rt, reading: reading}
				order = append(order, remote[k])
			}
			r := remote[k]
			r.has = r.has || !ok || rt.Prefix == nil || slices.Contains(names, n.Name)
			r.names = append(r.names, names...)
			if p := describe(rt); !slices.Contains(r.patterns, p) {
				r.patterns = append(r.patterns, p)
			}
		}
	}
	for _, r := range order {
		c.reportRemote(r)
	}
}

// A remoteName is a name that a function of another package reads.
type remoteName struct {
	fn   *types.Func
	name string
}

// A remoteRead is what is known about such a name in the routes of the package.
type remoteRead struct {
	registration.NamedRead
	has      bool // a pattern may have the name
	patterns []string
	names    []string // of the parameters of the patterns
	route    *registration.Route
	reading  *registration.Reading
}

// reportRemote reports a name that is nearly that of a parameter which the handler does not
// read. Other names may be parameters of routes of other packages.
func (c *checker) reportRemote(r *remoteRead) {
	if r.has {
		return
	}
	near := nearest(r.Name, r.names)
	if near == "" || r.reading.Reads(near) {
		return
	}
	c.pass.Report(analysis.Diagnostic{
		Pos: r.route.Handler.Pos(), End: r.route.Handler.End(),
		Message: fmt.Sprintf("the handler reads a parameter %q (%s), which its pattern does not have: %s; did you mean %q?",
			r.Name, r.Source, shorten(r.patterns), near),
	})
}

// unread reports the parameters of a pattern that its handler and middleware do not read. A
// catch-all is often there only to match.
func (c *checker) unread(rt *registration.Route, reading *registration.Reading, names []string) {
	around, ok := c.table.AroundReading(rt)
	if !ok {
		return
	}
	for _, name := range names {
		at := parameterAt(rt.Text.Value, name)
		if at < 0 || reading.Reads(name) || slices.ContainsFunc(around, func(r *registration.Reading) bool { return r.Reads(name) }) {
			continue
		}
		c.pass.Report(analysis.Diagnostic{
			Pos: rt.Text.Pos(at), End: rt.Text.Pos(at + len(name)),
			Message: fmt.Sprintf("the handler never reads the parameter %q", name),
		})
	}
}

// parameterAt returns the offset of a parameter's name in a pattern, or -1 if it is a catch-all
// or not there.
func parameterAt(pattern, name string) int {
	for _, end := range []string{"}", ":"} {
		if i := strings.Index(pattern, "{"+name+end); i >= 0 {
			return i + 1
		}
	}
	return -1
}

// shorten returns patterns for messages.
func shorten(patterns []string) string {
	s := strings.Join(patterns[:min(3, len(patterns))], ", ")
	if len(patterns) > 3 {
		s += ", …"
	}
	return s
}
