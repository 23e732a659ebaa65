package page

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/muxwell/muxwell/routebench/result"
)

// A faulty is a router with faults.
type faulty struct {
	Router, Class string
	Count         int
	Reasons       []*reason
}

// A reason is the faults that have the same reason, but for the details.
type reason struct {
	Text  string
	Count int
	Items []*item // the first of them
	known map[fault]*item
}

// A fault is a route or request that a router does not answer right.
type fault struct {
	Route, Request, Source string
	Detail                 string // what the reason's text leaves out
}

// An item is a fault with the scenarios that have it.
type item struct {
	fault
	Scenarios []string
}

// mostItems is how many faults of one reason the page lists. The files of a run
// have all of them.
const mostItems = 500

// More returns how many faults are not among the items.
func (r *reason) More() int { return r.Count - len(r.Items) }

// faulty returns the faults by router and reason.
func (p *page) faulty() []*faulty {
	byName := map[string]*faulty{}
	for _, f := range p.Run.Faults {
		x := byName[f.Router]
		if x == nil {
			x = &faulty{Router: f.Router, Class: p.Class(f.Router)}
			byName[f.Router] = x
		}
		x.add(f)
	}
	out := slices.SortedFunc(maps.Values(byName), func(a, b *faulty) int { return cmp.Compare(a.Router, b.Router) })
	for _, x := range out {
		x.sort()
	}
	return out
}

// add adds a fault to those of its reason.
func (x *faulty) add(f result.Fault) {
	text, detail := splitReason(f.Reason)
	at := slices.IndexFunc(x.Reasons, func(r *reason) bool { return r.Text == text })
	if at < 0 {
		at = len(x.Reasons)
		x.Reasons = append(x.Reasons, &reason{Text: text, known: map[fault]*item{}})
	}
	r, key := x.Reasons[at], fault{f.Route, f.Request, f.Source, detail}
	if key.Request == key.Route {
		key.Request = ""
	}
	if it := r.known[key]; it != nil {
		it.Scenarios = append(it.Scenarios, f.Scenario)
		return
	}
	it := &item{fault: key, Scenarios: []string{f.Scenario}}
	r.known[key] = it
	x.Count++
	if r.Count++; r.Count <= mostItems {
		r.Items = append(r.Items, it)
	}
}

// sort puts the reason of the most faults first.
func (x *faulty) sort() {
	slices.SortStableFunc(x.Reasons, func(a, b *reason) int { return cmp.Compare(b.Count, a.Count) })
}

// quoted is text in quotation marks, with what is before it.
var quoted = regexp.MustCompile("(^|[ (:=])(?:'[^']*'|\"[^\"]*\"|`[^`]*`)")

// splitReason splits a reason into what faults have in common and what is of one
// of them only.
func splitReason(reason string) (text, detail string) {
	if detail, ok := strings.CutPrefix(reason, "route and values "); ok {
		return "answers with another route or other values", detail
	}
	if text, detail, ok := strings.Cut(reason, ", a redirect to "); ok {
		return text + ", a redirect", "to " + detail
	}
	if text := quoted.ReplaceAllString(reason, "$1…"); text != reason {
		return text, reason
	}
	return reason, ""
}

// reasons returns in words why a router does not answer all requests of a
// scenario.
func (p *page) reasons(scenario, router string) string {
	var x faulty
	for _, f := range p.faults[[2]string{scenario, router}] {
		x.add(f)
	}
	x.sort()
	var parts []string
	for i, r := range x.Reasons {
		if i == 3 {
			parts = append(parts, plural(len(x.Reasons)-i, "more reason"))
			break
		}
		parts = append(parts, strconv.Itoa(r.Count)+" × "+r.Text)
	}
	return strings.Join(parts, "; ")
}
