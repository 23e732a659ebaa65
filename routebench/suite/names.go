package suite

// A Named is a named suite of scenarios.
type Named struct {
	Name  string
	About string // one sentence
	// Make returns the scenarios, with requests that depend on the seed alone.
	Make func(seed uint64) ([]Scenario, error)
}

// All returns the suites in the order in which they run.
func All() []Named {
	return []Named{
		{"classic", "The classic Go router benchmark: Param to StaticAll.", Classic},
		{"gorilla", "The benchmarks of gorilla/mux, for all routers.", Gorilla},
		{"around", "404, 405, values read, long paths, backtracking, parallel requests.", Around},
		{"today", "Middleware, and long paths with UUIDs.", Today},
		{"memory", "The memory that the routing structure takes, and the time to load it.", Memory},
		{"growth", "10 to 100,000 routes: time of a request, time to load, memory.", Growth},
		{"server", "A whole server over loopback: requests a second, CPU time, latencies.", Server},
	}
}
