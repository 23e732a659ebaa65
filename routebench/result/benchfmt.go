package result

import (
	"io"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/perf/benchfmt"
)

// WriteBenchfmt writes the samples of a run in the format of Go's benchmarks, for benchstat
// and similar tools. It writes one line, with all units, for each round of each row that
// has samples.
//
//	BenchmarkGithubAll/router=chi-2 1482 13521.4 ns/op 0 B/op 0 allocs/op
//
// The number after the router is GOMAXPROCS, even if it is 1. Times are in nanoseconds and
// sizes in bytes, per request or per route if the unit says so. A row that answers only
// some of the requests is called router=chi/answered=190, so that it is not compared with
// rows that answer all. The row without a router is router=no_router. Characters that a
// name cannot have become "_".
func WriteBenchfmt(w io.Writer, run *Run) error {
	out := benchfmt.NewWriter(w)
	used := usedUnits(run)
	for _, unit := range used {
		if err := out.Write(better(unit)); err != nil {
			return err
		}
	}
	config := fileConfig(run)
	for i := range run.Scenarios {
		s := &run.Scenarios[i]
		for j := range s.Rows {
			r := &s.Rows[j]
			if r.LeftOut != "" {
				continue
			}
			name := benchmarkName(s, r)
			for round := range rounds(r) {
				record := &benchfmt.Result{Config: config, Name: name, Iters: ops(r, round), Values: valuesOf(r, round, used)}
				if err := out.Write(record); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// usedUnits returns the units that a run has, in their order.
func usedUnits(run *Run) []string {
	var used []string
	for _, unit := range Units {
		if has(run, unit) {
			used = append(used, unit)
		}
	}
	return used
}

func has(run *Run, unit string) bool {
	for i := range run.Scenarios {
		for j := range run.Scenarios[i].Rows {
			if len(run.Scenarios[i].Rows[j].Samples[unit]) > 0 {
				return true
			}
		}
	}
	return false
}

// better returns the line that declares for benchstat whether more or less of a unit is
// better.
func better(unit string) *benchfmt.UnitMetadata {
	value := "lower"
	if HigherIsBetter(unit) {
		value = "higher"
	}
	return &benchfmt.UnitMetadata{
		UnitMetadataKey: benchfmt.UnitMetadataKey{Unit: unit, Key: "better"}, OrigUnit: unit, Value: value,
	}
}

// fileConfig returns the configuration lines at the beginning of a file.
func fileConfig(run *Run) []benchfmt.Config {
	var config []benchfmt.Config
	for _, kv := range [][2]string{
		{"goos", run.Machine.GOOS},
		{"goarch", run.Machine.GOARCH},
		{"cpu", run.Machine.CPU},
		{"go", run.Machine.Go},
	} {
		if value := strings.Join(strings.Fields(kv[1]), " "); value != "" {
			config = append(config, benchfmt.Config{Key: kv[0], Value: []byte(value), File: true})
		}
	}
	return config
}

// benchmarkName returns the name of a row's benchmark, without "Benchmark".
func benchmarkName(s *Scenario, r *Row) benchfmt.Name {
	name := nameOf(s.Name, "/") + "/router=" + strings.Trim(nameOf(r.Router, ""), "_")
	if r.Answered < s.Requests {
		name += "/answered=" + strconv.Itoa(r.Answered)
	}
	first, size := utf8.DecodeRuneInString(name)
	return benchfmt.Name(string(unicode.ToUpper(first)) + name[size:] + "-" + strconv.Itoa(r.CPU))
}

// nameOf returns text with each character that is neither a letter nor a digit, nor
// one of "._-" and of those allowed, as "_".
func nameOf(text, allowed string) string {
	return strings.Map(func(r rune) rune {
		if r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("._-"+allowed, r)) {
			return r
		}
		return '_'
	}, text)
}

// rounds returns how many samples a row has in the unit that it has most of.
func rounds(r *Row) int {
	n := 0
	for _, values := range r.Samples {
		n = max(n, len(values))
	}
	return n
}

// ops returns of how many operations a sample is the mean.
func ops(r *Row, round int) int {
	if round < len(r.Ops) && r.Ops[round] > 0 {
		return r.Ops[round]
	}
	return 1
}

// valuesOf returns the figures of a round.
func valuesOf(r *Row, round int, units []string) []benchfmt.Value {
	var values []benchfmt.Value
	for _, unit := range units {
		if samples := r.Samples[unit]; round < len(samples) {
			values = append(values, benchfmt.Value{Value: samples[round], Unit: unit})
		}
	}
	return values
}
