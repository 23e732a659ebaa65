package suite

import (
	"fmt"
	"strings"

	"github.com/muxwell/muxwell/routebench/result"
	"github.com/muxwell/muxwell/routebench/router"
)

// Today returns the scenarios for what the classic ones leave out and most services
// have today: middleware, and long paths with UUIDs.
func Today(seed uint64) ([]Scenario, error) {
	var b builder
	speed := func(name string, rs *Routes, about string) Scenario {
		return Scenario{Name: name, Suite: "today", Kind: result.Speed, Routes: rs, About: about}
	}

	github := b.routes(listed("github"))
	for _, m := range []struct {
		number int
		words  string
	}{{1, "one middleware that does nothing"}, {5, "five middleware that do nothing"}} {
		s := speed(fmt.Sprintf("Middleware%d", m.number), github,
			"Each of the 203 routes of GitHub's API once, behind "+m.words+"; handlers write their first parameter.")
		s.Task, s.Middleware = router.Write, m.number
		b.all(s, seed)
	}

	paths := nested("organizations", "projects", "environments")
	var patterns []string
	for _, p := range paths {
		patterns = append(patterns, "GET "+p[:strings.LastIndexByte(p, '/')], "GET "+p)
	}
	rs := b.routes(newRoutes("UUID", patterns...))
	uuids := strings.NewReplacer("{organization}", "7d444840-9dc0-11d1-b245-5ffdce74fad2",
		"{project}", "f81d4fae-7dec-11d0-a765-00a0c91e6bf6", "{environment}", "6ba7b810-9dad-11d1-80b4-00c04fd430c8")
	for i, p := range paths {
		name, words := "UUID", "one UUID"
		if i > 0 {
			name, words = fmt.Sprintf("UUID%d", i+1), fmt.Sprintf("%d UUIDs", i+1)
		}
		path := uuids.Replace(p)
		b.asking(speed(name, rs, fmt.Sprintf("A path of %d bytes with %s among the %d routes of an API.", len(path), words, len(patterns))), "GET "+path)
	}
	return b.scenarios, b.err
}

// nested returns the paths of resources each of which belongs to the one before:
// /api/v1/as/{a}, /api/v1/as/{a}/bs/{b} and so on.
func nested(resources ...string) []string {
	var paths []string
	path := "/api/v1"
	for _, r := range resources {
		path += "/" + r + "/{" + strings.TrimSuffix(r, "s") + "}"
		paths = append(paths, path)
	}
	return paths
}
