package behavior

import (
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"testing"

	"github.com/muxwell/muxwell"
)

// Check reports what is written as for another router, by whatever it was registered.
func TestSuspicious(t *testing.T) {
	answer := func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, r.Pattern) }
	m := muxwell.New()
	m.HandleFunc("GET /users/{id}", answer)
	m.Get("/users/:id", answer)
	m.Get("/jobs/{id}:cancel", answer)
	m.Get("/v1/users:batchGet", answer)
	m.Get("/*.example", answer)
	m.HandleFunc("get /x", answer)
	m.HandleFunc("*.example.com/files/*", answer)
	m.Route("/shops/<int:shop>", func(g *muxwell.Group) { g.Post("/items", answer) })
	inner := muxwell.New()
	inner.Get("/files/*path", answer)
	inner.Get("/:a/:a", answer)
	m.Mount("/old", inner)

	type suspicious struct {
		Pattern string
		Offset  int
		Instead string
		Reason  string
	}
	var got []suspicious
	for _, s := range m.Check().Suspicious {
		got = append(got, suspicious{s.Route.Pattern(), s.Offset, s.Instead, s.Reason})
	}
	want := []suspicious{
		{"GET /users/:id", 11, "GET /users/{id}", `":id" is literal text; for a parameter write "GET /users/{id}"`},
		{"get /x", 0, "GET /x", `"get" is a method of its own, since methods are case-sensitive; write "GET /x"`},
		{"*.example.com/files/*", 20, "*.example.com/files/{path...}", `"*" is literal text; for the rest of the path write "*.example.com/files/{path...}"`},
		{"POST /shops/<int:shop>/items", 12, "POST /shops/{shop:int}/items", `"<int:shop>" is literal text; for a parameter write "POST /shops/{shop:int}/items"`},
		{"GET /old/files/*path", 15, "GET /old/files/{path...}", `"*path" is literal text; for the rest of the path write "GET /old/files/{path...}"`},
		{"GET /old/:a/:a", 9, "", `":a" is literal text; for a parameter write "{a}"`},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%+v, want\n%+v", got, want)
	}

	// Registration is as in http.ServeMux: the text is literal.
	for path, want := range map[string]int{"/users/:id": http.StatusOK, "/old/files/*path": http.StatusOK, "/old/files/x": http.StatusNotFound, "/x": http.StatusMethodNotAllowed} {
		w := httptest.NewRecorder()
		m.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		if w.Code != want {
			t.Errorf("GET %s: %d, want %d", path, w.Code, want)
		}
	}
}

func TestSuspiciousString(t *testing.T) {
	m := muxwell.New()
	if _, err := m.Add("/users/:id", http.NotFoundHandler(), muxwell.Source("routes.txt", 1)); err != nil {
		t.Fatal(err)
	}
	const want = `routes.txt:1: /users/:id: ":id" is literal text; for a parameter write "/users/{id}"`
	if got := m.Check().Suspicious; len(got) != 1 || got[0].String() != want {
		t.Errorf("got %v, want %s", got, want)
	}
}
