package report

import (
	"fmt"
	"slices"

	"github.com/muxwell/muxwell/routebench/result"
)

// A wrong is what a router cannot do of what the scenarios ask.
type wrong struct {
	router  string
	refused []string // routes
	answers []string // requests
}

// wrongs returns what routers cannot do, by router; a route or request that several
// scenarios have counts once.
func wrongs(faults []result.Fault) []wrong {
	var out []wrong
	for _, f := range faults {
		i := slices.IndexFunc(out, func(w wrong) bool { return w.router == f.Router })
		if i < 0 {
			i = len(out)
			out = append(out, wrong{router: f.Router})
		}
		to, what := &out[i].refused, f.Route+"\n"+f.Source // routes that differ in matchers have one text
		if f.Request != "" {
			to, what = &out[i].answers, f.Request
		}
		if !slices.Contains(*to, what) {
			*to = append(*to, what)
		}
	}
	slices.SortFunc(out, func(a, b wrong) int {
		if d := len(b.refused) + len(b.answers) - len(a.refused) - len(a.answers); d != 0 {
			return d
		}
		if a.router < b.router {
			return -1
		}
		return 1
	})
	return out
}

// words returns what routers with as many faults each cannot do, as a clause.
func (w wrong) words(routers []string) string {
	n := len(routers)
	var does []string
	if k := len(w.refused); k > 0 {
		does = append(does, "cannot register "+plural(k, "route"))
	}
	if k := len(w.answers); k > 0 {
		does = append(does, fmt.Sprintf("%s %s wrongly", verb(n, "answers", "answer"), plural(k, "request")))
	}
	who := few(routers, 8)
	if n > 1 {
		who += " each"
	}
	return who + " " + list(does)
}

// faultWords says which routers cannot express, refuse or answer wrongly what the
// scenarios ask of them.
func faultWords(run *result.Run) []string {
	all := wrongs(run.Faults)
	if len(all) == 0 {
		if complete(run) {
			return []string{"Every router can express every route and answers every request correctly."}
		}
		return nil
	}
	var out []string
	for len(all) > 0 {
		first := all[0]
		alike := func(w wrong) bool {
			return len(w.refused) == len(first.refused) && len(w.answers) == len(first.answers)
		}
		var routers []string
		for _, w := range all {
			if alike(w) {
				routers = append(routers, w.router)
			}
		}
		all = slices.DeleteFunc(all, alike)
		out = append(out, first.words(routers)+".")
	}
	return append(out, "A router is measured on the requests that it answers correctly, and marked if those are not all.")
}

// complete reports whether there is no row that was left out or answers a part.
func complete(run *result.Run) bool {
	for i := range run.Scenarios {
		s := &run.Scenarios[i]
		for j := range s.Rows {
			if r := &s.Rows[j]; r.Router != result.Floor && !whole(s, r) {
				return false
			}
		}
	}
	return true
}
