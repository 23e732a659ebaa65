package behavior

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/muxwell/muxwell"
)

func TestCaseInsensitive(t *testing.T) {
	echo := func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "%s x=%s y=%s", r.Pattern, r.PathValue("x"), r.PathValue("y"))
	}
	m := muxwell.New(muxwell.CaseInsensitive(), muxwell.AutoOptions())
	for _, pattern := range []string{
		"GET /Users", "POST /users/{x}", "GET /V{x}.{y}/End", "GET /n{x:int}", "GET /Pair/A{x:[A-Z]+}-b{y:[a-z]+}",
		"GET /Code/{x:[A-Z]+}", "GET /files/{x...}", "GET /deep/{x...}/Raw", "GET /caf%C3%89", "/Tree/",
	} {
		m.HandleFunc(pattern, echo)
	}
	child := muxwell.New()
	child.HandleFunc("GET /Inner/v{x}", echo)
	m.Mount("/Mounted", child)
	for _, row := range []struct {
		method, path string
		status       int
		want         string // the body, Location or Allow
	}{
		{"GET", "/users", 200, "GET /Users x= y="},
		{"GET", "/USERS", 200, "GET /Users x= y="},
		{"GET", "/%55sers", 200, "GET /Users x= y="},
		{"POST", "/USERS/Ann", 200, "POST /users/{x} x=Ann y="},
		{"GET", "/v1.B/eND", 200, "GET /V{x}.{y}/End x=1 y=B"},
		{"GET", "/V1.%42/END", 200, "GET /V{x}.{y}/End x=1 y=B"},
		{"GET", "/N7", 200, "GET /n{x:int} x=7 y="},
		{"GET", "/pair/aQ-Bq", 200, "GET /Pair/A{x:[A-Z]+}-b{y:[a-z]+} x=Q y=q"},
		{"GET", "/PAIR/AQQ-bqq", 200, "GET /Pair/A{x:[A-Z]+}-b{y:[a-z]+} x=QQ y=qq"},
		{"GET", "/pair/aq-bq", 404, ""},
		{"GET", "/CODE/ABC", 200, "GET /Code/{x:[A-Z]+} x=ABC y="},
		{"GET", "/code/abc", 404, ""},
		{"GET", "/FILES/A/b", 200, "GET /files/{x...} x=A/b y="},
		{"GET", "/Deep/A/b/RAW", 200, "GET /deep/{x...}/Raw x=A/b y="},
		{"GET", "/CAF%C3%89", 200, "GET /caf%C3%89 x= y="},
		{"GET", "/caf%C3%A9", 404, ""}, // only ASCII letters fold
		{"GET", "/TREE", 307, "/TREE/"},
		{"GET", "/TREE/a", 200, "/Tree/ x= y="},
		{"PUT", "/USERS/Ann", 405, "OPTIONS, POST"},
		{"OPTIONS", "/USERS", 204, "GET, HEAD, OPTIONS"},
		{"GET", "/MOUNTED/INNER/Va", 200, "GET /Mounted/Inner/v{x} x=a y="},
	} {
		w := httptest.NewRecorder()
		m.ServeHTTP(w, httptest.NewRequest(row.method, row.path, nil))
		got := w.Body.String()
		switch w.Code {
		case 404:
			got = ""
		case 307:
			got = w.Header().Get("Location")
		case 204, 405:
			got = w.Header().Get("Allow")
		}
		if w.Code != row.status || got != row.want {
			t.Errorf("%s %s: got %d %q, want %d %q", row.method, row.path, w.Code, got, row.status, row.want)
		}
	}
	if _, err := m.Add("GET /uSERS", http.NotFoundHandler()); err == nil {
		t.Error("/uSERS next to /Users: no error")
	}
	if _, err := m.Add("GET /v{a}.{b}/END", http.NotFoundHandler()); err == nil {
		t.Error("/v{a}.{b}/END next to /V{x}.{y}/End: no error")
	}
	for rt := range m.Routes() {
		if rt.Pattern() == "GET /V{x}.{y}/End" {
			if u, err := rt.URL("x", "1", "y", "B"); err != nil || u.String() != "/V1.B/End" {
				t.Errorf("URL: got %v, %v, want /V1.B/End", u, err)
			}
		}
	}
}

// TestCaseInsensitiveMounted: a mux that is mounted is matched as the one around
// it says.
func TestCaseInsensitiveMounted(t *testing.T) {
	child := muxwell.New(muxwell.CaseInsensitive())
	child.HandleFunc("GET /Inner/V{x}", func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, r.PathValue("x")) })
	var m muxwell.Mux
	m.Mount("/a", child)
	for path, want := range map[string]int{"/a/Inner/Vx": 200, "/a/inner/Vx": 404, "/a/Inner/vx": 404} {
		w := httptest.NewRecorder()
		if m.ServeHTTP(w, httptest.NewRequest("GET", path, nil)); w.Code != want {
			t.Errorf("%s: got %d, want %d", path, w.Code, want)
		}
	}
}

// TestFoldRelations: how patterns relate whose literals match in either case.
func TestFoldRelations(t *testing.T) {
	m := muxwell.New(muxwell.CaseInsensitive())
	for _, pattern := range []string{"/{p:int}/{x:[a-z]+}", "/{p:[0-9]+}/abc", "/lit/{x:[A-Z]+}", "/lit/abc"} {
		m.Handle(pattern, http.NotFoundHandler())
	}
	for _, u := range m.Check().Unreachable {
		t.Errorf("%v; /7/ABC and /lit/abc are others", u)
	}
	for _, row := range []struct {
		first, second string
		conflict      bool
	}{
		{"/{x:[A-Z]+}", "/abc", true},       // both match /ABC, and /abc and /XYZ one of them
		{"/{x:(?i:[a-z]+)}", "/abc", false}, // takes all that /abc does
		{"/{x:[0-9]+}", "/abc", false},
		{"/v{x:[A-Z]+}", "/vab", true},
		{"/{x}", "/abc", false},
	} {
		m := muxwell.New(muxwell.CaseInsensitive(), muxwell.StrictConflicts())
		m.Handle(row.first, http.NotFoundHandler())
		if _, err := m.Add(row.second, http.NotFoundHandler()); (err != nil) != row.conflict {
			t.Errorf("%s next to %s: got %v, want a conflict: %v", row.second, row.first, err, row.conflict)
		}
	}
}
