// Package result defines the results of a run of the comparison, which files store
// and reports show.
package result

import "time"

// A Run is the result of a run of the comparison.
type Run struct {
	Started     time.Time     `json:"started"`
	Took        time.Duration `json:"took"` // in nanoseconds
	Command     []string      `json:"command"`
	Interrupted bool          `json:"interrupted,omitempty"` // what was not measured by then is not there
	Settings    Settings      `json:"settings"`
	Machine     Machine       `json:"machine"`
	Routers     []Router      `json:"routers"` // sorted by name
	Scenarios   []Scenario    `json:"scenarios"`
	Matrix      []Probe       `json:"matrix,omitempty"`
	// Faults are the routes and requests of a scenario that a router cannot
	// express, refuses or answers wrongly.
	Faults   []Fault  `json:"faults,omitempty"`
	Warnings []string `json:"warnings,omitempty"` // whole sentences, about the run as a whole
}

// Settings are the settings of a run.
type Settings struct {
	Rounds   int           `json:"rounds"`
	Slice    time.Duration `json:"slice"` // in nanoseconds
	CPUs     []int         `json:"cpus"`  // the values of GOMAXPROCS
	Seed     uint64        `json:"seed"`
	Baseline string        `json:"baseline"` // the router that others are compared with
	Source   string        `json:"source,omitempty"`
}

// A Machine is the machine of a run.
type Machine struct {
	CPU    string `json:"cpu"` // its brand
	Cores  int    `json:"cores"`
	Memory uint64 `json:"memory"` // in bytes
	OS     string `json:"os"`     // its name and version
	GOOS   string `json:"goos"`
	GOARCH string `json:"goarch"`
	Go     string `json:"go"` // go1.26.8
}

// A Router is a router that took part.
type Router struct {
	Name    string `json:"name"`
	Module  string `json:"module"`  // "" for the standard library
	Version string `json:"version"` // of the module, or of Go
	Stack   string `json:"stack"`   // net/http, fasthttp or hertz
	Note    string `json:"note,omitempty"`
}

// A Kind is a kind of scenarios. It determines how they are shown.
type Kind string

// The kinds.
const (
	Speed  Kind = "speed"  // time of requests: "ns/op", "B/op", "allocs/op"
	Memory Kind = "memory" // of the routing structure: "heap-bytes", and the time to load it, "load-ns"
	Growth Kind = "growth" // over the number of routes: "ns/op" for a request, "load-ns/route", "heap-bytes/route"
	Server Kind = "server" // over loopback: "requests/s", "cpu-ns/request", "p50-ns", "p99-ns"
)

// A Scenario has the results of a scenario.
type Scenario struct {
	Name  string `json:"name"`  // GithubAll
	Suite string `json:"suite"` // classic
	Kind  Kind   `json:"kind"`
	About string `json:"about"` // one sentence
	// Requests is how many requests one operation serves; 1 for growth, whose
	// operation is any of many.
	Requests int `json:"requests"`
	// Routes is how many routes there are.
	Routes int   `json:"routes"`
	Rows   []Row `json:"rows"`
}

// A Row is the result of a router in a scenario at one GOMAXPROCS.
type Row struct {
	Router string `json:"router"`
	CPU    int    `json:"cpu"`
	// Answered is how many of the scenario's requests the router answers right. It is
	// measured on these, and values such as "ns/op" are extrapolated to all requests.
	Answered int `json:"answered"`
	// LeftOut is the reason why there are no samples, or "".
	LeftOut string `json:"leftOut,omitempty"`
	// Samples has, for each unit, one number per round, in order.
	Samples map[string][]float64 `json:"samples,omitempty"`
	// Ops is the number of operations over which each sample is a mean.
	Ops []int `json:"ops,omitempty"`
}

// A Probe is a row of the matrix: something that a router may be able to do.
type Probe struct {
	Name    string   `json:"name"`
	About   string   `json:"about"` // one sentence
	Answers []Answer `json:"answers"`
}

// An Answer reports whether a router can do what a probe tests.
type Answer struct {
	Router string `json:"router"`
	Yes    bool   `json:"yes"`
	Reason string `json:"reason,omitempty"` // why not
}

// A Fault is a route or request that is excluded for a router in a scenario, with the
// reason.
type Fault struct {
	Scenario string `json:"scenario"`
	Router   string `json:"router"`
	Route    string `json:"route"` // METHOD PATTERN; "" for a request of none
	Source   string `json:"source,omitempty"`
	Request  string `json:"request,omitempty"` // that was answered wrongly; "" if the route was refused
	Reason   string `json:"reason"`
}

// Units that samples have.
const (
	Time        = "ns/op"
	Bytes       = "B/op"
	Allocs      = "allocs/op"
	HeapBytes   = "heap-bytes"
	LoadTime    = "load-ns"
	RoutesHeap  = "heap-bytes/route"
	RoutesLoad  = "load-ns/route"
	Throughput  = "requests/s"
	CPUTime     = "cpu-ns/request"
	MedianDelay = "p50-ns"
	TailDelay   = "p99-ns"
)

// Floor is the name of the row of an empty handler without a router. Its time is that of
// the measurement itself, which is part of all rows.
const Floor = "(no router)"
