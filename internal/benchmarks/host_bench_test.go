package benchmarks

import (
	"net/http"
	"testing"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/internal/tests/muxtest"
)

// BenchmarkHost serves a request whose host has a parameter, and reads it.
func BenchmarkHost(b *testing.B) {
	for _, row := range []struct{ name, pattern, host string }{
		{"lower", "{tenant}.example.com/x", "acme.example.com"},
		{"port", "{tenant}.example.com/x", "acme.example.com:8080"},
		{"upper", "{tenant}.example.com/x", "Acme.Example.com"},
		{"path", "{tenant}.example.com/{x}", "acme.example.com"},
	} {
		for _, kind := range []string{"value", "pathvalue"} {
			b.Run("host="+row.name+"/mux="+kind, func(b *testing.B) {
				mux, got := muxwell.New(), ""
				if kind == "value" {
					mux.HandleParams(row.pattern, func(_ http.ResponseWriter, _ *http.Request, p muxwell.Params) { got = p.Get("tenant") })
				} else {
					mux.HandleFunc(row.pattern, func(_ http.ResponseWriter, r *http.Request) { got = r.PathValue("tenant") })
				}
				r, w := muxtest.NewRequest("GET", "/x"), muxtest.NewWriter()
				r.Host = row.host
				if mux.ServeHTTP(w, r); got != "acme" {
					b.Fatalf("host %s: got tenant %q", row.host, got)
				}
				b.ReportAllocs()
				for b.Loop() {
					mux.ServeHTTP(w, r)
				}
			})
		}
	}
}
