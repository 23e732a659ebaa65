package main

import "testing"

func TestPeakOf(t *testing.T) {
	for _, c := range []struct {
		status string
		want   int64
		ok     bool
	}{
		{"Name:\tx\nVmPeak:\t  99 kB\nVmHWM:\t   12 kB\nVmRSS:\t 3 kB\n", 12 << 10, true},
		{"VmHWM:\t12 kB", 12 << 10, true},
		{"Name:\tx\n", 0, false},
		{"VmHWM:\t12\n", 0, false},
		{"VmHWM:\t12 MB\n", 0, false},
		{"VmHWM:\tx kB\n", 0, false},
	} {
		got, err := peakOf([]byte(c.status))
		if got != c.want || (err == nil) != c.ok {
			t.Errorf("%q: %d, %v; want %d", c.status, got, err, c.want)
		}
	}
}
