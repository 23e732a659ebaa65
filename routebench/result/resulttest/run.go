// Package resulttest creates results for tests of reports and files. The
// figures are plausible, constant and not measured.
package resulttest

import (
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/muxwell/muxwell/routebench/result"
)

// A profile is the cost of an invented router.
type profile struct {
	result.Router
	ns, perParam     float64 // of a request, and of each of its parameters
	allocs, perValue float64 // of a request with parameters, and of each of them
	static           float64 // ns of a request without parameters
	heap             float64 // bytes for each route
	growth           float64 // the exponent of its time over the number of routes
}

// profiles are the routers, sorted by name.
var profiles = []profile{
	{router("bunrouter", "github.com/uptrace/bunrouter", "v1.0.23", ""), 36, 9, 0, 0, 21, 420, 0.05},
	{router("chi", "github.com/go-chi/chi/v5", "v5.5.0", ""), 150, 26, 2, 0, 105, 610, 0.07},
	{router("echo", "github.com/labstack/echo/v5", "v5.3.1", ""), 48, 11, 0, 0, 38, 530, 0.04},
	{stacked("fasthttp", "github.com/fasthttp/router", "v1.5.4", "fasthttp", "handlers of fasthttp"), 58, 14, 0, 0, 47, 690, 0.05},
	{stacked("fiber", "github.com/gofiber/fiber/v3", "v3.1.0", "fasthttp", "handlers of fiber"), 74, 10, 0, 0, 66, 880, 0.45},
	{router("gin", "github.com/gin-gonic/gin", "v1.12.0", ""), 41, 8, 0, 0, 30, 560, 0.05},
	{router("go-restful", "github.com/emicklei/go-restful/v3", "v3.14.0", ""), 2100, 160, 11, 2, 1900, 4800, 0.9},
	{router("gorilla", "github.com/gorilla/mux", "v1.8.1", ""), 690, 90, 6, 1, 560, 9400, 0.97},
	{router("httprouter", "github.com/julienschmidt/httprouter", "v1.3.0", "no longer kept"), 32, 9, 1, 0, 17, 410, 0.05},
	{router("httptreemux", "github.com/dimfeld/httptreemux/v5", "v5.5.0", ""), 130, 34, 3, 0, 24, 590, 0.06},
	{router("martini", "github.com/go-martini/martini", "v0.0.0-20170121215854-22fa46961aab", "no longer kept"), 3600, 300, 18, 2, 3100, 7300, 1},
	{router("muxwell", "github.com/muxwell/muxwell", "v0.3.0", "handlers of net/http, PathValue"), 52, 12, 0, 0, 15, 350, 0.02},
	{router("muxwell-value", "github.com/muxwell/muxwell", "v0.3.0", "handlers that get parameters by value"), 24, 5, 0, 0, 14, 350, 0.02},
	{router("ServeMux", "", "go1.26.8", ""), 120, 31, 1, 0, 62, 1300, 0.11},
}

func router(name, module, version, note string) result.Router {
	return stacked(name, module, version, "net/http", note)
}

func stacked(name, module, version, stack, note string) result.Router {
	return result.Router{Name: name, Module: module, Version: version, Stack: stack, Note: note}
}

// A shape is the shape of an invented scenario.
type shape struct {
	name, suite, about string
	requests, routes   int
	params             int // of all requests together
	writes             bool
}

// shapes are the scenarios of requests.
var shapes = []shape{
	{"Param", "classic", "One route with one parameter.", 1, 1, 1, false},
	{"Param5", "classic", "One route with five parameters.", 1, 1, 5, false},
	{"Param20", "classic", "One route with twenty parameters.", 1, 1, 20, false},
	{"ParamWrite", "classic", "One route with one parameter, whose value the handler writes.", 1, 1, 1, true},
	{"StaticAll", "classic", "All 157 files of Go's old website, without parameters.", 157, 157, 0, false},
	{"GithubStatic", "classic", "One route without parameters among GitHub's 203.", 1, 203, 0, false},
	{"GithubParam", "classic", "One route with two parameters among GitHub's 203.", 1, 203, 2, false},
	{"GithubAll", "classic", "All 203 routes of GitHub's API in turn.", 203, 203, 362, false},
	{"NotFound", "around", "A path that no route matches.", 1, 203, 0, false},
	{"MethodNotAllowed", "around", "A path that has routes for other methods only.", 1, 203, 0, false},
}

// Rounds is how many samples each row of [Run] has.
const Rounds = 10

// Run returns a run with rows of every sort: noisy and left-out ones, ones that
// answer a part of the requests, and the floor.
func Run() *result.Run {
	run := head()
	for _, s := range shapes {
		run.Scenarios = append(run.Scenarios, speed(s, profiles, []int{1, 2}, Rounds))
	}
	run.Scenarios = append(run.Scenarios, memory("Memory/Static", 157), memory("Memory/Github", 203), memory("Memory/GPlus", 13), memory("Memory/Parse", 26))
	for routes := 10; routes <= 100000; routes *= 10 {
		run.Scenarios = append(run.Scenarios, growth(routes))
	}
	run.Scenarios = append(run.Scenarios, server())
	spoil(run)
	run.Matrix = matrix()
	run.Faults = faults()
	run.Warnings = []string{
		"The processor's frequency changed by more than a tenth during the run.",
		"Other programs took 12 % of the processor's time during the run.",
	}
	return run
}

// Small returns a run of three routers in two scenarios at one GOMAXPROCS, and
// nothing else.
func Small() *result.Run {
	run := head()
	few := slices.DeleteFunc(slices.Clone(profiles), func(p profile) bool {
		return !slices.Contains([]string{"chi", "muxwell", "ServeMux"}, p.Name)
	})
	run.Settings.CPUs = []int{1}
	run.Routers = routers(few)
	for _, s := range shapes[:2] {
		run.Scenarios = append(run.Scenarios, speed(s, few, []int{1}, Rounds))
	}
	return run
}

// head returns a run in which nothing was measured yet.
func head() *result.Run {
	return &result.Run{
		Started: time.Date(2026, time.March, 14, 9, 26, 53, 0, time.UTC),
		Took:    2*time.Minute + 31*time.Second + 400*time.Millisecond,
		Command: []string{"routebench", "-cpu", "1,2"},
		Settings: result.Settings{
			Rounds: Rounds, Slice: 20 * time.Millisecond, CPUs: []int{1, 2}, Seed: 1, Baseline: "ServeMux", Source: "the classic suite",
		},
		Machine: result.Machine{
			CPU: "AMD EPYC 7763 64-Core Processor", Cores: 2, Memory: 8 << 30, OS: "debian 13.1",
			GOOS: "linux", GOARCH: "amd64", Go: "go1.26.8",
		},
		Routers: routers(profiles),
	}
}

func routers(from []profile) []result.Router {
	var out []result.Router
	for _, p := range from {
		out = append(out, p.Router)
	}
	return out
}

// speed returns a scenario of requests with a row of each router and the floor.
func speed(s shape, from []profile, cpus []int, rounds int) result.Scenario {
	sc := result.Scenario{Name: s.name, Suite: s.suite, Kind: result.Speed, About: s.about, Requests: s.requests, Routes: s.routes}
	for _, cpu := range cpus {
		floor := map[string]float64{result.Time: 2.1 * float64(s.requests), result.Bytes: 0, result.Allocs: 0}
		sc.Rows = append(sc.Rows, row(s.name, result.Floor, cpu, s.requests, rounds, floor))
		for _, p := range from {
			sc.Rows = append(sc.Rows, row(s.name, p.Name, cpu, s.requests, rounds, cost(p, s, cpu)))
		}
	}
	return sc
}

// cost returns what an operation of a scenario costs a router.
func cost(p profile, s shape, cpu int) map[string]float64 {
	requests, params := float64(s.requests), float64(s.params)
	withParams := math.Min(requests, params)
	ns := p.static*(requests-withParams) + p.ns*withParams + p.perParam*params
	allocs := p.allocs*withParams + p.perValue*params
	if s.writes {
		ns += 18
	}
	if s.suite == "around" {
		ns, allocs = 1.5*p.ns+55, 3
	}
	ns *= math.Pow(float64(s.routes), p.growth/2)
	if cpu > 1 { // the collector has a core of its own
		ns -= 4 * allocs
	}
	return map[string]float64{result.Time: ns, result.Bytes: 96 * allocs, result.Allocs: allocs}
}

// memory returns a scenario of what the routers keep for some routes.
func memory(name string, routes int) result.Scenario {
	sc := result.Scenario{
		Name: name, Suite: "memory", Kind: result.Memory, Routes: routes,
		About: fmt.Sprintf("The memory that %d routes take, and the time to load them.", routes),
	}
	for _, p := range profiles {
		n := float64(routes)
		sc.Rows = append(sc.Rows, row(name, p.Name, 1, 0, Rounds, map[string]float64{
			result.HeapBytes: math.Round(p.heap*n) + 1600, result.LoadTime: 2.1*p.heap*n + 9000,
		}))
	}
	return sc
}

// growth returns a scenario of some number of routes.
func growth(routes int) result.Scenario {
	sc := result.Scenario{
		Name: fmt.Sprintf("Growth/%d", routes), Suite: "growth", Kind: result.Growth, Requests: 1, Routes: routes,
		About: fmt.Sprintf("A request for one of %d routes with a parameter.", routes),
	}
	for _, p := range profiles {
		if p.Name == "martini" && routes > 10000 {
			sc.Rows = append(sc.Rows, result.Row{Router: p.Name, CPU: 1, LeftOut: "it took more than 10 s to load 10000 routes"})
			continue
		}
		n := float64(routes)
		sc.Rows = append(sc.Rows, row(sc.Name, p.Name, 1, 1, Rounds, map[string]float64{
			result.Time:       (p.ns + p.perParam) * math.Pow(n/10, p.growth),
			result.RoutesLoad: 2.4 * p.heap * math.Pow(n/10, p.growth/4),
			result.RoutesHeap: p.heap + 1600/n,
		}))
	}
	return sc
}

// server returns a scenario over loopback.
func server() result.Scenario {
	sc := result.Scenario{
		Name: "Server/Github", Suite: "server", Kind: result.Server, Requests: 203, Routes: 203,
		About: "A whole server with GitHub's routes, over loopback asked for each of them in turn.",
	}
	github := shapes[slices.IndexFunc(shapes, func(s shape) bool { return s.name == "GithubAll" })]
	for _, p := range profiles {
		whole := 17500.0
		if p.Stack == "fasthttp" {
			whole = 6900
		}
		cpu := whole + cost(p, github, 2)[result.Time]/float64(github.requests)
		sc.Rows = append(sc.Rows, row(sc.Name, p.Name, 2, 203, Rounds, map[string]float64{
			result.Throughput: 1e9 / cpu * 1.1, result.CPUTime: cpu, result.MedianDelay: 28 * cpu, result.TailDelay: 96 * cpu,
		}))
	}
	return sc
}

// row returns a row with samples around a cost in each unit. Time spreads by about
// a hundredth; what is counted does not.
func row(scenario, router string, cpu, requests, rounds int, cost map[string]float64) result.Row {
	h := fnv.New64a()
	fmt.Fprintf(h, "%s %s %d", scenario, router, cpu)
	rnd := rand.New(rand.NewPCG(h.Sum64(), 1))
	r := result.Row{Router: router, CPU: cpu, Answered: requests, Samples: map[string][]float64{}}
	for round := range rounds {
		drift := 1 + 0.01*rnd.NormFloat64() + 0.004*float64(round%3)
		r.Ops = append(r.Ops, 1+int(2e7/math.Max(50, cost[result.Time])))
		for _, unit := range units {
			mean, ok := cost[unit]
			switch {
			case !ok:
				continue
			case unit == result.Throughput:
				mean /= drift
			case unit != result.Bytes && unit != result.Allocs && unit != result.HeapBytes && unit != result.RoutesHeap:
				mean *= drift
			}
			r.Samples[unit] = append(r.Samples[unit], math.Round(mean*100)/100)
		}
	}
	return r
}

// units are all units, in the order in which rows are filled.
var units = []string{
	result.Time, result.Bytes, result.Allocs, result.HeapBytes, result.LoadTime, result.RoutesHeap, result.RoutesLoad,
	result.Throughput, result.CPUTime, result.MedianDelay, result.TailDelay,
}
