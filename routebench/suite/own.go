package suite

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"

	"github.com/muxwell/muxwell/routebench/result"
	"github.com/muxwell/muxwell/routebench/route"
	"github.com/muxwell/muxwell/routebench/router"
)

// Own returns the scenarios for anyone's own routes, whose names no other suite has,
// and the routes that no request was found for, which are in none of them.
func Own(rs *Routes, seed uint64) (scenarios []Scenario, unreachable []int, err error) {
	requests, unreachable := rs.Oracle.Samples(seed)
	if len(requests) == 0 {
		return nil, unreachable, fmt.Errorf("no request reaches any of the %d routes", len(rs.All))
	}
	all := Scenario{
		Name: "All", Suite: "own", Kind: result.Speed, Routes: rs, Requests: requests,
		About: fmt.Sprintf("Each of the %d routes of %s once.", len(requests), rs.Name),
	}
	read := all
	read.Name, read.Task = "AllRead", router.ReadAll
	read.About = fmt.Sprintf("Each of the %d routes of %s once, by handlers that read every parameter.", len(requests), rs.Name)
	parallel := all
	parallel.Name, parallel.Parallel = "AllParallel", true
	parallel.About = fmt.Sprintf("Each of the %d routes of %s once, in as many goroutines as there are CPUs.", len(requests), rs.Name)
	scenarios = []Scenario{all, read, parallel}
	if q, ok := rs.miss(); ok {
		none := all
		none.Name, none.Requests = "AllNotFound", q
		none.About = "A path that none of the routes takes: " + q[0].HTTP.RequestURI + "."
		scenarios = append(scenarios, none)
	}
	memory := all
	memory.Name, memory.Kind = "Memory/own", result.Memory
	memory.About = fmt.Sprintf("The %d routes of %s.", len(rs.All), rs.Name)
	return append(scenarios, memory), unreachable, nil
}

// miss returns a request that no route takes, for a path that is close to one of
// the routes' own, if it finds one.
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
