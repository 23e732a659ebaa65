package muxwell

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
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
func addAnswering(t *testing.T, add func(pattern string, h http.Handler, options ...RouteOption) (*Route, error)) (added []*Route) {
	t.Helper()
	for _, row := range []struct {
		pattern string
		options []RouteOption
	}{
		{"POST /typed", []RouteOption{ContentType("application/json")}},
		{"GET /json", []RouteOption{Accept("application/json")}},
		{"GET /tree/", nil},
	} {
		rt, err := add(row.pattern, http.HandlerFunc(ok), row.options...)
		if err != nil {
			t.Fatal(err)
		}
		added = append(added, rt)
	}
	return added
}

// A registeringTo is what routes are added to: a mux, a group or a transaction.
type registeringTo interface {
	Add(pattern string, h http.Handler, options ...RouteOption) (*Route, error)
}

// groupShapes are the ways in which groups, mounts and middleware make a prefix.
// Each returns what the routes are added to. trail is the middleware that the mux's
// own answers below the prefix go through.
var groupShapes = map[string]struct {
	prefix string
	make   func(m *Mux) registeringTo
	trail  string
}{
	"a group": {"/api", func(m *Mux) registeringTo {
		return m.Route("/api", func(g *Group) { g.Use(mark("api")) })
	}, "m api"},
	"a group with a parameter": {"/t/acme", func(m *Mux) registeringTo {
		return m.Route("/t/{tenant}", func(g *Group) { g.Use(mark("api")) })
	}, "m api"},
	"a group in a group": {"/api/v1", func(m *Mux) registeringTo {
		api := m.Route("/api", nil)
		api.Use(mark("api"))
		return api.Route("/v1", func(g *Group) { g.Use(mark("v1")) })
	}, "m api v1"},
	"below the prefix of a group that has no route there": {"/api/v1", func(m *Mux) registeringTo {
		m.Route("/api", nil).Use(mark("api"))
		return m.Route("/api/v1", func(g *Group) { g.Use(mark("v1")) })
	}, "m v1"},
	"a group in With": {"/api", func(m *Mux) registeringTo {
		return m.With(mark("with")).Route("/api", func(g *Group) { g.Use(mark("api")) })
	}, "m with api"},
	"With in a group": {"/api", func(m *Mux) registeringTo {
		api := m.Route("/api", nil)
		api.Use(mark("api"))
		return api.With(mark("with"))
	}, "m api"},
	"Group in a group": {"/api", func(m *Mux) registeringTo {
		api := m.Route("/api", nil)
		api.Use(mark("api"))
		return api.Group(func(g *Group) { g.Use(mark("inner")) })
	}, "m api"},
	"Route of nothing in a group": {"/api", func(m *Mux) registeringTo {
		api := m.Route("/api", nil)
		api.Use(mark("api"))
		return api.Route("/", func(g *Group) { g.Use(mark("inner")) })
	}, "m api"},
	"With alone": {"/api", func(m *Mux) registeringTo {
		return withPrefix{"/api", m.With(mark("with"))}
	}, "m"},
	"two groups": {"/api", func(m *Mux) registeringTo {
		m.Route("/api", func(g *Group) { g.Use(mark("other")); g.Get("/other", ok) })
		return m.Route("/api", func(g *Group) { g.Use(mark("api")) })
	}, "m"},
	"two groups whose parameters differ in name": {"/t/acme", func(m *Mux) registeringTo {
		m.Route("/t/{a}", func(g *Group) { g.Use(mark("other")); g.Get("/other", ok) })
		return m.Route("/t/{b}", func(g *Group) { g.Use(mark("api")) })
	}, "m"},
	"two groups in a group": {"/api/v1", func(m *Mux) registeringTo {
		api := m.Route("/api", nil)
		api.Use(mark("api"))
		api.Route("/v1", func(g *Group) { g.Use(mark("other")); g.Get("/other", ok) })
		return api.Route("/v1", func(g *Group) { g.Use(mark("v1")) })
	}, "m api"},
	"a group beside one without routes and middleware": {"/api", func(m *Mux) registeringTo {
		m.Route("/api", nil)
		return m.Route("/api", func(g *Group) { g.Use(mark("api")) })
	}, "m api"},
	"a mounted mux": {"/api", func(m *Mux) registeringTo {
		child := New()
		child.Use(mark("child"))
		m.Mount("/api", child)
		return child
	}, "m child"},
	"a mounted mux in a group": {"/api/v1", func(m *Mux) registeringTo {
		child := New()
		child.Use(mark("child"))
		m.Route("/api", func(g *Group) { g.Use(mark("api")); g.Mount("/v1", child) })
		return child
	}, "m api child"},
	"a mux mounted at the root of a group": {"/api", func(m *Mux) registeringTo {
		child := New()
		child.Use(mark("child"))
		m.Route("/api", func(g *Group) { g.Use(mark("api")); g.Mount("/", child) })
		return child
	}, "m api"},
	"a group in a mounted mux": {"/api/v1", func(m *Mux) registeringTo {
		child := New()
		child.Use(mark("child"))
		m.Mount("/api", child)
		return child.Route("/v1", func(g *Group) { g.Use(mark("v1")) })
	}, "m child v1"},
	"a group and a mounted mux": {"/api", func(m *Mux) registeringTo {
		child := New()
		child.Use(mark("child"))
		m.Mount("/api", child)
		return m.Route("/api", func(g *Group) { g.Use(mark("api")) })
	}, "m"},
	"muxes mounted in one another": {"/a/b", func(m *Mux) registeringTo {
		child, inner := New(), New()
		child.Use(mark("child"))
		inner.Use(mark("inner"))
		m.Mount("/a", child)
		child.Mount("/b", inner)
		return inner
	}, "m child inner"},
}

// withPrefix adds routes behind a prefix to a group that has none.
type withPrefix struct {
	prefix string
	g      *Group
}

func (p withPrefix) Add(pattern string, h http.Handler, options ...RouteOption) (*Route, error) {
	method, path, _ := strings.Cut(pattern, " ")
	return p.g.Add(method+" "+p.prefix+path, h, options...)
}

// TestAnswersRunInTheirGroup: every answer that the mux gives itself runs in the
// middleware of the group whose prefix the cleaned path is below, handlers of its own
// or not, whether its routes were there from the beginning or came by an Update.
func TestAnswersRunInTheirGroup(t *testing.T) {
	for shape, row := range groupShapes {
		for _, updated := range []bool{false, true} {
			m := New(AutoOptions())
			m.Use(mark("m"))
			to := row.make(m)
			if updated {
				answerTo(m, newBenchRequest("GET", row.prefix+"/none"))
				update := func(mux *Mux, in func(*Tx) registeringTo) {
					if err := mux.Update(func(tx *Tx) error { addAnswering(t, in(tx).Add); return nil }); err != nil {
						t.Fatal(err)
					}
				}
				switch to := to.(type) {
				case *Mux:
					update(to, func(tx *Tx) registeringTo { return tx })
				case *Group:
					update(to.mux, func(tx *Tx) registeringTo { return tx.In(to) })
				default:
					continue // it adds to a group itself
				}
			} else {
				addAnswering(t, to.Add)
			}
			for _, answer := range ownAnswers {
				request := strings.ReplaceAll(answer.request, "{P}", row.prefix)
				r := requestOf(request)
				r.Header = answer.header.Clone()
				w := answerTo(m, r)
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
	m := New(NotFound(tells(440)))
	m.Use(mark("m"))
	m.Route("/a/{org}", func(g *Group) {
		g.Use(mark("a"))
		g.NotFound(tells(441))
		g.Get("/r", ok)
	})
	m.Route("/a/{tenant}/b", func(g *Group) {
		g.Use(mark("b"))
		g.Get("/r", ok)
	})
	m.Route("/a/{tenant}/c", func(g *Group) {
		g.Use(mark("c"))
		g.MethodNotAllowed(tells(452))
		g.Get("/r", ok)
	})
	m.Route("/a/{tenant}/c", func(g *Group) {
		g.Use(mark("d"))
		g.Get("/s", ok)
	})
	m.Route("/e", func(g *Group) {
		g.Use(mark("e"))
		g.Get("/r", ok)
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
		w := answerTo(m, requestOf(request))
		fields := append([]string{fmt.Sprint(w.Code)}, slices.Compact(w.Header().Values("Seen"))...)
		fields = append(append(fields, "through"), w.Header().Values("Trail")...)
		if got := strings.Join(strings.Fields(strings.Join(fields, " ")), " "); got != want {
			t.Errorf("%s: got %q, want %q", request, got, want)
		}
	}
}

// TestGroupsComeAndGo: a group whose last route was removed claims its prefix no
// more, so that another one made for the same prefix later has it to itself.
func TestGroupsComeAndGo(t *testing.T) {
	m := New()
	for _, name := range []string{"first", "second", "third"} {
		g := m.Route("/tenants/acme", func(g *Group) { g.Use(mark(name)) })
		var rt *Route
		err := m.Update(func(tx *Tx) (err error) {
			rt, err = tx.In(g).Add("GET /x", http.HandlerFunc(ok))
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if trail := answerTo(m, newBenchRequest("GET", "/tenants/acme/none")).Header().Values("Trail"); !slices.Equal(trail, []string{name}) {
			t.Errorf("with the group %s: ran %q", name, trail)
		}
		if err := m.Update(func(tx *Tx) error { return tx.Remove(rt) }); err != nil {
			t.Fatal(err)
		}
		if trail := answerTo(m, newBenchRequest("GET", "/tenants/acme/none")).Header().Values("Trail"); trail != nil {
			t.Errorf("without the routes of the group %s: ran %q", name, trail)
		}
	}
	if len(m.claiming) != 0 {
		t.Errorf("%d groups still claim their prefixes", len(m.claiming))
	}
}
