package compare

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/muxwell/muxwell/routebench/measure"
	"github.com/muxwell/muxwell/routebench/result"
	"github.com/muxwell/muxwell/routebench/router"
	"github.com/muxwell/muxwell/routebench/suite"
)

// A stack that is not net/http's does something else around a handler: it has no
// request to copy, but an answer to reset. So its floor is another, and it takes its
// turns with the routers, as that of net/http does. Rows have only the latter; of
// the others a sentence says what they take.

// floors returns what is measured in place of a router for each of some stacks.
func floors(stacks []string, s *suite.Scenario) ([]measure.Contender, error) {
	var out []measure.Contender
	for _, name := range stacks {
		floor, err := router.Floor(name)
		if err != nil {
			return nil, err
		}
		out = append(out, contender(name, floor, s.Requests, s.Parallel))
	}
	return out, nil
}

// A footing has the times of a request on the floors of stacks that are not
// net/http's, by their names.
type footing map[string][]float64

// count counts the samples of floors for so many requests.
func (f *footing) count(samples []measure.Samples, requests int) {
	for _, s := range samples {
		row := result.Row{Samples: s.Values}
		if sum, ok := row.Summarize(result.Time, nil); ok {
			if *f == nil {
				*f = footing{}
			}
			(*f)[s.Name] = append((*f)[s.Name], sum.Center/float64(requests))
		}
	}
}

// sentences returns what a reader should know: the times in the middle of the
// scenarios.
func (f footing) sentences() []string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(f)) {
		all := slices.Sorted(slices.Values(f[name]))
		parts = append(parts, fmt.Sprintf("%v with %s", time.Duration(all[len(all)/2]+0.5), name))
	}
	if parts == nil {
		return nil
	}
	return []string{"The row without a router is that of net/http; on other stacks the measuring itself takes, of each request, about " + strings.Join(parts, ", ") + "."}
}
