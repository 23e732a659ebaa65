package suite

import (
	"github.com/muxwell/muxwell/routebench/result"
	"github.com/muxwell/muxwell/routebench/router"
)

// Server returns the scenario of a whole server over loopback. Its handlers write one
// parameter. Routers below huma take part too.
func Server(seed uint64) ([]Scenario, error) {
	var b builder
	b.all(Scenario{
		Name: "Server/Github", Suite: "server", Kind: result.Server, Task: router.Write, Routes: b.routes(listed("github")),
		Variant: "huma",
		About:   "A server of GitHub's API over loopback, asked for each of its routes in turn; handlers write their first parameter.",
	}, seed)
	return b.scenarios, b.err
}
