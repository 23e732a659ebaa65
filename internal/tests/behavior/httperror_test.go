package behavior

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/internal/tests/muxtest"
	"github.com/muxwell/muxwell/middleware"
)

// tells returns an ErrorHandler that answers with its name and what it was told.
func tells(name string) func(http.ResponseWriter, *http.Request, error) {
	return func(w http.ResponseWriter, r *http.Request, err error) {
		e := muxwell.AsHTTPError(err)
		w.WriteHeader(e.Status)
		fmt.Fprint(w, name, " ", e.Reason)
		if e.Detail != "" {
			fmt.Fprint(w, " ", e.Detail)
		}
		if e.Route != nil {
			fmt.Fprint(w, " near ", e.Route)
		}
		if e.Allowed != nil {
			fmt.Fprint(w, " allowed ", e.Allowed)
		}
		if r.Pattern != "" {
			fmt.Fprint(w, " pattern ", r.Pattern)
		}
	}
}

func fails(err error) func(http.ResponseWriter, *http.Request) error {
	return func(http.ResponseWriter, *http.Request) error { return err }
}

// TestOneErrorPath: whatever is not served is answered by the ErrorHandler, with the
// headers of the status.
func TestOneErrorPath(t *testing.T) {
	m := muxwell.New(muxwell.ErrorHandler(tells("mux")))
	m.Use(middleware.Recover(slog.New(slog.DiscardHandler)))
	m.HandleError("GET /number/{n}", func(_ http.ResponseWriter, r *http.Request) error {
		_, err := muxwell.Param[int](r, "n")
		return err
	})
	m.HandleError("GET /fails", fails(errors.New("secret")))
	m.HandleError("GET /gone", fails(fmt.Errorf("wrapped: %w", &muxwell.HTTPError{Status: 410, Reason: "deleted", Detail: "it was here"})))
	m.HandleError("GET /wrong", fails(&muxwell.HTTPError{Status: 200, Reason: "not_an_error"}))
	m.HandleError("POST /body", func(w http.ResponseWriter, r *http.Request) error {
		_, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1))
		return err
	})
	m.Get("/panics", func(http.ResponseWriter, *http.Request) { panic("secret") })
	post := func(pattern string, options ...muxwell.RouteOption) {
		if _, err := m.Add(pattern, muxtest.Says("ok"), options...); err != nil {
			t.Fatal(err)
		}
	}
	post("POST /typed", muxwell.ContentType("application/json"))
	post("POST /typed", muxwell.ContentType("application/xml", "text/xml"))
	post("GET /made", muxwell.Accept("text/html"))
	post("PUT /typed")
	limited := m.Group(nil)
	limited.Use(middleware.RateLimit(1, time.Hour, &middleware.RateLimitOptions{Key: func(*http.Request) string { return "" }}))
	limited.Get("/rare", muxtest.OK)
	m.With(middleware.BasicAuth("site", func(*http.Request, string, string) bool { return false })).Get("/basic", muxtest.OK)
	m.With(middleware.BearerAuth("site", func(*http.Request, string) (string, bool) { return "", false })).Get("/bearer", muxtest.OK)
	m.With(middleware.MaxBytes(1)).Post("/small", muxtest.OK)
	m.With(middleware.Timeout(time.Millisecond)).Get("/slow", func(_ http.ResponseWriter, r *http.Request) {
		<-r.Context().Done()
		time.Sleep(10 * time.Millisecond)
	})
	m.With(middleware.Throttle(1, nil)).Get("/busy", func(w http.ResponseWriter, r *http.Request) {
		m.ServeHTTP(w, muxtest.NewRequest("GET", "/busy"))
	})
	muxtest.AnswerTo(m, muxtest.NewRequest("GET", "/rare"))
	for _, row := range []struct {
		line, body string // METHOD PATH
		status     int
		want       string
		header     string
	}{
		{"GET /number/x", "", 400, `mux invalid_parameter parameter "n": "x" is not an int pattern GET /number/{n}`, ""},
		{"GET /fails", "", 500, "mux internal_server_error pattern GET /fails", ""},
		{"GET /gone", "", 410, "mux deleted it was here pattern GET /gone", ""},
		{"GET /wrong", "", 500, "mux internal_server_error pattern GET /wrong", ""},
		{"POST /body", "long", 413, "mux body_too_large pattern POST /body", "Connection: close"},
		{"GET /nope", "", 404, "mux not_found", ""},
		{"PATCH /fails", "", 405, "mux method_not_allowed near GET /fails allowed [GET HEAD]", "Allow: GET, HEAD"},
		{"PATCH /typed", "", 405, "mux method_not_allowed near POST /typed allowed [POST PUT]", "Allow: POST, PUT"},
		{"POST /typed", "text", 415, "mux unsupported_media_type near POST /typed", "Accept: application/json, application/xml, text/xml"},
		{"GET /made", "", 406, "mux not_acceptable near GET /made", ""},
		{"GET /panics", "", 500, "mux panic near GET /panics pattern GET /panics", ""},
		{"GET /rare", "", 429, "mux rate_limited near GET /rare pattern GET /rare", "Retry-After: 3600"},
		{"GET /basic", "", 401, "mux unauthorized near GET /basic pattern GET /basic", `WWW-Authenticate: Basic realm="site", charset="UTF-8"`},
		{"GET /bearer", "", 401, "mux unauthorized near GET /bearer pattern GET /bearer", `WWW-Authenticate: Bearer realm="site"`},
		{"POST /small", "long", 413, "mux body_too_large near POST /small pattern POST /small", "Connection: close"},
		{"GET /slow", "", 503, "mux timeout near GET /slow pattern GET /slow", ""},
		{"GET /busy", "", 503, "mux overloaded near GET /busy pattern GET /busy", "Retry-After: 1"},
	} {
		method, path, _ := strings.Cut(row.line, " ")
		r := httptest.NewRequest(method, path, strings.NewReader(row.body))
		r.Header.Set("Accept", "application/json")
		if row.body != "" {
			r.Header.Set("Content-Type", "text/plain")
		}
		w := muxtest.AnswerTo(m, r)
		if w.Code != row.status || w.Body.String() != row.want {
			t.Errorf("%s: got %d %q, want %d %q", row.line, w.Code, w.Body, row.status, row.want)
		}
		if name, value, ok := strings.Cut(row.header, ": "); ok && row.line != "POST /body" && w.Header().Get(name) != value {
			t.Errorf("%s: got headers %v, want %s", row.line, w.Header(), row.header)
		}
	}
}

// TestErrorHandlerIsNotCalled: what is not a refusal, and what has handlers of its own,
// does not go to the ErrorHandler.
func TestErrorHandlerIsNotCalled(t *testing.T) {
	never := muxwell.ErrorHandler(func(_ http.ResponseWriter, r *http.Request, err error) {
		t.Errorf("the ErrorHandler was called for %s %s: %v", r.Method, r.URL, err)
	})
	m := muxwell.New(never, muxwell.AutoOptions(), muxwell.NotFound(muxtest.Says("missing")), muxwell.MethodNotAllowed(muxtest.Says("method")))
	m.Handle("GET /tree/", muxtest.Says("tree"))
	m.Handle("POST /post", muxtest.Says("post"))
	for line, want := range map[string]int{"GET /tree": 307, "OPTIONS /post": 204, "GET /nope": 200, "GET /post": 200, "GET //tree/": 307} {
		method, path, _ := strings.Cut(line, " ")
		if w := muxtest.AnswerTo(m, muxtest.NewRequest(method, path)); w.Code != want {
			t.Errorf("%s: got %d, want %d", line, w.Code, want)
		}
	}
	outside := middleware.BasicAuth("site", func(*http.Request, string, string) bool { return false })(m)
	if w := muxtest.AnswerTo(outside, muxtest.NewRequest("GET", "/tree/")); w.Body.String() != "Unauthorized\n" {
		t.Errorf("middleware around the mux: got %q", w.Body)
	}
}

// TestErrorHandlerBegan: whatever an ErrorHandler answers, it can ask whether it has begun.
func TestErrorHandlerBegan(t *testing.T) {
	var began []bool
	m := muxwell.New(muxwell.ErrorHandler(func(w http.ResponseWriter, _ *http.Request, _ error) {
		began = append(began, muxwell.Began(w))
		w.WriteHeader(http.StatusTeapot)
		began = append(began, muxwell.Began(w))
	}))
	m.HandleError("GET /fails", fails(io.EOF))
	m.With(middleware.BasicAuth("", func(*http.Request, string, string) bool { return false })).Get("/locked", muxtest.OK)
	for _, path := range []string{"/fails", "/locked", "/nope"} {
		began = nil
		if w := muxtest.AnswerTo(m, muxtest.NewRequest("GET", path)); w.Code != http.StatusTeapot || !slices.Equal(began, []bool{false, true}) {
			t.Errorf("%s: got %d, begun %v before and after; want 418, [false true]", path, w.Code, began)
		}
	}
}

// TestErrorHandlerOfMux: Mux.Handler returns handlers that answer as the mux does.
func TestErrorHandlerOfMux(t *testing.T) {
	m := muxwell.New(muxwell.ErrorHandler(tells("mux")))
	m.HandleError("GET /fails", fails(io.EOF))
	m.Mount("/mounted", muxwell.ErrorFunc(fails(io.EOF)))
	for path, want := range map[string]string{
		"/fails": "mux internal_server_error", "/mounted/x": "mux internal_server_error", "/nope": "mux not_found",
	} {
		r := muxtest.NewRequest("GET", path)
		h, _ := m.Handler(r)
		if w := muxtest.AnswerTo(h, r); w.Body.String() != want {
			t.Errorf("%s: got %q, want %q", path, w.Body, want)
		}
	}
}

// TestErrorHandlerLater: an ErrorHandler that a group gets after requests were served
// counts for the next ones, in mounted muxes too.
func TestErrorHandlerLater(t *testing.T) {
	m, inner := muxwell.New(), muxwell.New()
	g := m.Route("/g", nil)
	g.HandleError("GET /fails", fails(io.EOF))
	h := inner.Route("/h", nil)
	h.HandleError("GET /fails", fails(io.EOF))
	g.Mount("/inner", inner)
	for i, step := range []struct {
		do   func()
		want string // of /g/fails, /g/nope, /g/inner/h/fails, /g/inner/h/nope
	}{
		{func() {}, "Internal Server Error, 404 page not found, Internal Server Error, 404 page not found"},
		{func() { g.ErrorHandler(tells("g")) }, "g, g, g, g"},
		{func() { h.ErrorHandler(tells("h")) }, "g, g, h, h"},
		{func() { h.ErrorHandler(tells("other")) }, "g, g, other, other"},
		{func() { g.NotFound(muxtest.Says("missing")) }, "g, missing, other, other"},
	} {
		step.do()
		var got []string
		for _, path := range []string{"/g/fails", "/g/nope", "/g/inner/h/fails", "/g/inner/h/nope"} {
			body := muxtest.AnswerTo(m, muxtest.NewRequest("GET", path)).Body.String()
			name, _, tells := strings.Cut(body, " internal_server_error")
			if !tells {
				name, _, _ = strings.Cut(body, " not_found")
			}
			got = append(got, strings.TrimSpace(name))
		}
		if strings.Join(got, ", ") != step.want {
			t.Errorf("step %d: got %s, want %s", i, strings.Join(got, ", "), step.want)
		}
	}
}

// An errorGroup is a group of TestErrorHandlerNearest and its naive model.
type errorGroup struct {
	outer                   *errorGroup
	name, prefix            string
	shares                  bool // its prefix is that of the group around it
	errors, missing, method bool // it has an ErrorHandler, NotFound, MethodNotAllowed
}

// answers returns who answers an error of a handler in the group: the nearest.
func (g *errorGroup) answers() string {
	for ; g != nil; g = g.outer {
		if g.errors {
			return g.name
		}
	}
	return "default"
}

// refuses returns who answers a refusal with a status below the group's prefix.
func (g *errorGroup) refuses(status int) string {
	for ; g != nil; g = g.outer {
		switch {
		case status == 404 && g.missing:
			return g.name + "/404"
		case status == 405 && g.method:
			return g.name + "/405"
		case g.errors:
			return g.name
		}
	}
	return "default"
}

// TestErrorHandlerNearest: in random chains of groups, mounts and groups without a
// prefix, the nearest one answers.
func TestErrorHandlerNearest(t *testing.T) {
	seen := map[string]int{}
	for seed := range uint64(400) {
		src := rand.New(rand.NewPCG(seed, 20))
		// newMux returns a mux with the options for g.
		newMux := func(g *errorGroup) *muxwell.Mux {
			var options []muxwell.Option
			if g.errors {
				options = append(options, muxwell.ErrorHandler(tells(g.name)))
			}
			if g.missing {
				options = append(options, muxwell.NotFound(muxtest.Says(g.name+"/404")))
			}
			if g.method {
				options = append(options, muxwell.MethodNotAllowed(muxtest.Says(g.name+"/405")))
			}
			return muxwell.New(options...)
		}
		at := &errorGroup{name: "0", errors: src.IntN(2) == 0, missing: src.IntN(4) == 0, method: src.IntN(4) == 0}
		m := newMux(at)
		through := func(next http.Handler) http.Handler { return next }
		if src.IntN(2) == 0 {
			m.Use(through)
		}
		group := m.Group(nil)
		for depth := range 1 + src.IntN(4) {
			name := fmt.Sprint(depth + 1)
			g := &errorGroup{outer: at, name: name, prefix: at.prefix + "/" + name, errors: src.IntN(2) == 0}
			mounted := false
			switch src.IntN(3) {
			case 0:
				g.prefix, g.shares = at.prefix, true
				group = group.With(through)
			case 1:
				g.missing, g.method = src.IntN(4) == 0, src.IntN(4) == 0
				mounted = true // and its options are those of g
				inner := newMux(g)
				group.Mount("/"+name, inner)
				group = inner.Group(nil)
			case 2:
				g.missing, g.method = src.IntN(4) == 0, src.IntN(4) == 0
				group = group.Route("/"+name, nil)
				if g.missing {
					group.NotFound(muxtest.Says(name + "/404"))
				}
				if g.method {
					group.MethodNotAllowed(muxtest.Says(name + "/405"))
				}
			}
			if g.errors && !mounted {
				group.ErrorHandler(tells(name))
			}
			at = g
			group.HandleError("GET /fails"+name, fails(io.EOF))
			group.With(middleware.BasicAuth("", func(*http.Request, string, string) bool { return false })).Get("/locked"+name, muxtest.OK)
		}
		ask := func(method, path, want string) {
			body := muxtest.AnswerTo(m, muxtest.NewRequest(method, path)).Body.String()
			got, _, _ := strings.Cut(strings.TrimSpace(body), " ")
			if slices.Contains([]string{"404 page not found", "Method Not Allowed", "Internal Server Error", "Unauthorized"}, strings.TrimSpace(body)) {
				got = "default"
			}
			if got != want {
				t.Errorf("seed %d: %s %s: got %q, want %s", seed, method, path, body, want)
			}
			seen[want]++
		}
		for g := at; g.outer != nil; g = g.outer {
			ask("GET", g.prefix+"/fails"+g.name, g.answers())
			ask("GET", g.prefix+"/locked"+g.name, g.answers())
			if !g.shares {
				ask("GET", g.prefix+"/nope", g.refuses(404))
				ask("PUT", g.prefix+"/fails"+g.name, g.refuses(405))
			}
		}
		if t.Failed() {
			return
		}
	}
	for _, want := range []string{"default", "0", "0/404", "1", "2", "2/405", "3", "4"} {
		if seen[want] == 0 {
			t.Errorf("nobody wanted %s: %v", want, seen)
		}
	}
}

// TestHTTPErrorText: the error's text has what a log needs.
func TestHTTPErrorText(t *testing.T) {
	for want, e := range map[string]*muxwell.HTTPError{
		"404 Not Found":                  {Status: 404},
		"404 Not Found: no order":        {Status: 404, Detail: "no order", Err: io.EOF},
		"500 Internal Server Error: EOF": {Status: 500, Err: io.EOF},
		"499 status code 499":            {Status: 499},
	} {
		if e.Error() != want {
			t.Errorf("got %q, want %q", e, want)
		}
	}
	if !errors.Is(&muxwell.HTTPError{Err: io.EOF}, io.EOF) || muxwell.AsHTTPError(nil) != nil {
		t.Error("Unwrap or AsHTTPError(nil) is wrong")
	}
	m := muxwell.New()
	m.HandleError("/", fails(&muxwell.HTTPError{Status: 404, Detail: "no order 7", Err: errors.New("secret")}))
	if w := muxtest.AnswerTo(m, muxtest.NewRequest("GET", "/")); w.Body.String() != "Not Found: no order 7\n" || w.Code != 404 {
		t.Errorf("without an ErrorHandler: got %d %q", w.Code, w.Body)
	}
}

// TestTrustedProxiesOnce: the option of the mux is what middleware in it and around it
// trusts, unless that has its own.
func TestTrustedProxiesOnce(t *testing.T) {
	proxy, other := netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("192.0.2.0/24")
	client := func(w http.ResponseWriter, r *http.Request) {
		addr, _ := middleware.ClientIPFrom(r.Context())
		fmt.Fprint(w, addr)
	}
	send := func(h http.Handler) string {
		r := muxtest.NewRequest("GET", "/")
		r.Host, r.RemoteAddr = "www.example.com", "10.1.2.3:4"
		r.Header = http.Header{"X-Forwarded-For": {"203.0.113.9"}, "Forwarded": {"for=203.0.113.9"}, "X-Real-Ip": {"203.0.113.9"}, "X-Forwarded-Proto": {"https"}}
		w := muxtest.AnswerTo(h, r)
		if w.Code != 200 {
			return fmt.Sprint(w.Code)
		}
		return w.Body.String()
	}
	muxWith := func(mw ...muxwell.Middleware) *muxwell.Mux {
		m := muxwell.New(muxwell.TrustedProxies(proxy))
		m.Use(mw...)
		m.HandleFunc("/", client)
		return m
	}
	for name, from := range map[string]func(...netip.Prefix) middleware.ClientIPStrategy{
		"FromXForwardedFor": middleware.FromXForwardedFor, "FromForwarded": middleware.FromForwarded,
		"FromHeader": func(trusted ...netip.Prefix) middleware.ClientIPStrategy {
			return middleware.FromHeader("X-Real-IP", trusted...)
		},
	} {
		outer := muxwell.New(muxwell.TrustedProxies(proxy))
		inner := muxwell.New()
		inner.Use(middleware.ClientIP(from()))
		inner.HandleFunc("/", client)
		outer.Mount("/", inner)
		for what, row := range map[string]struct {
			h    http.Handler
			want string
		}{
			"in the mux":     {muxWith(middleware.ClientIP(from())), "203.0.113.9"},
			"around the mux": {middleware.ClientIP(from())(muxWith()), "203.0.113.9"},
			"its own":        {muxWith(middleware.ClientIP(from(other))), "10.1.2.3"},
			"mounted":        {outer, "203.0.113.9"},
		} {
			if got := send(row.h); got != row.want {
				t.Errorf("%s %s: got %s, want %s", name, what, got, row.want)
			}
		}
		want := "middleware: ClientIP: " + name + " has no proxies to trust; pass those of your servers, or use it in a mux that has them as its option TrustedProxies"
		if got := muxtest.Recovered(func() { send(middleware.ClientIP(from())(http.HandlerFunc(client))) }); got != want {
			t.Errorf("%s without proxies: panicked with %v, want %s", name, got, want)
		}
	}
	for what, row := range map[string]struct {
		h    http.Handler
		want string
	}{
		"around the mux": {middleware.Canonical("https://www.example.com", nil)(muxWith()), "invalid IP"},
		"in the mux":     {muxWith(middleware.Canonical("https://www.example.com", nil)), "invalid IP"},
		"its own":        {middleware.Canonical("https://www.example.com", &middleware.CanonicalOptions{TrustedProxies: []netip.Prefix{other}})(muxWith()), "301"},
		"none":           {middleware.Canonical("https://www.example.com", &middleware.CanonicalOptions{TrustedProxies: []netip.Prefix{}})(muxWith()), "301"},
		"no mux":         {middleware.Canonical("https://www.example.com", nil)(http.HandlerFunc(client)), "301"},
	} {
		if got := send(row.h); got != row.want {
			t.Errorf("Canonical %s: got %s, want %s", what, got, row.want)
		}
	}
	m := muxWith()
	m.TrustedProxies()[0] = other
	if got := m.TrustedProxies(); !slices.Equal(got, []netip.Prefix{proxy}) || new(muxwell.Mux).TrustedProxies() != nil {
		t.Errorf("TrustedProxies returned %v", got)
	}
}
