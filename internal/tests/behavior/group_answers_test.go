package behavior

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/internal/tests/muxtest"
)

// ownAnswers are requests, with {P} for the prefix, that the mux answers itself, with
// the status and what else the client is told.
var ownAnswers = []struct {
	request, want string
	header        http.Header
}{
	{"GET {P}/none", "404", nil},
	{"GET {P}/none/at/all", "404", nil},
	{"GET {P}/a%2Fb", "404", nil},
	{"DELETE {P}/typed", "405 OPTIONS, POST", nil},
	{"OPTIONS {P}/typed", "204 OPTIONS, POST", nil},
	{"POST {P}/typed", "415", http.Header{"Content-Type": {"text/plain"}}},
	{"GET {P}/json", "406", http.Header{"Accept": {"text/plain"}}},
	{"GET {P}/tree", "307 {P}/tree/", nil},
	{"GET {P}//tree/x", "307 {P}/tree/x", nil},
	{"GET {P}/./none", "307 {P}/none", nil},
	{"GET /elsewhere/..{P}/none", "307 {P}/none", nil},
}

// addAnswering adds the routes that ownAnswers are about.
func addAnswering(t *testing.T, add func(pattern string, h http.Handler, options ...muxwell.RouteOption) (*muxwell.Route, error)) (added []*muxwell.Route) {
	t.Helper()
	for _, row := range []struct {
		pattern string
		options []muxwell.RouteOption
	}{
		{"POST /typed", []muxwell.RouteOption{muxwell.ContentType("application/json")}},
		{"GET /json", []muxwell.RouteOption{muxwell.Accept("application/json")}},
		{"GET /tree/", nil},
	} {
		rt, err := add(row.pattern, http.HandlerFunc(muxtest.OK), row.options...)
		if err != nil {
			t.Fatal(err)
		}
		added = append(added, rt)
	}
	return added
}

// A registeringTo is what routes are added to: a mux, a group or a transaction.
type registeringTo interface {
	Add(pattern string, h http.Handler, options ...muxwell.RouteOption) (*muxwell.Route, error)
}

// groupShapes are the ways in which groups, mounts and middleware make a prefix.
// Each returns what the routes are added to. trail is the middleware that the mux's
// own answers below the prefix go through.
var groupShapes = map[string]struct {
	prefix string
	make   func(m *muxwell.Mux) registeringTo
	trail  string
}{
	"a group": {"/api", func(m *muxwell.Mux) registeringTo {
		return m.Route("/api", func(g *muxwell.Group) { g.Use(muxtest.Mark("api")) })
	}, "m api"},
	"a group with a parameter": {"/t/acme", func(m *muxwell.Mux) registeringTo {
		return m.Route("/t/{tenant}", func(g *muxwell.Group) { g.Use(muxtest.Mark("api")) })
	}, "m api"},
	"a group in a group": {"/api/v1", func(m *muxwell.Mux) registeringTo {
		api := m.Route("/api", nil)
		api.Use(muxtest.Mark("api"))
		return api.Route("/v1", func(g *muxwell.Group) { g.Use(muxtest.Mark("v1")) })
	}, "m api v1"},
	"below the prefix of a group that has no route there": {"/api/v1", func(m *muxwell.Mux) registeringTo {
		m.Route("/api", nil).Use(muxtest.Mark("api"))
		return m.Route("/api/v1", func(g *muxwell.Group) { g.Use(muxtest.Mark("v1")) })
	}, "m v1"},
	"a group in With": {"/api", func(m *muxwell.Mux) registeringTo {
		return m.With(muxtest.Mark("with")).Route("/api", func(g *muxwell.Group) { g.Use(muxtest.Mark("api")) })
	}, "m with api"},
	"With in a group": {"/api", func(m *muxwell.Mux) registeringTo {
		api := m.Route("/api", nil)
		api.Use(muxtest.Mark("api"))
		return api.With(muxtest.Mark("with"))
	}, "m api"},
	"Group in a group": {"/api", func(m *muxwell.Mux) registeringTo {
		api := m.Route("/api", nil)
		api.Use(muxtest.Mark("api"))
		return api.Group(func(g *muxwell.Group) { g.Use(muxtest.Mark("inner")) })
	}, "m api"},
	"Route of nothing in a group": {"/api", func(m *muxwell.Mux) registeringTo {
		api := m.Route("/api", nil)
		api.Use(muxtest.Mark("api"))
		return api.Route("/", func(g *muxwell.Group) { g.Use(muxtest.Mark("inner")) })
	}, "m api"},
	"With alone": {"/api", func(m *muxwell.Mux) registeringTo {
		return withPrefix{"/api", m.With(muxtest.Mark("with"))}
	}, "m"},
	"two groups": {"/api", func(m *muxwell.Mux) registeringTo {
		m.Route("/api", func(g *muxwell.Group) { g.Use(muxtest.Mark("other")); g.Get("/other", muxtest.OK) })
		return m.Route("/api", func(g *muxwell.Group) { g.Use(muxtest.Mark("api")) })
	}, "m"},
	"two groups whose parameters differ in name": {"/t/acme", func(m *muxwell.Mux) registeringTo {
		m.Route("/t/{a}", func(g *muxwell.Group) { g.Use(muxtest.Mark("other")); g.Get("/other", muxtest.OK) })
		return m.Route("/t/{b}", func(g *muxwell.Group) { g.Use(muxtest.Mark("api")) })
	}, "m"},
	"two groups in a group": {"/api/v1", func(m *muxwell.Mux) registeringTo {
		api := m.Route("/api", nil)
		api.Use(muxtest.Mark("api"))
		api.Route("/v1", func(g *muxwell.Group) { g.Use(muxtest.Mark("other")); g.Get("/other", muxtest.OK) })
		return api.Route("/v1", func(g *muxwell.Group) { g.Use(muxtest.Mark("v1")) })
	}, "m api"},
	"a group next to one without routes and middleware": {"/api", func(m *muxwell.Mux) registeringTo {
		m.Route("/api", nil)
		return m.Route("/api", func(g *muxwell.Group) { g.Use(muxtest.Mark("api")) })
	}, "m api"},
	"a mounted mux": {"/api", func(m *muxwell.Mux) registeringTo {
		child := muxwell.New()
		child.Use(muxtest.Mark("child"))
		m.Mount("/api", child)
		return child
	}, "m child"},
	"a mounted mux in a group": {"/api/v1", func(m *muxwell.Mux) registeringTo {
		child := muxwell.New()
		child.Use(muxtest.Mark("child"))
		m.Route("/api", func(g *muxwell.Group) { g.Use(muxtest.Mark("api")); g.Mount("/v1", child) })
		return child
	}, "m api child"},
	"a mux mounted at the root of a group": {"/api", func(m *muxwell.Mux) registeringTo {
		child := muxwell.New()
		child.Use(muxtest.Mark("child"))
		m.Route("/api", func(g *muxwell.Group) { g.Use(muxtest.Mark("api")); g.Mount("/", child) })
		return child
	}, "m api"},
	"a group in a mounted mux": {"/api/v1", func(m *muxwell.Mux) registeringTo {
		child := muxwell.New()
		child.Use(muxtest.Mark("child"))
		m.Mount("/api", child)
		return groupIn{child.Route("/v1", func(g *muxwell.Group) { g.Use(muxtest.Mark("v1")) }), child}
	}, "m child v1"},
	"a group and a mounted mux": {"/api", func(m *muxwell.Mux) registeringTo {
		child := muxwell.New()
		child.Use(muxtest.Mark("child"))
		m.Mount("/api", child)
		return m.Route("/api", func(g *muxwell.Group) { g.Use(muxtest.Mark("api")) })
	}, "m"},
	"muxes mounted in one another": {"/a/b", func(m *muxwell.Mux) registeringTo {
		child, inner := muxwell.New(), muxwell.New()
		child.Use(muxtest.Mark("child"))
		inner.Use(muxtest.Mark("inner"))
		m.Mount("/a", child)
		child.Mount("/b", inner)
		return inner
	}, "m child inner"},
}

// A groupIn is a group of another mux than the outermost.
type groupIn struct {
	*muxwell.Group
	mux *muxwell.Mux
}

// withPrefix adds routes behind a prefix to a group that has none.
type withPrefix struct {
	prefix string
	g      *muxwell.Group
}

func (p withPrefix) Add(pattern string, h http.Handler, options ...muxwell.RouteOption) (*muxwell.Route, error) {
	method, path, _ := strings.Cut(pattern, " ")
	return p.g.Add(method+" "+p.prefix+path, h, options...)
}

// TestAnswersRunInTheirGroup: every answer that the mux gives itself runs in the
// middleware of the group whose prefix the cleaned path is below, handlers of its own
// or not, whether its routes were there from the beginning or came by an Update.
func TestAnswersRunInTheirGroup(t *testing.T) {
	for shape, row := range groupShapes {
		for _, updated := range []bool{false, true} {
			m := muxwell.New(muxwell.AutoOptions())
			m.Use(muxtest.Mark("m"))
			to := row.make(m)
			if updated {
				muxtest.AnswerTo(m, muxtest.NewRequest("GET", row.prefix+"/none"))
				update := func(mux *muxwell.Mux, in func(*muxwell.Tx) registeringTo) {
					if err := mux.Update(func(tx *muxwell.Tx) error { addAnswering(t, in(tx).Add); return nil }); err != nil {
						t.Fatal(err)
					}
				}
				switch to := to.(type) {
				case *muxwell.Mux:
					update(to, func(tx *muxwell.Tx) registeringTo { return tx })
				case *muxwell.Group:
					update(m, func(tx *muxwell.Tx) registeringTo { return tx.In(to) })
				case groupIn:
					update(to.mux, func(tx *muxwell.Tx) registeringTo { return tx.In(to.Group) })
				default:
					continue // it adds to a group itself
				}
			} else {
				addAnswering(t, to.Add)
			}
			for _, answer := range ownAnswers {
				request := strings.ReplaceAll(answer.request, "{P}", row.prefix)
				r := muxtest.RequestOf(request)
				r.Header = answer.header.Clone()
				w := muxtest.AnswerTo(m, r)
				got := strings.TrimSpace(fmt.Sprint(w.Code, " ", w.Header().Get("Allow"), w.Header().Get("Location")))
				if want := strings.ReplaceAll(answer.want, "{P}", row.prefix); got != want {
					t.Errorf("%s, updated %v, %s: got %q, want %q", shape, updated, request, got, want)
				}
				if trail := strings.Join(w.Header().Values("Trail"), " "); trail != row.trail {
					t.Errorf("%s, updated %v, %s: ran %q, want %q", shape, updated, request, trail, row.trail)
				}
			}
		}
	}
}

// TestAnswersWithHandlers: a handler of a group's own runs in that group's
// middleware; what the groups at a prefix have no handler for goes to that of the
// narrowest prefix around, inside the middleware of both.
func TestAnswersWithHandlers(t *testing.T) {
	m := muxwell.New(muxwell.NotFound(muxtest.Tells(440)))
	m.Use(muxtest.Mark("m"))
	m.Route("/a/{org}", func(g *muxwell.Group) {
		g.Use(muxtest.Mark("a"))
		g.NotFound(muxtest.Tells(441))
		g.Get("/r", muxtest.OK)
	})
	m.Route("/a/{tenant}/b", func(g *muxwell.Group) {
		g.Use(muxtest.Mark("b"))
		g.Get("/r", muxtest.OK)
	})
	m.Route("/a/{tenant}/c", func(g *muxwell.Group) {
		g.Use(muxtest.Mark("c"))
		g.MethodNotAllowed(muxtest.Tells(452))
		g.Get("/r", muxtest.OK)
	})
	m.Route("/a/{tenant}/c", func(g *muxwell.Group) {
		g.Use(muxtest.Mark("d"))
		g.Get("/s", muxtest.OK)
	})
	m.Route("/e", func(g *muxwell.Group) {
		g.Use(muxtest.Mark("e"))
		g.Get("/r", muxtest.OK)
	})
	for request, want := range map[string]string{
		"GET /none":       "440 through m",
		"GET /a/1/none":   "441 org=1 through m a",
		"GET /a/1/b/none": "441 org=1 tenant=1 through m b a",
		"POST /a/1/b/r":   "405 tenant=1 through m b",
		"GET /a/1/c/none": "441 org=1 tenant=1 through m a", // two groups claim it, and have the mux in common
		"POST /a/1/c/r":   "452 tenant=1 through m c",
		"POST /a/1/c/s":   "452 tenant=1 through m c",
		"GET /e/none":     "440 through m e",
		"POST /e/r":       "405 through m e",
	} {
		w := muxtest.AnswerTo(m, muxtest.RequestOf(request))
		fields := append([]string{fmt.Sprint(w.Code)}, slices.Compact(w.Header().Values("Seen"))...)
		fields = append(append(fields, "through"), w.Header().Values("Trail")...)
		if got := strings.Join(strings.Fields(strings.Join(fields, " ")), " "); got != want {
			t.Errorf("%s: got %q, want %q", request, got, want)
		}
	}
}
