package main

import (
	"fmt"
	"os/exec"
	"runtime"
	"strings"
	"time"

	"github.com/shirou/gopsutil/v4/cpu"
)

// A result has all results of a run. The flag -json writes it.
type result struct {
	Date        time.Time `json:"date"`
	Machine     machine   `json:"machine"`
	Settings    settings  `json:"settings"`
	Notes       []string  `json:"notes,omitempty"`
	Interrupted bool      `json:"interrupted,omitempty"`
	Services    []*row    `json:"services"`
	cores       cores
}

type machine struct {
	CPU   string `json:"cpu"`
	Cores int    `json:"cores"`
	OS    string `json:"os"`
	Go    string `json:"go"`
	Rust  string `json:"rust,omitempty"`
}

type settings struct {
	Kind        string  `json:"kind"`
	Bodies      int     `json:"bodies"`
	Connections int     `json:"connections"`
	Rounds      int     `json:"rounds"`
	Seconds     float64 `json:"seconds"` // of a turn
	Seed        uint64  `json:"seed"`
	Baseline    string  `json:"baseline"`
}

// A row has the measurements of a service.
type row struct {
	Name    string   `json:"name"`
	About   string   `json:"about"`
	LeftOut string   `json:"left_out,omitempty"` // why
	Figures *figures `json:"figures,omitempty"`
	Samples []sample `json:"samples,omitempty"`
	failed  bool
}

// A sample is the result of a turn. Times are in microseconds.
type sample struct {
	Round         int     `json:"round"`
	Requests      int     `json:"requests"`
	Seconds       float64 `json:"seconds"`
	Throughput    float64 `json:"requests_per_second"`
	CPU           float64 `json:"cpu_us_per_request"` // of the service; 0 if the system does not tell
	P50           float64 `json:"p50_us"`
	P99           float64 `json:"p99_us"`
	Peak          int64   `json:"peak_bytes"`     // of the service's resident set; 0 if the system does not tell
	GeneratorBusy float64 `json:"generator_busy"` // the share of a core that the generator took
}

// newResult returns a result without samples.
func newResult(o *options) *result {
	cores, note := chooseCores(allowedCores())
	r := &result{
		Date:    time.Now().UTC().Truncate(time.Second),
		Machine: thisMachine(),
		Settings: settings{
			Kind: o.kind.String(), Bodies: o.distinct, Connections: o.connections,
			Rounds: o.rounds, Seconds: o.duration.Seconds(), Seed: o.seed, Baseline: o.baseline,
		},
		cores: cores,
	}
	if note != "" {
		r.Notes = append(r.Notes, note)
	}
	for _, s := range o.services {
		r.Services = append(r.Services, &row{Name: s.name, About: s.about})
	}
	return r
}

// thisMachine describes this machine. Fields that the system does not report are empty.
func thisMachine() machine {
	m := machine{Cores: runtime.NumCPU(), OS: runtime.GOOS + "/" + runtime.GOARCH, Go: runtime.Version()}
	if infos, err := cpu.Info(); err == nil && len(infos) > 0 {
		m.CPU = strings.Join(strings.Fields(infos[0].ModelName), " ")
	}
	if version, err := exec.Command("rustc", "--version").Output(); err == nil {
		m.Rust = strings.TrimSpace(string(version))
	}
	return m
}

// measured reports whether there is a sample.
func (r *result) measured() bool {
	for _, row := range r.Services {
		if len(row.Samples) > 0 {
			return true
		}
	}
	return false
}

// failed returns an error if services are excluded for a reason other than a missing tool.
func (r *result) failed() error {
	var failed []string
	for _, row := range r.Services {
		if row.failed {
			failed = append(failed, row.Name)
		}
	}
	if failed == nil {
		return nil
	}
	return fmt.Errorf("services failed: %s", strings.Join(failed, ", "))
}
