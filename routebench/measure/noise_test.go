package measure

import (
	"slices"
	"testing"

	"github.com/muxwell/muxwell/routebench/result"
)

var (
	quiet = []float64{100, 101, 99, 100, 102, 98, 100, 101, 99, 100}
	noisy = []float64{100, 150, 99, 180, 102, 98, 170, 101, 160, 100}
)

// scenario returns a scenario with a row of samples in a unit for each router.
func scenario(kind result.Kind, unit string, routers ...[]float64) result.Scenario {
	s := result.Scenario{Name: "GithubAll", Kind: kind}
	for i, values := range routers {
		s.Rows = append(s.Rows, result.Row{Router: string(rune('a' + i)), CPU: 1, Samples: map[string][]float64{unit: values}})
	}
	return s
}

func TestNoise(t *testing.T) {
	twenty := slices.Repeat([][]float64{quiet}, 19)
	for _, tt := range []struct {
		name string
		s    result.Scenario
		want []string
	}{
		{"quiet", scenario(result.Speed, result.Time, quiet, quiet), nil},
		{"nothing measured", scenario(result.Speed, result.Time, nil, nil), nil},
		{"one in twenty", scenario(result.Speed, result.Time, append(twenty, noisy)...), nil},
		{"another unit", scenario(result.Speed, result.Bytes, noisy), nil},
		{"memory", scenario(result.Memory, result.HeapBytes, noisy), nil},
		{
			"two of three", scenario(result.Speed, result.Time, noisy, quiet, noisy),
			[]string{"Measurements were noisy: 2 of 3 rows have a 95 % confidence interval wider than ±5 %, the widest ±67 % (a in GithubAll); close other programs or raise -rounds."},
		},
		{
			"a server", scenario(result.Server, result.Throughput, noisy),
			[]string{"Measurements were noisy: 1 of 1 rows have a 95 % confidence interval wider than ±5 %, the widest ±67 % (a in GithubAll); close other programs or raise -rounds."},
		},
		{
			"growth", scenario(result.Growth, result.Time, noisy),
			[]string{"Measurements were noisy: 1 of 1 rows have a 95 % confidence interval wider than ±5 %, the widest ±67 % (a in GithubAll); close other programs or raise -rounds."},
		},
		{
			"few rounds", scenario(result.Speed, result.Time, quiet[:5], quiet),
			[]string{"1 of 2 rows have too few rounds for a 95 % confidence interval, which takes 6; raise -rounds."},
		},
		{"six rounds", scenario(result.Speed, result.Time, quiet[:6]), nil},
	} {
		if got := Noise(&result.Run{Scenarios: []result.Scenario{tt.s}}); !slices.Equal(got, tt.want) {
			t.Errorf("%s: got  %q\nwant %q", tt.name, got, tt.want)
		}
	}
}
