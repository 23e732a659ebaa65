package suite

import (
	"fmt"
	"math/rand/v2"

	"github.com/muxwell/muxwell/routebench/result"
	"github.com/muxwell/muxwell/routebench/route"
)

// growthSizes are the numbers of routes of the scenarios for growth.
var growthSizes = []int{10, 100, 1_000, 10_000, 100_000}

// growthRequests is the maximum number of requests for one size. They exceed the
// processor's caches and are served in random order, as in a real service.
const growthRequests = 1_000

// Growth returns a scenario for each number of routes.
func Growth(seed uint64) ([]Scenario, error) {
	var scenarios []Scenario
	for _, n := range growthSizes {
		name := fmt.Sprintf("Growth/%d", n)
		scenarios = append(scenarios, later(Scenario{
			Name: name, Suite: "growth", Kind: result.Growth,
			About: fmt.Sprintf("Random requests to %s routes, five for each of %s resources.", grouped(n), grouped(n/5)),
		}, n,
			func() (*Routes, error) { return newRoutes(name, resources(n)...) },
			func(rs *Routes) ([]*route.Request, error) { return rs.some(seed, growthRequests) }))
	}
	return scenarios, nil
}

// resources returns n patterns, five for each resource, as an API has them.
func resources(n int) []string {
	forms := []string{"GET /%s", "POST /%s", "GET /%s/{id}", "PUT /%s/{id}", "GET /%s/{id}/parts/{part}"}
	patterns := make([]string, n)
	for i := range patterns {
		patterns[i] = fmt.Sprintf(forms[i%len(forms)], resource(i/len(forms)))
	}
	return patterns
}

// resource returns the path of resource i: in groups of a hundred, under names of
// which many begin alike.
func resource(i int) string {
	return fmt.Sprintf("api/group%d/resource%d", i/100, i%100)
}

// some returns requests for at most n routes, picked at random and in random order.
func (rs *Routes) some(seed uint64, n int) ([]*route.Request, error) {
	rng := rand.New(rand.NewPCG(seed, 0))
	var requests []*route.Request
	for _, i := range rng.Perm(len(rs.All))[:min(n, len(rs.All))] {
		q, ok := rs.Oracle.Sample(i, rng)
		if !ok {
			return nil, fmt.Errorf("no request reaches %s", rs.All[i])
		}
		requests = append(requests, q)
	}
	return requests, nil
}
