// Package matrix finds out what each router can do by giving it routes and requests
// for each feature and checking the answers. It uses nothing from a router's documentation.
//
// The right answers are those of net/http and RFC 9110. Where routers may differ for good
// reasons, the probe accepts every defensible answer, and its About says so.
package matrix

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/muxwell/muxwell/routebench/result"
	"github.com/muxwell/muxwell/routebench/route"
	"github.com/muxwell/muxwell/routebench/router"
)

// A Probe tests whether routers have a feature. They do if they accept all its routes and
// answer all its requests right.
type Probe struct {
	Name  string
	About string // one sentence: what is asked, and what counts as right

	// Routes are in muxwell's syntax, in the order in which they are registered.
	// Those of a router that takes the first route that matches stand in its favour.
	Routes   []string
	Requests []Request

	// judge returns why a router cannot do it, "" if it can; nil for [Probe.ask].
	judge func(p *Probe, r *router.Router) string
}

// A Request is a request of a probe with its right answer.
type Request struct {
	Target string // METHOD [HOST]/PATH
	// Route is the index of the route that must answer; Any, or None.
	Route  int
	Values []string // of the route's parameters
	// Allow are methods that the answer's header of that name must have, as that of
	// a 405.
	Allow []string
}

// Values of Route.
const (
	None = -1 - iota // no route may answer: an error and a redirect are right
	Any              // some route must
)

// Run runs all probes with routers.
func Run(routers []router.Router) []result.Probe {
	var results []result.Probe
	for _, p := range Probes() {
		found := result.Probe{Name: p.Name, About: p.About}
		for _, r := range routers {
			reason := p.reason(&r)
			found.Answers = append(found.Answers, result.Answer{Router: r.Name, Yes: reason == "", Reason: reason})
		}
		results = append(results, found)
	}
	return results
}

// reason returns why a router does not pass the probe, or "". A router that panics does
// not.
func (p *Probe) reason(r *router.Router) (reason string) {
	defer func() {
		if v := recover(); v != nil {
			reason = fmt.Sprintf("panics: %v", v)
		}
	}()
	if p.judge != nil {
		return p.judge(p, r)
	}
	return p.ask(r)
}

// load returns a router with the probe's routes, or the reason why it does not accept them.
func (p *Probe) load(r *router.Router, task router.Task) (l *router.Loaded, reason string) {
	var routes []*route.Route
	for _, pattern := range p.Routes {
		rt, err := route.Parse(pattern)
		if err != nil {
			return nil, err.Error()
		}
		routes = append(routes, rt)
	}
	l, err := r.Load(routes, task)
	if err != nil {
		return nil, err.Error()
	}
	if len(l.Faults) > 0 {
		return nil, l.Faults[0].Reason
	}
	return l, ""
}

// ask loads a router, sends it the requests, and returns the first wrong answer.
func (p *Probe) ask(r *router.Router) string {
	l, reason := p.load(r, router.Answer)
	if reason != "" {
		return reason
	}
	for _, q := range p.Requests {
		if reason := q.wrong(l); reason != "" {
			return q.Target + ": " + reason
		}
	}
	return ""
}

// wrong sends the request and returns a description of a wrong answer, or "".
func (q *Request) wrong(l *router.Loaded) string {
	sent, err := q.parse()
	if err != nil {
		return err.Error()
	}
	switch {
	case len(q.Allow) > 0:
		return q.refused(l.Reply(sent.HTTP))
	case q.Route == None:
		if got := l.Reply(sent.HTTP); got.Status < 300 || got.Status >= 500 {
			return fmt.Sprintf("status %d, route and values %s, want no route", got.Status, got.Body)
		}
		return ""
	case q.Route == Any:
		if got := l.Reply(sent.HTTP); got.Status != http.StatusOK {
			return fmt.Sprintf("status %d, want 200", got.Status)
		}
		return ""
	}
	for _, f := range l.Prove([]*route.Request{sent}) {
		return f.Reason
	}
	return ""
}

// parse returns the request itself.
func (q *Request) parse() (*route.Request, error) {
	method, rest, _ := strings.Cut(q.Target, " ")
	slash := strings.IndexByte(rest, '/')
	sent, err := route.NewRequest(method, rest[:slash], rest[slash:])
	if err == nil && q.Route >= 0 {
		sent.Route, sent.Values, sent.Status = q.Route, q.Values, http.StatusOK
	}
	return sent, err
}

// refused returns a description of a wrong answer to a request whose path has no route for
// the method, or "".
func (q *Request) refused(got router.Reply) string {
	options := strings.HasPrefix(q.Target, http.MethodOptions)
	switch {
	case got.Status == http.StatusMethodNotAllowed:
	case options && (got.Status == http.StatusOK || got.Status == http.StatusNoContent):
	default:
		return fmt.Sprintf("status %d, want %d", got.Status, http.StatusMethodNotAllowed)
	}
	allow := strings.Join(got.Header.Values("Allow"), ", ")
	if allow == "" {
		return "no header Allow"
	}
	missing := make(map[string]bool)
	for _, m := range q.Allow {
		missing[m] = true
	}
	for m := range strings.SplitSeq(allow, ",") {
		switch m = strings.TrimSpace(m); {
		case missing[m]:
			delete(missing, m)
		case m != http.MethodHead && m != http.MethodOptions:
			return fmt.Sprintf("Allow: %s, want %s", allow, strings.Join(q.Allow, ", "))
		}
	}
	if len(missing) > 0 {
		return fmt.Sprintf("Allow: %s, want %s", allow, strings.Join(q.Allow, ", "))
	}
	return ""
}
