package suite

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"

	"github.com/muxwell/muxwell/routebench/result"
	"github.com/muxwell/muxwell/routebench/route"
	"github.com/muxwell/muxwell/routebench/router"
)

// OwnName is the name of the suite of [Own].
const OwnName = "own"

// ownRequests is the maximum number of routes that get a request. More would not show more,
// and a router that tries one route after another would take minutes.
const ownRequests = 2_000

// Own returns the scenarios for a user's own routes, with names that no other suite has,
// and the indexes of the routes for which no request was found, which are in none of them.
// If there are very many routes, random ones get a request.
func Own(rs *Routes, seed uint64) (scenarios []Scenario, unreachable []int, err error) {
	requests, unreachable := rs.Oracle.Samples(seed)
	if len(requests) == 0 {
		return nil, unreachable, fmt.Errorf("no request reaches any of the %d routes", len(rs.All))
	}
	which := fmt.Sprintf("Each of the %s routes of %s once", grouped(len(requests)), rs.Name)
	if n := len(requests); n > ownRequests {
		rng := rand.New(rand.NewPCG(seed, uint64(n)))
		rng.Shuffle(n, func(i, j int) { requests[i], requests[j] = requests[j], requests[i] })
		requests = requests[:ownRequests]
		which = fmt.Sprintf("%s of the %s routes of %s, picked at random", grouped(ownRequests), grouped(n), rs.Name)
	}
	all := Scenario{
		Name: "All", Suite: OwnName, Kind: result.Speed, Routes: rs, Requests: requests,
		About: which + ".",
	}
	read := all
	read.Name, read.Task = "AllRead", router.ReadAll
	read.About = which + ", by handlers that read every parameter."
	parallel := all
	parallel.Name, parallel.Parallel = "AllParallel", true
	parallel.About = which + ", in as many goroutines as there are CPUs."
	scenarios = []Scenario{all, read, parallel}
	if q, ok := rs.miss(); ok {
		none := all
		none.Name, none.Requests = "AllNotFound", q
		none.About = "A path that none of the routes takes: " + q[0].HTTP.RequestURI + "."
		scenarios = append(scenarios, none)
	}
	memory := all
	memory.Name, memory.Kind = "Memory/own", result.Memory
	memory.About = fmt.Sprintf("The %s routes of %s.", grouped(len(rs.All)), rs.Name)
	return append(scenarios, memory), unreachable, nil
}

// miss returns a request that no route matches, with a path similar to that of a route, if
// it finds one.
func (rs *Routes) miss() ([]*route.Request, bool) {
	for i := len(rs.All) / 2; i < len(rs.All); i++ {
		q, ok := rs.Oracle.Sample(i, rand.New(rand.NewPCG(0, uint64(i))))
		if !ok {
			continue
		}
		for _, behind := range []string{"/nothing", "/nothing/here"} {
			miss, err := rs.Oracle.Request(q.HTTP.Method, q.HTTP.Host, strings.TrimSuffix(q.HTTP.URL.EscapedPath(), "/")+behind)
			if err == nil && miss.Status == http.StatusNotFound {
				return []*route.Request{miss}, true
			}
		}
	}
	return nil, false
}

// grouped returns a number with commas between thousands.
func grouped(n int) string {
	text := strconv.Itoa(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
