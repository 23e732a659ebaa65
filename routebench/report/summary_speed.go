package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/muxwell/muxwell/routebench/result"
)

// speedWords says who is the fastest over the scenarios of requests, at each
// GOMAXPROCS.
func speedWords(run *result.Run) []string {
	scenarios := of(run, result.Speed)
	var out []string
	for _, cpu := range cpus(scenarios) {
		o := rankAll(scenarios, cpu, result.Time)
		switch {
		case len(o.places) == 0:
			out = append(out, fmt.Sprintf("At GOMAXPROCS=%d no router answers a scenario completely.", cpu))
		case len(o.places) > 1:
			out = append(out, overallWords(run, &o)...)
		case len(measured(run)) > 1:
			out = append(out, fmt.Sprintf("At GOMAXPROCS=%d only %s answers scenarios completely, so there is no router to compare it with.", cpu, o.places[0].router))
		}
	}
	return out
}

// overallWords returns the sentences about a ranking of two or more routers.
func overallWords(run *result.Run, o *overall) []string {
	at := fmt.Sprintf("At GOMAXPROCS=%d", o.cpu)
	if !enough(o.places, o.unit) {
		return []string{fmt.Sprintf("%s there are fewer than four rounds, too few to tell routers apart; by the medians alone %s comes first, and %s next.",
			at, o.places[0].router, o.places[1].router)}
	}
	level, behind := lead(o.places, o.unit)
	first := level[0]
	var out []string
	switch {
	case len(behind) == 0:
		out = append(out, fmt.Sprintf("%s %s are level %s: they do not differ at a significance of 5 %%.", at, every(len(level), "router"), o.over()))
	case len(level) > 1:
		s := fmt.Sprintf("%s %s are level as the fastest of %s routers %s; %s, takes %s %s%s",
			at, few(names(level), 6), count(len(o.places)), o.over(), nextNamed(run, behind, o.unit), asLong(ratio(behind[0], first)), first.router, o.meaning())
		if words := baselineWords(run, first, behind[1:]); words != "" {
			s += fmt.Sprintf("; %s is %s", first.router, words)
		}
		out = append(out, s+".")
	default:
		out = append(out, fmt.Sprintf("%s %s is the fastest of %s routers %s: it is %s%s.",
			at, first.router, count(len(o.places)), o.over(), aheadOf(run, first, behind, o.unit), o.meaning()))
	}
	if n := len(o.unranked); n > 0 {
		out = append(out, fmt.Sprintf("%s %s %s not ranked, because %s too few of the scenarios completely.",
			at, few(o.unranked, 6), verb(n, "is", "are"), verb(n, "it answers", "they answer")))
	}
	out = append(out, leadWords(o, level)...)
	return append(out, netHTTPWords(run, o, level)...)
}

// nextNamed names the first of those who are behind, and says if it is the baseline.
func nextNamed(run *result.Run, behind []place, unit string) string {
	if behind[0].router == run.Settings.Baseline {
		return next(behind, unit) + " and the baseline"
	}
	return next(behind, unit)
}

// aheadOf says by how much a router is ahead of the next and of the baseline.
func aheadOf(run *result.Run, first place, behind []place, unit string) string {
	words := asFast(ratio(behind[0], first)) + " " + nextNamed(run, behind, unit)
	if base := baselineWords(run, first, behind[1:]); base != "" {
		words += ", and " + base
	}
	return words
}

// over names the scenarios of a ranking.
func (o *overall) over() string {
	switch {
	case len(o.scenarios) == 1:
		return "in " + o.scenarios[0].Name
	case len(o.scenarios) == len(o.every):
		return "over " + every(len(o.every), "scenario")
	}
	return fmt.Sprintf("over the %s of %s scenarios that all of them answer completely", count(len(o.scenarios)), count(len(o.every)))
}

// meaning says what the figures of a ranking are.
func (o *overall) meaning() string {
	if len(o.scenarios) == 1 {
		return ""
	}
	return ", by the geometric mean"
}

// leadWords says in which scenarios, of all, the first routers lead, and where the
// first of all does not.
func leadWords(o *overall, level []place) []string {
	if len(level) > 3 {
		return nil
	}
	var out []string
	for _, p := range level {
		if w := leadsOf(o, p.router); w != "" {
			out = append(out, w)
		}
	}
	return out
}

// leadsOf says in which scenarios a router leads and in which it does not; nothing
// if it is in fewer than two with others.
func leadsOf(o *overall, router string) string {
	var leads, against int
	var levels, losses []string
	for _, s := range o.every {
		places := rank(s, o.cpu, o.unit)
		mine, ok := find(places, router)
		if !ok || len(places) < 2 || !enough(places, o.unit) {
			continue
		}
		against++
		level, _ := lead(places, o.unit)
		switch _, ahead := find(level, router); {
		case !ahead:
			losses = append(losses, fmt.Sprintf("%s (%s is %s it)", s.Name, places[0].router, asFast(ratio(mine, places[0]))))
		case len(level) > 1:
			levels = append(levels, fmt.Sprintf("%s (with %s)", s.Name, few(names(without(level, router)), 2)))
		default:
			leads++
		}
	}
	var parts []string
	switch {
	case against < 2:
		return ""
	case leads == against:
		return fmt.Sprintf("At GOMAXPROCS=%d %s leads outright, at a significance of 5 %%, in %s.", o.cpu, router, every(against, "scenario"))
	case leads == 0:
		parts = append(parts, "leads no scenario outright")
	default:
		parts = append(parts, fmt.Sprintf("leads outright, at a significance of 5 %%, in %s of %s", count(leads), plural(against, "scenario")))
	}
	if len(levels) > 0 {
		parts = append(parts, "is level with others in "+few(levels, 3))
	}
	if len(losses) > 0 {
		parts = append(parts, "is behind in "+few(losses, 3))
	}
	return fmt.Sprintf("At GOMAXPROCS=%d %s %s.", o.cpu, router, strings.Join(parts, "; it "))
}

// netHTTPWords says who is the fastest for net/http, if none of the fastest is.
func netHTTPWords(run *result.Run, o *overall, level []place) []string {
	other := func(p place) bool { return !isNetHTTP(run, p.router) }
	if slices.ContainsFunc(level, func(p place) bool { return !other(p) }) {
		return nil
	}
	places := slices.DeleteFunc(slices.Clone(o.places), other)
	if len(places) == 0 {
		return nil
	}
	first := fmt.Sprintf("At GOMAXPROCS=%d", o.cpu)
	best, behind := lead(places, o.unit)
	switch {
	case len(places) == 1:
		return []string{fmt.Sprintf("%s %s, the only router for net/http, takes %s %s.",
			first, places[0].router, asLong(ratio(places[0], o.places[0])), o.places[0].router)}
	case len(best) > 1:
		return []string{fmt.Sprintf("%s, among routers for net/http, %s are level as the fastest.", first, few(names(best), 6))}
	}
	return []string{fmt.Sprintf("%s, among routers for net/http, %s is the fastest: it is %s.", first, best[0].router, aheadOf(run, best[0], behind, o.unit))}
}
