package suite

import (
	"strings"

	"github.com/muxwell/muxwell/routebench/result"
	"github.com/muxwell/muxwell/routebench/router"
)

// Around returns the scenarios that the classic ones lack: requests that no route
// matches, handlers that read their parameters, long paths, routes that require
// backtracking, and requests served at the same time.
func Around(seed uint64) ([]Scenario, error) {
	var b builder
	speed := func(name string, rs *Routes, about string) Scenario {
		return Scenario{Name: name, Suite: "around", Kind: result.Speed, Routes: rs, About: about}
	}
	reading := func(name string, rs *Routes, about string) Scenario {
		s := speed(name, rs, about)
		s.Task = router.ReadAll
		return s
	}
	parallel := func(name string, rs *Routes, about string) Scenario {
		s := speed(name, rs, about)
		s.Parallel = true
		return s
	}

	github := b.routes(listed("github"))
	b.asking(speed("NotFound", github, "A path that no route of GitHub's API takes."), "GET /repos/julienschmidt/httprouter/nothing")
	b.asking(speed("MethodNotAllowed", github, "A path of GitHub's API with a method that it does not have."), "DELETE /repos/julienschmidt/httprouter/issues")
	b.all(parallel("GithubAllParallel", github, "Each of the 203 routes of GitHub's API once, in as many goroutines as there are CPUs."), seed)
	b.all(reading("GithubAllRead", github, "Each of the 203 routes of GitHub's API once, by handlers that read every parameter."), seed)
	b.asking(reading("Param5Read", b.routes(newRoutes("Param5", "GET "+inARow(5))), "Five parameters, every one of which is read."), "GET /test/test/test/test/test")
	b.asking(reading("Param20Read", b.routes(newRoutes("Param20", "GET "+inARow(20))), "Twenty parameters, every one of which is read."), "GET /a/b/c/d/e/f/g/h/i/j/k/l/m/n/o/p/q/r/s/t")

	long := strings.Repeat("x", 4<<10)
	b.asking(speed("LongPath", b.routes(newRoutes("LongPath", "GET /{a}/in/{b}")), "A path of 8 KB with two parameters."), "GET /"+long+"/in/"+long)
	// A router that does not backtrack answers the first request right by luck, and the
	// second one wrong.
	path := "GET " + strings.Repeat("/a", backtrackingDepth)
	b.asking(speed("Backtracking", b.routes(newRoutes("Backtracking", choices(backtrackingDepth)...)),
		"All 1,024 routes of ten segments that are \"a\" or a parameter, and one that ends differently: asked for a path that none takes, and for one that only the last does."),
		path+"/d", path+"/b")
	return b.scenarios, b.err
}

// backtrackingDepth is the number of segments of Backtracking's routes.
const backtrackingDepth = 10

// choices returns all routes of n segments that are "a" or a parameter, followed by "c",
// and one of n parameters followed by "b".
func choices(n int) []string {
	patterns := make([]string, 1<<n)
	for i := range patterns {
		var p strings.Builder
		p.WriteString("GET ")
		for j := range n {
			if i>>j&1 == 0 {
				p.WriteString("/a")
			} else {
				p.WriteString("/{" + string(rune('a'+j)) + "}")
			}
		}
		patterns[i] = p.String() + "/c"
	}
	all := strings.TrimSuffix(patterns[len(patterns)-1], "c")
	return append(patterns, all+"b")
}
