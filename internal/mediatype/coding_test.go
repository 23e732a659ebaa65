package mediatype

import (
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var codingRx = regexp.MustCompile(`^[ \t]*(` + tokenExpr + `)[ \t]*(?:;[ \t]*[qQ]=([^ \t]*))?[ \t]*$`)

// naiveCodingQuality is the naive reference for CodingQuality: every element in a map, by
// its name.
func naiveCodingQuality(lines []string, coding string) (quality int, listed bool) {
	weights := make(map[string]int)
	for _, element := range strings.Split(strings.Join(lines, ","), ",") {
		groups := codingRx.FindStringSubmatch(element)
		if groups == nil || strings.Contains(element, ";") && !weightRx.MatchString(groups[2]) {
			continue
		}
		weight := 1000
		if groups[2] != "" {
			f, _ := strconv.ParseFloat(groups[2], 64)
			weight = int(f*1000 + 0.5)
		}
		name := asciiLower(groups[1])
		if name == "x-gzip" {
			name = "gzip"
		}
		weights[name] = max(weights[name], weight)
	}
	for _, name := range []string{coding, "*"} {
		if weight, ok := weights[name]; ok {
			return weight, true
		}
	}
	return 0, false
}

func TestCodingQuality(t *testing.T) {
	for _, row := range []struct {
		header, coding string
		quality        int
		listed         bool
	}{
		{"", "gzip", 0, false},
		{"gzip", "gzip", 1000, true},
		{"GZip", "gzip", 1000, true},
		{"x-gzip;q=0.3", "gzip", 300, true},
		{"gzip", "br", 0, false},
		{"br;q=0.5, gzip ; Q=0.25", "gzip", 250, true},
		{"gzip;q=0", "gzip", 0, true},
		{"gzip;q=0.001", "gzip", 1, true},
		{"gzip;q=0, gzip;q=1", "gzip", 1000, true},
		{"*", "gzip", 1000, true},
		{"*;q=0.5", "identity", 500, true},
		{"*;q=0", "identity", 0, true},
		{"gzip;q=0, *", "gzip", 0, true},
		{"identity;q=0.5, *;q=0", "identity", 500, true},
		{"gzip;q=2", "gzip", 0, false},
		{"gzip;q=0.1234", "gzip", 0, false},
		{"gzip;q=", "gzip", 0, false},
		{"gzip;", "gzip", 0, false},
		{"gzip;level=9", "gzip", 0, false},
		{"gzip;q=1;q=1", "gzip", 0, false},
		{"gzip br", "gzip", 0, false},
		{";q=1", "", 0, false},
		{",,gzip,,", "gzip", 1000, true},
	} {
		if quality, listed := CodingQuality([]string{row.header}, row.coding); quality != row.quality || listed != row.listed {
			t.Errorf("CodingQuality(%q, %q) = %d, %t, want %d, %t", row.header, row.coding, quality, listed, row.quality, row.listed)
		}
	}
}

// FuzzCodingQuality compares CodingQuality with naiveCodingQuality.
func FuzzCodingQuality(f *testing.F) {
	f.Add("gzip, deflate, br, zstd", "*;q=0", byte(0))
	f.Add("gzip;q=1.0, identity; q=0.5, *;q=0", "", byte(3))
	f.Add("x-gzip\t;\tQ=.5,GZIP;q=0.", "", byte(0))
	f.Add("br;q=0.0001,br;x=1,\"br, br\"", "br;q=1.", byte(1))
	f.Fuzz(func(t *testing.T, line, line2 string, i byte) {
		codings := []string{"gzip", "br", "zstd", "identity"}
		coding := codings[int(i)%len(codings)]
		quality, listed := CodingQuality([]string{line, line2}, coding)
		want, wantListed := naiveCodingQuality([]string{line, line2}, coding)
		if quality != want || listed != wantListed {
			t.Errorf("CodingQuality(%q, %q, %q) = %d, %t, want %d, %t", line, line2, coding, quality, listed, want, wantListed)
		}
	})
}

// TestCodingQualityAllocs: reading a header allocates nothing.
func TestCodingQualityAllocs(t *testing.T) {
	lines := []string{strings.Repeat("gzip;q=0.5, br, ", 200)}
	if got := testing.AllocsPerRun(5, func() { CodingQuality(lines, "zstd") }); got != 0 {
		t.Errorf("%v allocations, want 0", got)
	}
}
