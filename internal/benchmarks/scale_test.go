package benchmarks

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"runtime"
	"testing"

	"github.com/muxwell/muxwell/internal/tests/muxtest"
)

// BenchmarkScale serves requests in random order, each for another route.
func BenchmarkScale(b *testing.B) {
	for _, n := range []int{10, 100, 1_000, 10_000, 100_000} {
		row := benchRow{routes: muxtest.ScaleRoutes(n)}
		for _, kind := range benchMuxs {
			b.Run(fmt.Sprintf("routes=%d/mux=%s", n, kind), func(b *testing.B) {
				mux := newBenchMux(kind, row)
				reqs := benchRequests(row)
				rand.New(rand.NewPCG(1, 2)).Shuffle(n, func(i, j int) { reqs[i], reqs[j] = reqs[j], reqs[i] })
				w := muxtest.NewWriter()
				for _, r := range reqs {
					if mux.ServeHTTP(w, r); w.Status != 0 {
						b.Fatalf("%s %s: status %d", r.Method, r.URL, w.Status)
					}
				}
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					mux.ServeHTTP(w, reqs[i%n])
				}
			})
		}
	}
}

// BenchmarkBuild registers routes and serves the first request. The bytes a
// route are those that are alive then; the routes' texts are not among them.
func BenchmarkBuild(b *testing.B) {
	for _, n := range []int{100, 10_000, 100_000} {
		routes := muxtest.ScaleRoutes(n)
		for _, kind := range benchMuxs[1:] {
			b.Run(fmt.Sprintf("routes=%d/mux=%s", n, kind), func(b *testing.B) {
				row, r := benchRow{routes: routes}, muxtest.NewRequest("GET", "/api/resource0")
				var keep http.Handler
				before := muxtest.LiveBytes()
				for b.Loop() {
					keep = nil
					mux := newBenchMux(kind, row)
					mux.ServeHTTP(muxtest.NewWriter(), r)
					keep = mux
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/route")
				b.ReportMetric(float64(muxtest.LiveBytes()-before)/float64(n), "B/route")
				runtime.KeepAlive(keep)
			})
		}
	}
}
