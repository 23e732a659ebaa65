package report

import (
	"fmt"
	"slices"

	"github.com/muxwell/muxwell/routebench/result"
)

// shown is how many faults of a router a terminal shows.
const shown = 3

// faults writes the first faults of each router; one that several scenarios have
// counts once.
func (t *terminal) faults() {
	if len(t.run.Faults) == 0 {
		return
	}
	fmt.Fprintf(t, "\n%s\n", t.bold("What the routers cannot do in the scenarios"))
	var routers []string
	for _, f := range t.run.Faults {
		if !slices.Contains(routers, f.Router) {
			routers = append(routers, f.Router)
		}
	}
	slices.Sort(routers)
	for _, router := range routers {
		lines, scenarios := faultLines(t.run.Faults, router)
		t.wrap(fmt.Sprintf("%s: %s in %s", router, plural(len(lines), "fault"), few(scenarios, 3)), 0, 2)
		for _, line := range lines[:min(len(lines), shown)] {
			t.wrap(line, 2, 4)
		}
		if more := len(lines) - shown; more > 0 {
			t.wrap(fmt.Sprintf("… and %s more, which -html and -json list", count(more)), 2, 4)
		}
	}
}

// faultLines returns the faults of a router as lines, and the scenarios that have any.
func faultLines(faults []result.Fault, router string) (lines, scenarios []string) {
	for _, f := range faults {
		if f.Router != router {
			continue
		}
		line := faultLine(f)
		if !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
		if !slices.Contains(scenarios, f.Scenario) {
			scenarios = append(scenarios, f.Scenario)
		}
	}
	return lines, scenarios
}

// faultLine returns a fault: the request that was answered wrongly or the route that
// was refused, where that is from, and why.
func faultLine(f result.Fault) string {
	what := f.Route
	if f.Request != "" {
		what = f.Request
	}
	if f.Source != "" {
		what += " (" + f.Source + ")"
	}
	return what + ": " + f.Reason
}
