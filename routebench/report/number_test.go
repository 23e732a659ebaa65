package report

import (
	"math"
	"testing"
)

func TestNumbers(t *testing.T) {
	for _, tt := range []struct {
		name string
		form func(float64) string
		x    float64
		want string
	}{
		{"digits", digits, 0, "0"},
		{"digits", digits, 0.012345, "0.0123"},
		{"digits", digits, 1, "1.00"},
		{"digits", digits, 9.999, "10.0"},
		{"digits", digits, 99.96, "100"},
		{"digits", digits, 999.6, "1,000"},
		{"digits", digits, 12345, "12,300"},
		{"digits", digits, 1234567, "1,230,000"},
		{"digits", digits, -12.345, "-12.3"},
		{"digits", digits, math.Inf(1), "∞"},
		{"exact", exact, 1248, "1,248"},
		{"exact", exact, 2.5, "2.50"},
		{"duration", duration, 24.13, "24.1 ns"},
		{"duration", duration, 999.4, "999 ns"},
		{"duration", duration, 999.6, "1.00 µs"},
		{"duration", duration, 17_600_000, "17.6 ms"},
		{"duration", duration, 12e9, "12.0 s"},
		{"duration", duration, 1234e9, "1,230 s"},
		{"size", size, 512, "512 B"},
		{"size", size, 71_100, "71.1 kB"},
		{"size", size, 1_910_000, "1.91 MB"},
		{"times", times, 1.043, "1.04"},
		{"times", times, 1.996, "2.0"},
		{"times", times, 2.44, "2.4"},
		{"times", times, 26.2, "26"},
		{"times", times, 7593, "7,600"},
		{"asFast", asFast, 1.0049, "less than 1 % faster than"},
		{"asFast", asFast, 1.006, "1.01 times as fast as"},
		{"asLong", asLong, 1.001, "less than 1 % longer than"},
		{"asLong", asLong, 3, "3.0 times as long as"},
		{"percent", percent, 0.00153, "0.15 %"},
		{"percent", percent, 0.5, "50 %"},
		{"ratioText", ratioText, 1, "1.00"},
		{"ratioText", ratioText, 9.996, "10.0"},
		{"ratioText", ratioText, 99.96, "100"},
		{"ratioText", ratioText, 2640, "2,640"},
		{"nanoseconds", nanoseconds, 29.13, "29.1"},
		{"nanoseconds", nanoseconds, 99.97, "100"},
		{"nanoseconds", nanoseconds, 13521.4, "13,521"},
	} {
		if got := tt.form(tt.x); got != tt.want {
			t.Errorf("%s(%v) = %q, want %q", tt.name, tt.x, got, tt.want)
		}
	}
}

func TestLists(t *testing.T) {
	for _, tt := range []struct {
		items []string
		n     int
		want  string
	}{
		{nil, 2, ""},
		{[]string{"a"}, 2, "a"},
		{[]string{"a", "b"}, 2, "a and b"},
		{[]string{"a", "b", "c"}, 2, "a, b and c"}, // "1 others" would not be shorter
		{[]string{"a", "b", "c", "d"}, 2, "a, b and 2 others"},
	} {
		if got := few(tt.items, tt.n); got != tt.want {
			t.Errorf("few(%q, %d) = %q, want %q", tt.items, tt.n, got, tt.want)
		}
	}
}
