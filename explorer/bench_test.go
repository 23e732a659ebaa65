package explorer

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/internal/routepage"
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

// BenchmarkSpec has the pages of a mux of 1,000 routes with a document of as many
// operations, which share schemas. mux=changed has a route added before each page, for
// which the document is read again.
func BenchmarkSpec(b *testing.B) {
	const operations = 1000
	m := muxwell.New()
	var paths strings.Builder
	for i := range operations {
		m.HandleFunc(fmt.Sprintf("GET /service%d/{id}/items%d", i%7, i), nothing)
		fmt.Fprintf(&paths, `,"/service%d/{id}/items%d":{"get":{"operationId":"get%d","summary":"Get the items","parameters":[{"name":"id","in":"path","required":true,"schema":{"type":"string"}}],
			"responses":{"200":{"description":"They are.","content":{"application/json":{"schema":{"$ref":"#/components/schemas/Pet"}}}}}}}`, i%7, i, i)
	}
	root := map[string]any{}
	if err := json.Unmarshal(pets(b), &root); err != nil {
		b.Fatal(err)
	}
	components, err := json.Marshal(root["components"])
	if err != nil {
		b.Fatal(err)
	}
	doc := json.RawMessage(fmt.Sprintf(`{"openapi":"3.1.0","paths":{%s},"components":%s}`, paths.String()[1:], components))
	h := Handler(m, Spec(doc))
	if page := request(h, http.MethodGet, "/?view=table").Body.String(); strings.Count(page, `class="op"`) != routepage.MaxRows {
		b.Fatal("the operations are not linked")
	}
	for _, target := range []string{"/", "/?view=table", operationURL("GET", "/service0/{id}/items0"), "/openapi.json"} {
		b.Run("target="+target+"/mux=same", func(b *testing.B) {
			size := 0
			for b.Loop() {
				size = request(h, http.MethodGet, target).Body.Len()
			}
			b.ReportMetric(float64(size)/1024, "KB")
		})
	}
	b.Run("target=/openapi.json/mux=changed", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			m.HandleFunc(fmt.Sprintf("GET /more%d", i), nothing)
			request(h, http.MethodGet, "/openapi.json")
		}
	})
}
