package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/perf/benchfmt"

	"github.com/muxwell/muxwell/internal/wholefile"
	"github.com/muxwell/muxwell/routebench/measure"
	"github.com/muxwell/muxwell/routebench/page"
	"github.com/muxwell/muxwell/routebench/report"
	"github.com/muxwell/muxwell/routebench/result"
)

// A source is a run that figures are from: what measures it, and the one file that
// keeps it. Names of files are relative to the root of the repository.
type source struct {
	name, file string
	about      string
	// routebench are the arguments of routebench that measure it, nil for benchmarks.
	routebench []string
	// benchmarks are the arguments of "go test" that measure a round of it.
	benchmarks [][]string
}

const results = "routebench/results/"

// sources are the runs.
var sources = []source{
	{
		name: "classic", file: results + "classic.json",
		about:      "what `go run ./routebench` measures without flags",
		routebench: []string{},
	},
	{
		name: "all", file: results + "all.json",
		about:      "all scenarios of requests, all routers and their variants",
		routebench: []string{"-suite", "classic,gorilla,around,today", "-routers", "all"},
	},
	{
		name: "scale", file: results + "scale.json",
		about:      "memory, 10 to 100,000 routes, whole servers over loopback",
		routebench: []string{"-suite", "memory,growth,server", "-routers", "known,muxwell-gorilla", "-rounds", "6", "-slice", "2ms", "-cpu", "2"},
	},
	{
		name: "huma", file: results + "huma.json",
		about:      "whole servers over loopback: huma with four routers, and these routers alone",
		routebench: []string{"-suite", "server", "-routers", "huma-muxwell,huma-ServeMux,huma-chi,huma-gin,muxwell,ServeMux,chi,gin", "-rounds", "20", "-slice", "20ms", "-cpu", "2"},
	},
	{
		name: "benchmarks", file: "internal/benchmarks/results/muxwell.txt",
		about: "the benchmarks of this repository, next to http.ServeMux",
		benchmarks: [][]string{
			{"-bench", "^Benchmark(Serve|Read|Around)$", "-cpu", "1,2", "./internal/benchmarks"},
			{"-bench", "^BenchmarkParallel$", "-cpu", "1,2", "./internal/benchmarks"},
			{"-bench", "^BenchmarkLanguage$//mux=value", "-cpu", "1,2", "./internal/benchmarks"},
			{"-bench", "^BenchmarkScale$/^routes=(10|1000|10000)$", "-cpu", "1,2", "./internal/benchmarks"},
			// http.ServeMux takes over ten seconds to register 100,000 routes.
			{"-bench", "^BenchmarkScale$/^routes=100000$/^mux=(value|pathvalue)$", "-cpu", "1,2", "./internal/benchmarks"},
			{"-bench", "^BenchmarkBuild$/^routes=(100|10000)$", "-cpu", "2", "-benchtime", "1x", "./internal/benchmarks"},
			{"-bench", "^BenchmarkBuild$/^routes=100000$/^mux=pathvalue$", "-cpu", "2", "-benchtime", "1x", "./internal/benchmarks"},
			{"-bench", "^BenchmarkUpdate$/^routes=(10000|100000)$", "-cpu", "2", "-benchtime", "20x", "."},
		},
	},
	{
		name: "gorilla", file: "gorilla/conformance/benchmarks.txt",
		about: "gorilla/mux's main branch and package gorilla/mux",
		benchmarks: [][]string{
			{"-bench", "^BenchmarkServe$", "-cpu", "1,2", "./gorilla/conformance"},
		},
	},
	{
		name: "similarity", file: "similarity/compare/results/similarity.txt",
		about: "the text-similarity service: pipelines, ways to normalize a text, the steps of package score",
		benchmarks: [][]string{
			{"-bench", "^BenchmarkAnswer$", "-cpu", "1", "-benchtime", "200ms", "./similarity/compare/original"},
			{"-bench", "^BenchmarkNormalise$", "-cpu", "1", "-benchtime", "100ms", "./similarity/compare/normalise"},
			{"-bench", "^BenchmarkAnswer$/^text=plain$", "-cpu", "1", "-benchtime", "100ms", "./similarity/score"},
		},
	},
}

// sourceNamed returns the source with a name.
func sourceNamed(name string) (*source, error) {
	var names []string
	for i := range sources {
		if sources[i].name == name {
			return &sources[i], nil
		}
		names = append(names, sources[i].name)
	}
	return nil, fmt.Errorf("there is no run %q; there are %s", name, strings.Join(names, ", "))
}

// An output is a file that holds nothing but what is made of one run.
type output struct {
	file string
	make func() ([]byte, error)
}

// outputs returns the files next to a run of routebench.
func (d *data) outputs(s *source) []output {
	if s.routebench == nil {
		return nil
	}
	var all []output
	for ext, write := range map[string]func(io.Writer, *result.Run) error{
		".md": report.Markdown, ".html": page.Write, ".bench": result.WriteBenchfmt,
	} {
		all = append(all, output{strings.TrimSuffix(s.file, ".json") + ext, func() ([]byte, error) {
			run, err := d.run(s.name)
			if err != nil {
				return nil, err
			}
			var b bytes.Buffer
			err = write(&b, run)
			return b.Bytes(), err
		}})
	}
	slices.SortFunc(all, func(a, b output) int { return strings.Compare(a.file, b.file) })
	return all
}

// data are the runs, read from their files when they are first asked for.
type data struct {
	root  string
	runs  map[string]*result.Run
	marks map[string]*benchmarks
}

func open(root string) *data {
	return &data{root: root, runs: map[string]*result.Run{}, marks: map[string]*benchmarks{}}
}

// read returns the source with a name, and its file.
func (d *data) read(name string) (*source, []byte, error) {
	s, err := sourceNamed(name)
	if err != nil {
		return nil, nil, err
	}
	text, err := os.ReadFile(filepath.Join(d.root, s.file))
	return s, text, err
}

// run returns a run of routebench.
func (d *data) run(name string) (*result.Run, error) {
	if run := d.runs[name]; run != nil {
		return run, nil
	}
	s, text, err := d.read(name)
	if err != nil {
		return nil, err
	}
	run, err := result.ReadJSON(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.file, err)
	}
	d.runs[name] = run
	return run, nil
}

// benchmarks are what a file of "go test -bench" says.
type benchmarks struct {
	config map[string]string
	rows   map[rowKey]*result.Row
	order  []rowKey
}

// A rowKey names a benchmark, without its GOMAXPROCS, and the GOMAXPROCS.
type rowKey struct {
	name string
	cpu  int
}

// benchmarks returns the benchmarks of a run.
func (d *data) benchmarks(name string) (*benchmarks, error) {
	if b := d.marks[name]; b != nil {
		return b, nil
	}
	s, text, err := d.read(name)
	if err != nil {
		return nil, err
	}
	b, err := readBenchmarks(s.file, text)
	if err != nil {
		return nil, err
	}
	d.marks[name] = b
	return b, nil
}

// configs are the lines of a file of benchmarks that tables need.
var configs = []string{"date", "go", "os", "cores", "rounds", "goos", "goarch", "cpu"}

// readBenchmarks reads what [measureBenchmarks] wrote.
func readBenchmarks(file string, text []byte) (*benchmarks, error) {
	b := &benchmarks{config: map[string]string{}, rows: map[rowKey]*result.Row{}}
	reader := benchfmt.NewReader(bytes.NewReader(text), file)
	for reader.Scan() {
		r, ok := reader.Result().(*benchfmt.Result)
		if !ok {
			if err, ok := reader.Result().(*benchfmt.SyntaxError); ok {
				return nil, err
			}
			continue
		}
		for _, key := range configs {
			b.config[key] = r.GetConfig(key)
		}
		key := keyOf(string(r.Name.Full()))
		row := b.rows[key]
		if row == nil {
			row = &result.Row{CPU: key.cpu, Samples: map[string][]float64{}}
			b.rows[key], b.order = row, append(b.order, key)
		}
		for _, v := range r.Values {
			unit, value := v.Unit, v.Value
			if v.OrigUnit != "" {
				unit, value = v.OrigUnit, v.OrigValue
			}
			row.Samples[unit] = append(row.Samples[unit], value)
		}
	}
	if err := reader.Err(); err != nil {
		return nil, err
	}
	if len(b.rows) == 0 {
		return nil, fmt.Errorf("%s has no benchmarks", file)
	}
	for _, key := range configs {
		if b.config[key] == "" {
			return nil, fmt.Errorf("%s has no line %q; measure it anew with -measure", file, key+": …")
		}
	}
	return b, nil
}

// keyOf returns the key of a benchmark as "go test" prints its name, without
// "Benchmark": the GOMAXPROCS is at the end, unless it is 1.
func keyOf(name string) rowKey {
	if at := strings.LastIndexByte(name, '-'); at >= 0 {
		if cpu, err := strconv.Atoi(name[at+1:]); err == nil && cpu > 0 {
			return rowKey{name[:at], cpu}
		}
	}
	return rowKey{name, 1}
}

// median returns the median of a benchmark in a unit.
func (b *benchmarks) median(name string, cpu int, unit string) (float64, error) {
	row := b.rows[rowKey{name, cpu}]
	if row == nil {
		return 0, fmt.Errorf("there is no benchmark %q at GOMAXPROCS=%d", name, cpu)
	}
	s, ok := row.Summarize(unit, nil)
	if !ok {
		return 0, fmt.Errorf("the benchmark %q has no %s", name, unit)
	}
	return s.Center, nil
}

// measureRun measures a run and writes its file. If it fails or is interrupted, the file
// does not change. Benchmarks are measured in rounds, so that a temporary slowdown of the
// machine affects all of them.
func measureRun(ctx context.Context, root string, s *source, rounds int, benchtime string, stderr io.Writer) error {
	if s.routebench != nil {
		return measureRouters(ctx, root, s, stderr)
	}
	var out bytes.Buffer
	m := measure.Machine()
	fmt.Fprintf(&out, "date: %s\ngo: %s\nos: %s\ncores: %d\nrounds: %d\n", time.Now().UTC().Format(time.DateOnly), m.Go, m.OS, m.Cores, rounds)
	for round := range rounds {
		for _, args := range s.benchmarks {
			fmt.Fprintf(stderr, "figures: %s, round %d of %d: %s\n", s.name, round+1, rounds, strings.Join(args, " "))
			command := []string{"test", "-run", "-", "-benchtime", benchtime, "-timeout", "0"}
			if err := runProgram(ctx, root, &out, stderr, "go", append(command, args...)...); err != nil {
				return fmt.Errorf("%w\n%s", err, out.Bytes())
			}
		}
	}
	file := filepath.Join(root, s.file)
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return err
	}
	if _, err := readBenchmarks(s.file, out.Bytes()); err != nil {
		return err
	}
	return wholefile.Write(file, func(f *os.File) error {
		_, err := f.Write(out.Bytes())
		return err
	})
}

// measureRouters measures a run of routebench and writes its file.
func measureRouters(ctx context.Context, root string, s *source, stderr io.Writer) error {
	dir, err := os.MkdirTemp("", "figures")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	program, measured := filepath.Join(dir, "routebench"), filepath.Join(dir, "run.json")
	if err := runProgram(ctx, root, io.Discard, stderr, "go", "build", "-o", program, "./routebench"); err != nil {
		return err
	}
	if err := runProgram(ctx, root, io.Discard, stderr, program, append([]string{"-json", measured}, s.routebench...)...); err != nil {
		return err
	}
	text, err := os.ReadFile(measured)
	if err != nil {
		return err
	}
	return wholefile.Write(filepath.Join(root, s.file), func(f *os.File) error {
		_, err := f.Write(text)
		return err
	})
}
