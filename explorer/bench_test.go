package explorer

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/muxwell/muxwell"
)

// BenchmarkObserve has the bare mux next to the observed one: the difference is
// what an [Observer] costs.
func BenchmarkObserve(b *testing.B) {
	m := muxwell.New()
	for i := range 300 {
		m.HandleFunc(fmt.Sprintf("GET /service%d/{id}", i), func(http.ResponseWriter, *http.Request) {})
		m.HandleFunc(fmt.Sprintf("GET /static%d", i), func(http.ResponseWriter, *http.Request) {})
		m.HandleParams(fmt.Sprintf("GET /value%d/{id}", i), func(http.ResponseWriter, *http.Request, muxwell.Params) {})
	}
	for _, kind := range []struct{ name, path string }{{"static", "/static7"}, {"param", "/service7/42"}, {"value", "/value7/42"}, {"miss", "/none"}} {
		for _, h := range []struct {
			name    string
			handler http.Handler
		}{{"bare", m}, {"observed", Observe(m)}} {
			b.Run("kind="+kind.name+"/mux="+h.name, func(b *testing.B) {
				r, w := httptest.NewRequest(http.MethodGet, kind.path, nil), httptest.NewRecorder()
				b.ReportAllocs()
				for b.Loop() {
					h.handler.ServeHTTP(w, r)
				}
			})
			b.Run("kind="+kind.name+"/mux="+h.name+"/parallel", func(b *testing.B) {
				b.RunParallel(func(pb *testing.PB) {
					r, w := httptest.NewRequest(http.MethodGet, kind.path, nil), httptest.NewRecorder()
					for pb.Next() {
						h.handler.ServeHTTP(w, r)
					}
				})
			})
		}
	}
}

// BenchmarkPage has the answers of the explorer for a mux of 10,000 routes.
func BenchmarkPage(b *testing.B) {
	m := large(10_000)
	h := Handler(m, Counts(Observe(m)))
	for _, target := range []string{"/", "/?view=table&sort=-requests", "/?q=items77", "/match?url=/service3/area0/a/items3/7", "/routes.json", "/openapi.json"} {
		b.Run("target="+target, func(b *testing.B) {
			size := 0
			for b.Loop() {
				size = request(h, http.MethodGet, target).Body.Len()
			}
			b.ReportMetric(float64(size)/1024, "KB")
		})
	}
}
