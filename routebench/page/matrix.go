package page

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/muxwell/muxwell/routebench/result"
)

// A matrix is what the routers can do.
type matrix struct {
	Routers []matrixRouter
	Probes  []probe
}

// A matrixRouter is the head of a column.
type matrixRouter struct {
	Name, Class string
	Score       string // how many of the probes it passes
}

// A probe is a row of the matrix.
type probe struct {
	Name, About string
	Answers     []answer // in the order of the routers
	Reasons     []note   // why some cannot; those with the same reason together
}

// An answer is yes, no, or neither if the router was not asked.
type answer struct {
	Asked, Yes bool
	Reason     string
	Class      string // the router's
}

// matrix returns the run's matrix, or nil if it has none.
func (p *page) matrix() *matrix {
	if len(p.Run.Matrix) == 0 {
		return nil
	}
	m := &matrix{}
	for _, r := range p.Run.Routers {
		yes, asked := 0, 0
		for _, probe := range p.Run.Matrix {
			if a, ok := answerOf(probe, r.Name); ok {
				asked++
				if a.Yes {
					yes++
				}
			}
		}
		if asked > 0 {
			m.Routers = append(m.Routers, matrixRouter{r.Name, p.Class(r.Name), strconv.Itoa(yes)})
		}
	}
	for _, from := range p.Run.Matrix {
		to := probe{Name: from.Name, About: from.About}
		for _, r := range m.Routers {
			a, ok := answerOf(from, r.Name)
			to.Answers = append(to.Answers, answer{Asked: ok, Yes: a.Yes, Reason: a.Reason, Class: r.Class})
			if ok && !a.Yes {
				to.because(r.Name, cmp.Or(a.Reason, "no reason given"))
			}
		}
		m.Probes = append(m.Probes, to)
	}
	return m
}

// because adds why a router cannot do what is asked.
func (x *probe) because(router, reason string) {
	for i := range x.Reasons {
		if x.Reasons[i].Text == reason {
			x.Reasons[i].Router += ", " + router
			return
		}
	}
	x.Reasons = append(x.Reasons, note{router, reason})
}

// answerOf returns a router's answer to a probe.
func answerOf(p result.Probe, router string) (result.Answer, bool) {
	i := slices.IndexFunc(p.Answers, func(a result.Answer) bool { return a.Router == router })
	if i < 0 {
		return result.Answer{}, false
	}
	return p.Answers[i], true
}
