package benchmarks

import (
	"net/http"
	"testing"

	"github.com/muxwell/muxwell/internal/tests/muxtest"
)

// BenchmarkParallel serves GitHub's API by as many goroutines as there are processors:
// each its own requests again and again, or new ones as a server makes them. An
// operation is one request. Run it with -cpu 1,2,4,8 and compare the times.
func BenchmarkParallel(b *testing.B) {
	row := rowNamed(b, "GithubAll")
	for _, fresh := range []bool{false, true} {
		for _, kind := range benchMuxs {
			requests := "same"
			if fresh {
				requests = "fresh"
			}
			b.Run("requests="+requests+"/mux="+kind, func(b *testing.B) {
				mux := newBenchMux(kind, row)
				mux.ServeHTTP(muxtest.NewWriter(), benchRequests(row)[0])
				b.ReportAllocs()
				b.RunParallel(func(pb *testing.PB) {
					w, reqs := muxtest.NewWriter(), benchRequests(row)
					for i := 0; pb.Next(); i++ {
						r := reqs[i%len(reqs)]
						if fresh {
							r = copyOf(r)
						}
						mux.ServeHTTP(w, r)
					}
				})
			})
		}
	}
}

// copyOf returns a new request like r, in memory of its own.
//
//go:noinline
func copyOf(r *http.Request) *http.Request {
	fresh := new(http.Request)
	*fresh = *r
	return fresh
}

// rowNamed returns a row of benchRows.
func rowNamed(t testing.TB, name string) benchRow {
	t.Helper()
	for _, row := range benchRows() {
		if row.name == name {
			return row
		}
	}
	t.Fatalf("there is no row %s", name)
	return benchRow{}
}
