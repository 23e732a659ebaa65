package suite

import (
	"fmt"
	"strings"

	"github.com/muxwell/muxwell/routebench/result"
	"github.com/muxwell/muxwell/routebench/route"
	"github.com/muxwell/muxwell/routebench/router"
)

// Classic returns the scenarios of the classic Go router benchmark
// (github.com/julienschmidt/go-http-routing-benchmark), under its names and with
// its route lists. Handlers do nothing, but for ParamWrite.
func Classic(seed uint64) ([]Scenario, error) {
	var b builder
	speed := func(name string, rs *Routes, about string) Scenario {
		return Scenario{Name: name, Suite: "classic", Kind: result.Speed, Routes: rs, About: about}
	}

	param := b.routes(newRoutes("Param", "GET /user/{name}"))
	b.asking(speed("Param", param, "One route with one parameter."), "GET /user/gordon")
	write := speed("ParamWrite", param, "One route with one parameter, which the handler writes.")
	write.Task = router.Write
	b.asking(write, "GET /user/gordon")
	b.asking(speed("Param5", b.routes(newRoutes("Param5", "GET "+inARow(5))), "One route with five parameters in a row."), "GET /test/test/test/test/test")
	b.asking(speed("Param20", b.routes(newRoutes("Param20", "GET "+inARow(20))), "One route with twenty parameters in a row."), "GET /a/b/c/d/e/f/g/h/i/j/k/l/m/n/o/p/q/r/s/t")

	github := b.routes(listed("github"))
	b.asking(speed("GithubStatic", github, "A path without parameters among the 203 routes of GitHub's API."), "GET /user/repos")
	b.asking(speed("GithubParam", github, "A path with two parameters among the 203 routes of GitHub's API."), "GET /repos/julienschmidt/httprouter/stargazers")
	b.all(speed("GithubAll", github, "Each of the 203 routes of GitHub's API once."), seed)

	gplus := b.routes(listed("gplus"))
	b.asking(speed("GPlusStatic", gplus, "A path without parameters among the 13 routes of the Google+ API."), "GET /people")
	b.asking(speed("GPlusParam", gplus, "A path with one parameter among the 13 routes of the Google+ API."), "GET /people/118051310819094153327")
	b.asking(speed("GPlus2Params", gplus, "A path with two parameters among the 13 routes of the Google+ API."), "GET /people/118051310819094153327/activities/123456789")
	b.all(speed("GPlusAll", gplus, "Each of the 13 routes of the Google+ API once."), seed)

	parse := b.routes(listed("parse"))
	b.asking(speed("ParseStatic", parse, "A path without parameters among the 26 routes of Parse's API."), "GET /1/users")
	b.asking(speed("ParseParam", parse, "A path with one parameter among the 26 routes of Parse's API."), "GET /1/classes/go")
	b.asking(speed("Parse2Params", parse, "A path with two parameters among the 26 routes of Parse's API."), "GET /1/classes/go/123456789")
	b.all(speed("ParseAll", parse, "Each of the 26 routes of Parse's API once."), seed)

	b.all(speed("StaticAll", b.routes(listed("static")), "Each of the 157 paths of Go's old website once, none with a parameter."), seed)
	return b.scenarios, b.err
}

// inARow returns a path of n parameters, called a, b and so on.
func inARow(n int) string {
	var path strings.Builder
	for c := range n {
		fmt.Fprintf(&path, "/{%c}", 'a'+c)
	}
	return path.String()
}

// Memory returns the scenarios for the memory and the load time of the classic lists.
func Memory(seed uint64) ([]Scenario, error) {
	var scenarios []Scenario
	for _, l := range []struct {
		list, name, about string
		size              int
	}{
		{"static", "Static", "The 157 paths of Go's old website.", 157},
		{"github", "Github", "The 203 routes of GitHub's API.", 203},
		{"gplus", "GPlus", "The 13 routes of the Google+ API.", 13},
		{"parse", "Parse", "The 26 routes of Parse's API.", 26},
		{"github-rest", "GithubREST", "The 1,223 operations of GitHub's REST API today.", 1223},
	} {
		scenarios = append(scenarios, later(Scenario{Name: "Memory/" + l.name, Suite: "memory", Kind: result.Memory, About: l.about}, l.size,
			func() (*Routes, error) { return listed(l.list) },
			func(rs *Routes) ([]*route.Request, error) { return rs.each(seed) }))
	}
	return scenarios, nil
}
