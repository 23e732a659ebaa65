package main

import (
	"strings"
	"testing"
)

func TestMedianOf(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   *estimate
	}{
		{nil, nil},
		{[]float64{0, 0}, nil},
		{[]float64{3}, &estimate{Median: 3}},
		{[]float64{9, 1, 2}, &estimate{Median: 2}},
		{[]float64{6, 1, 5, 2, 4, 3}, &estimate{3.5, 1, 6}},
		{[]float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 100}, &estimate{5.5, 2, 9}},
	} {
		got := medianOf(c.values)
		if (got == nil) != (c.want == nil) || got != nil && *got != *c.want {
			t.Errorf("%v: %+v, want %+v", c.values, got, c.want)
		}
	}
}

// samplesOf returns samples with a throughput each, in rounds from 1 on; 0 is a round
// that has none.
func samplesOf(throughputs ...float64) (samples []sample) {
	for i, v := range throughputs {
		if v > 0 {
			samples = append(samples, sample{Round: i + 1, Throughput: v, CPU: 1e6 / v, P50: 1500, P99: 2500, Peak: 3 << 20})
		}
	}
	return samples
}

// TestRatios: ratios are those within a round, and a round that one of both lacks has
// none.
func TestRatios(t *testing.T) {
	f := figuresOf(samplesOf(100, 400, 0, 200), samplesOf(100, 200, 100))
	if f.ThroughputRatio.Median != 1.5 || f.CPURatio.Median != 0.75 {
		t.Errorf("%+v and %+v, want 1.5 and 0.75", f.ThroughputRatio, f.CPURatio)
	}
	if f := figuresOf(samplesOf(100), nil); f.ThroughputRatio != nil {
		t.Errorf("%+v without a baseline", f.ThroughputRatio)
	}
}

// TestTable compares a table with what it must look like.
func TestTable(t *testing.T) {
	r := &result{
		Settings: settings{Kind: "plain", Bodies: 256, Connections: 32, Rounds: 6, Seconds: 1.5, Baseline: "a"},
		Machine:  machine{CPU: "A CPU", Cores: 2, OS: "linux/amd64", Go: "go1.26", Rust: "rustc 1.95"},
		Notes:    []string{"a note"},
		Services: []*row{
			{Name: "a", Samples: samplesOf(1000, 1010, 1020, 1030, 1040, 1050)},
			{Name: "b", Samples: samplesOf(500, 510)},
			{Name: "c", Samples: samplesOf(1000), LeftOut: "it failed"},
			{Name: "d", Samples: []sample{{Round: 1, Throughput: 10, P50: 1, P99: 2, GeneratorBusy: 0.95}}},
			{Name: "e"},
		},
		Interrupted: true,
		cores:       cores{0, 1},
	}
	r.summarise()
	got := r.markdown()
	want := `| service | requests/s | CPU per request | p50 | p99 | peak memory | requests/s to a | CPU to a |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
| a | 1025 ±3 % | 975.6 µs ±3 % | 1.50 ms ±0 % | 2.50 ms ±0 % | 3.0 MiB ±0 % | 1.00× ±0 % | 1.00× ±0 % |
| b | 505 | 1980.4 µs | 1.50 ms | 2.50 ms | 3.0 MiB | 0.50× | 1.99× |
| d | 10 | – | 0.00 ms | 0.00 ms | – | 0.01× | – |

c is excluded: it failed

Note: a note.

Note: under d the generator took 95 % of its core: the service may be able to do more.

The run was interrupted. Medians of 6 rounds of 1.5 s, ± the 95 % confidence interval. 256 bodies of plain texts on 32 connections; services on core 0, the load generator on core 1, with one thread that computes. A CPU, 2 cores, linux/amd64, go1.26, rustc 1.95. 0001-01-01.
`
	if got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
	r.cores = cores{anyCore, anyCore}
	if got := r.markdown(); !strings.Contains(got, "services on any core, with") {
		t.Errorf("without cores:\n%s", got)
	}
}
