package report

import (
	"fmt"

	"github.com/muxwell/muxwell/routebench/result"
)

// serverWords says what share of a request over loopback routing is, and who serves
// the most requests.
func serverWords(run *result.Run) []string {
	var out []string
	for _, s := range of(run, result.Server) {
		for _, cpu := range cpus([]*result.Scenario{s}) {
			if w := shareWords(run, s, cpu); w != "" {
				out = append(out, w)
			}
			if w := mostRequests(run, s, cpu); w != "" {
				out = append(out, w)
			}
		}
	}
	return out
}

// A share is what routing is of a request to a server.
type share struct {
	router         string
	routing, whole float64 // nanoseconds of CPU
}

func (s share) part() float64 { return s.routing / s.whole }

// shares returns the shares of the routers of a server, the largest last, and the
// scenario that the time of routing is from; nil if there is none for these routes.
// What the measuring takes by itself is not part of the time of routing.
func shares(run *result.Run, server *result.Scenario, cpu int) ([]share, *result.Scenario) {
	speed := sameRoutes(run, server, cpu)
	if speed == nil {
		return nil, nil
	}
	floor := 0.0
	if r := speed.Row(result.Floor, cpu); r != nil {
		if sum, ok := r.Summarize(result.Time, nil); ok {
			floor = sum.Center
		}
	}
	var out []share
	for _, p := range rank(speed, cpu, result.Time) {
		r := server.Row(p.router, cpu)
		if r == nil || !whole(server, r) {
			continue
		}
		if sum, ok := r.Summarize(result.CPUTime, nil); ok && sum.Center > 0 {
			x := share{p.router, max(0, p.center-floor) / requests(speed), sum.Center}
			if x.part() <= 1 { // else the two were not measured in the same state
				out = append(out, x)
			}
		}
	}
	return out, speed
}

// sameRoutes returns the first scenario of requests to as many routes as a server
// has that asks for most of them.
func sameRoutes(run *result.Run, server *result.Scenario, cpu int) *result.Scenario {
	var found *result.Scenario
	for _, s := range of(run, result.Speed) {
		if s.Routes == server.Routes && len(rank(s, cpu, result.Time)) > 0 && (found == nil || s.Requests > found.Requests) {
			found = s
		}
	}
	return found
}

// shareWords says what share of the CPU time of a request is routing.
func shareWords(run *result.Run, server *result.Scenario, cpu int) string {
	all, speed := shares(run, server, cpu)
	if len(all) == 0 {
		return ""
	}
	least, most := all[0], all[0]
	for _, s := range all[1:] {
		if s.part() < least.part() {
			least = s
		}
		if s.part() > most.part() {
			most = s
		}
	}
	words := fmt.Sprintf("Of the CPU time of a request over loopback routing is about %s with %s (%s as in %s, of %s)",
		percent(least.part()), least.router, duration(least.routing), speed.Name, duration(least.whole))
	if most.router != least.router {
		words += fmt.Sprintf(", and %s with %s (%s of %s)", percent(most.part()), most.router, duration(most.routing), duration(most.whole))
	}
	return words + "."
}

// mostRequests says who serves the most requests per second.
func mostRequests(run *result.Run, s *result.Scenario, cpu int) string {
	places := rank(s, cpu, result.Throughput)
	if len(places) < 2 {
		return ""
	}
	if !enough(places, result.Throughput) {
		return byMedians("over loopback", places, func(x float64) string { return digits(x) + " requests per second" })
	}
	words := "Over loopback " + servesMost(places)
	level, _ := lead(places, result.Throughput)
	var ours []place
	for _, p := range level {
		if isNetHTTP(run, p.router) {
			return words + "."
		}
	}
	for _, p := range places {
		if isNetHTTP(run, p.router) {
			ours = append(ours, p)
		}
	}
	if len(ours) > 1 {
		words += "; among routers for net/http " + servesMost(ours)
	}
	return words + "."
}

// servesMost says who serves the most requests per second of some routers.
func servesMost(places []place) string {
	level, behind := lead(places, result.Throughput)
	switch {
	case len(behind) == 0:
		return fmt.Sprintf("all are level at about %s requests per second", digits(places[0].center))
	case len(level) > 1:
		return fmt.Sprintf("%s are level with the most requests per second, about %s, against %s of %s",
			few(names(level), 6), digits(level[0].center), digits(behind[0].center), next(behind, result.Throughput))
	}
	return fmt.Sprintf("%s serves the most requests per second, %s, against %s of %s",
		level[0].router, digits(level[0].center), digits(behind[0].center), next(behind, result.Throughput))
}
