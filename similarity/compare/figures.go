package main

import (
	"fmt"
	"math"

	"golang.org/x/perf/benchmath"
)

// Figures are medians over the turns of a service. Times are in microseconds.
type figures struct {
	Throughput estimate  `json:"requests_per_second"`
	CPU        *estimate `json:"cpu_us_per_request,omitempty"`
	P50        estimate  `json:"p50_us"`
	P99        estimate  `json:"p99_us"`
	Peak       *estimate `json:"peak_bytes,omitempty"`
	// Ratios to the baseline, of the turns in the same round.
	ThroughputRatio *estimate `json:"requests_per_second_ratio,omitempty"`
	CPURatio        *estimate `json:"cpu_ratio,omitempty"`
}

// An estimate is a median. Low and High bound its 95 % confidence interval, which assumes no
// distribution of the samples. Both are 0 if there are too few samples.
type estimate struct {
	Median float64 `json:"median"`
	Low    float64 `json:"low,omitempty"`
	High   float64 `json:"high,omitempty"`
}

const confidence = 0.95

// medianOf returns the estimate of values, or nil if there are none or if one of them was
// not measured.
func medianOf(values []float64) *estimate {
	for _, v := range values {
		if v <= 0 {
			return nil
		}
	}
	if len(values) == 0 {
		return nil
	}
	s := benchmath.AssumeNothing.Summary(benchmath.NewSample(values, &benchmath.DefaultThresholds), confidence)
	e := &estimate{Median: s.Center}
	if !math.IsInf(s.Lo, 0) && !math.IsInf(s.Hi, 0) {
		e.Low, e.High = s.Lo, s.Hi
	}
	return e
}

// summarise sets the figures of all services that have samples.
func (r *result) summarise() {
	var base []sample
	for _, row := range r.Services {
		if row.Name == r.Settings.Baseline {
			base = row.Samples
		}
	}
	for _, row := range r.Services {
		if len(row.Samples) == 0 || row.LeftOut != "" {
			continue
		}
		row.Figures = figuresOf(row.Samples, base)
		if busy := medianOf(each(row.Samples, func(s sample) float64 { return s.GeneratorBusy })); busy != nil && busy.Median > maxBusy {
			r.Notes = append(r.Notes, fmt.Sprintf("under %s the generator took %.0f %% of its core: the service may be able to do more", row.Name, 100*busy.Median))
		}
	}
}

// maxBusy is the share of a core above which the generator may be the bottleneck.
const maxBusy = 0.9

// figuresOf returns the figures of samples, with ratios to those of the baseline.
func figuresOf(samples, base []sample) *figures {
	throughput := func(s sample) float64 { return s.Throughput }
	cpu := func(s sample) float64 { return s.CPU }
	return &figures{
		Throughput:      *medianOf(each(samples, throughput)),
		CPU:             medianOf(each(samples, cpu)),
		P50:             *medianOf(each(samples, func(s sample) float64 { return s.P50 })),
		P99:             *medianOf(each(samples, func(s sample) float64 { return s.P99 })),
		Peak:            medianOf(each(samples, func(s sample) float64 { return float64(s.Peak) })),
		ThroughputRatio: medianOf(ratios(samples, base, throughput)),
		CPURatio:        medianOf(ratios(samples, base, cpu)),
	}
}

func each(samples []sample, value func(sample) float64) []float64 {
	var values []float64
	for _, s := range samples {
		values = append(values, value(s))
	}
	return values
}

// ratios returns a value's ratio to the baseline's in the same round, for the rounds
// that have both.
func ratios(samples, base []sample, value func(sample) float64) []float64 {
	inRound := map[int]float64{}
	for _, s := range base {
		inRound[s.Round] = value(s)
	}
	var all []float64
	for _, s := range samples {
		if b := inRound[s.Round]; b > 0 {
			all = append(all, value(s)/b)
		}
	}
	return all
}
