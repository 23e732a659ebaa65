package page

import (
	"math"
	"testing"
)

func TestNumber(t *testing.T) {
	for _, tt := range []struct {
		v    float64
		want string
	}{
		{0, "0"},
		{1, "1.00"},
		{0.01234, "0.0123"},
		{9.996, "10.0"},
		{99.96, "100"},
		{999.6, "1,000"},
		{1234, "1,230"},
		{51234, "51,200"},
		{1234567, "1,230,000"},
		{-1234, "-1,230"},
		{math.Inf(1), "–"},
		{math.NaN(), "–"},
	} {
		if got := number(tt.v); got != tt.want {
			t.Errorf("number(%v) = %q, want %q", tt.v, got, tt.want)
		}
	}
}

func TestScale(t *testing.T) {
	for _, tt := range []struct {
		q             quantity
		least, middle float64
		want          string // of the least
	}{
		{duration, 24, 120, "24.0 ns"},
		{duration, 24, 5000, "24.0 ns"},
		{duration, 240, 5000, "0.240 µs"},
		{duration, 7090, 45000, "7.09 µs"},
		{duration, 2e6, 3e6, "2.00 ms"},
		{size, 96, 288, "96 B"},
		{size, 1440, 1440, "1.44 kB"},
		{size, 57000, 1e6, "57.0 kB"},
		{count, 0, 3, "0 "},
		{count, 2957, 2957, "2,957 "},
		{count, 0.25, 3, "0.250 "},
		{rate, 62700, 152000, "62,700 1/s"},
	} {
		s := tt.q.scaleOf(tt.least, tt.middle)
		if got := s.text(tt.least) + " " + s.Unit; got != tt.want {
			t.Errorf("quantity %d, from %v, half of it below %v: %q, want %q", tt.q, tt.least, tt.middle, got, tt.want)
		}
	}
}

func TestSplitReason(t *testing.T) {
	for _, tt := range []struct{ reason, text, detail string }{
		{"it has no hosts", "it has no hosts", ""},
		{"status 301, want 200, a redirect to /x/", "status 301, want 200, a redirect", "to /x/"},
		{`route and values 3 "a", want 4 "a"`, "answers with another route or other values", `3 "a", want 4 "a"`},
		{"segment ':id' conflicts with path '/a'", "segment … conflicts with path …", "segment ':id' conflicts with path '/a'"},
		{"it doesn't and won't", "it doesn't and won't", ""},
	} {
		if text, detail := splitReason(tt.reason); text != tt.text || detail != tt.detail {
			t.Errorf("splitReason(%q) = %q, %q, want %q, %q", tt.reason, text, detail, tt.text, tt.detail)
		}
	}
}

func TestUnbroken(t *testing.T) {
	for s, want := range map[string]string{
		"it takes 5 ns, 95 % of it":        "it takes 5\u00a0ns, 95\u00a0% of it",
		"it is 2.1 times as fast":          "it is 2.1\u00a0times as fast",
		"in 7 of 16 scenarios, 2 sizes":    "in 7 of 16 scenarios, 2 sizes",
		"wider than ±5 %, the widest ±9 %": "wider than ±5\u00a0%, the widest ±9\u00a0%",
	} {
		if got := unbroken(s); got != want {
			t.Errorf("unbroken(%q) = %q, want %q", s, got, want)
		}
	}
}
