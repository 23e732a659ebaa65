package middleware

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/muxwell/muxwell"
)

// copying is middleware of others: it passes on a copy of the request.
func copying(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), copyingKey{}, "")))
	})
}

type copyingKey struct{}

// adding is middleware that adds an attribute.
func adding(key, value string) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			AddAttrs(r.Context(), slog.String(key, value))
			next.ServeHTTP(w, r)
		})
	}
}

// chain returns a handler in middleware, the first of which is the outermost.
func chain(h http.Handler, layers ...func(http.Handler) http.Handler) http.Handler {
	for i := len(layers) - 1; i >= 0; i-- {
		h = layers[i](h)
	}
	return h
}

// tails returns the ends of log lines, after the client's address.
func tails(log string) (all []string) {
	for line := range strings.Lines(log) {
		_, tail, _ := strings.Cut(strings.TrimSpace(line), " client=192.0.2.1")
		all = append(all, strings.TrimSpace(tail))
	}
	return all
}

// TestAddAttrs: whatever is around the caller, the lines of all Logs around it have the
// attributes, and the user.
func TestAddAttrs(t *testing.T) {
	type layers = []func(http.Handler) http.Handler
	auth := BasicAuth("x", Users(map[string]string{"alice": "p"}))
	for _, row := range []struct {
		name string
		of   func(log func(http.Handler) http.Handler) layers
		want string // line / line
	}{
		{"Log", func(log func(http.Handler) http.Handler) layers { return layers{log} }, "end=1"},
		{"no Log", func(func(http.Handler) http.Handler) layers { return layers{RequestID(nil), copying} }, ""},
		{"added outside", func(log func(http.Handler) http.Handler) layers { return layers{adding("a", "0"), log} }, "end=1"},
		{"added outside of Log, inside of RequestID", func(log func(http.Handler) http.Handler) layers {
			return layers{RequestID(nil), adding("a", "0"), log}
		}, "request_id=i end=1"},
		{"added inside", func(log func(http.Handler) http.Handler) layers {
			return layers{RequestID(nil), log, adding("a", "0"), copying, adding("b", "0"), Timeout(time.Hour), adding("a", "2")}
		}, "request_id=i a=0 b=0 a=2 end=1"},
		{"RequestID inside of Log", func(log func(http.Handler) http.Handler) layers { return layers{log, RequestID(nil)} }, "end=1"},
		{"copies between RequestID and Log", func(log func(http.Handler) http.Handler) layers {
			return layers{RequestID(nil), ClientIP(FromRemoteAddr()), copying, log}
		}, "request_id=i end=1"},
		{"Log in Log", func(log func(http.Handler) http.Handler) layers {
			return layers{RequestID(nil), log, adding("a", "0"), log, adding("b", "0")}
		}, "request_id=i b=0 end=1 / request_id=i a=0 b=0 end=1"},
		{"Logs around RequestID", func(log func(http.Handler) http.Handler) layers {
			return layers{log, RequestID(nil), adding("a", "0"), log}
		}, "request_id=i end=1 / a=0 end=1"},
		{"user inside of Log", func(log func(http.Handler) http.Handler) layers { return layers{RequestID(nil), log, copying, auth} }, "user=alice request_id=i end=1"},
		{"user inside of two Logs", func(log func(http.Handler) http.Handler) layers { return layers{log, log, auth} }, "user=alice end=1 / user=alice end=1"},
		{"user outside of Log", func(log func(http.Handler) http.Handler) layers { return layers{RequestID(nil), auth, log} }, "user=alice request_id=i end=1"},
	} {
		var out bytes.Buffer
		h := chain(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			AddAttrs(r.Context(), slog.String("end", "1"))
		}), row.of(Log(newTextLog(&out), nil))...)
		answer(h, newRequest("GET", "/", "X-Request-Id: i", basic("alice:p")))
		if got := strings.Join(tails(out.String()), " / "); got != row.want {
			t.Errorf("%s: got %q, want %q", row.name, got, row.want)
		}
	}
}

// TestAddAttrsKeepsNoSlice: a caller may use its slice again.
func TestAddAttrsKeepsNoSlice(t *testing.T) {
	var out bytes.Buffer
	answer(Log(newTextLog(&out), nil)(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		attrs := []slog.Attr{slog.Int("a", 1)}
		AddAttrs(r.Context(), attrs...)
		attrs[0] = slog.Int("b", 2)
	})), newRequest("GET", "/"))
	if got := strings.Join(tails(out.String()), ""); got != "a=1" {
		t.Errorf("got %q, want a=1", got)
	}
}

// TestAddAttrsConcurrently is meant for the race detector too.
func TestAddAttrsConcurrently(t *testing.T) {
	var out bytes.Buffer
	const n = 50
	answer(RequestID(nil)(Log(newTextLog(&out), nil)(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		var group sync.WaitGroup
		for i := range n {
			group.Go(func() { AddAttrs(r.Context(), slog.Int("n"+strconv.Itoa(i), i)) })
		}
		group.Wait()
	}))), newRequest("GET", "/"))
	for i := range n {
		if attr := " n" + strconv.Itoa(i) + "=" + strconv.Itoa(i); strings.Count(out.String()+" ", attr) == 0 {
			t.Errorf("%q is missing in %q", attr, out.String())
		}
	}
}

// TestAddAttrsTooLate: a handler that a Timeout has abandoned, and a goroutine that
// continues after its handler, add nothing, neither to this line nor to another. The race
// detector watches.
func TestAddAttrsTooLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		logger := slog.New(LogHandler(newTextLog(&out).Handler(), nil))
		m := muxwell.New()
		m.Use(RequestID(nil), Log(logger, nil), Timeout(time.Second))
		m.Get("/slow", func(_ http.ResponseWriter, r *http.Request) {
			AddAttrs(r.Context(), slog.Int("in", 1))
			time.Sleep(time.Minute)
			AddAttrs(r.Context(), slog.Int("late", 1))
			r.URL.Path, r.URL.RawQuery = "/changed", ""
		})
		m.Get("/leaves", func(_ http.ResponseWriter, r *http.Request) {
			go func() {
				time.Sleep(time.Minute)
				AddAttrs(r.Context(), slog.Int("late", 1))
				logger.InfoContext(r.Context(), "later")
			}()
		})
		for _, path := range []string{"/slow", "/leaves"} {
			answer(m, newRequest("GET", path, "X-Request-Id: "+path[1:]))
		}
		time.Sleep(time.Hour)
		synctest.Wait()
		want := `level=ERROR msg=request method=GET path=/slow pattern="GET /slow" status=503 bytes=20 client=192.0.2.1 request_id=slow in=1
level=INFO msg=request method=GET path=/leaves pattern="GET /leaves" status=200 bytes=0 client=192.0.2.1 request_id=leaves
level=INFO msg=later request_id=leaves pattern="GET /leaves"
`
		if got := out.String(); got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	})
}

// TestScopeIsClosed: a context that a program keeps does not fill memory.
func TestScopeIsClosed(t *testing.T) {
	var kept context.Context
	answer(Log(discard, nil)(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		kept = r.Context()
		AddAttrs(kept, slog.Int("a", 1))
	})), newRequest("GET", "/"))
	AddAttrs(kept, slog.Int("b", 2))
	if got := scopeOf(kept).attrs; got != nil {
		t.Errorf("%v is kept", got)
	}
}

// TestScopeIsShared: RequestID and the Logs inside of it copy the request as rarely as
// possible.
func TestScopeIsShared(t *testing.T) {
	for _, row := range []struct {
		name   string
		around []func(http.Handler) http.Handler // around the mux
		inside []func(http.Handler) http.Handler
		copies int
	}{
		{"Log", nil, []func(http.Handler) http.Handler{Log(discard, nil)}, 1},
		{"RequestID, Log", nil, []func(http.Handler) http.Handler{RequestID(nil), Log(discard, nil)}, 1},
		{"both around the mux", []func(http.Handler) http.Handler{RequestID(nil), Log(discard, nil)}, nil, 1},
		{"one around the mux", []func(http.Handler) http.Handler{RequestID(nil)}, []func(http.Handler) http.Handler{Log(discard, nil)}, 2},
		{"Log, Log", nil, []func(http.Handler) http.Handler{Log(discard, nil), Log(discard, nil)}, 2},
	} {
		var requests []*http.Request
		spy := func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if len(requests) == 0 || requests[len(requests)-1] != r {
					requests = append(requests, r)
				}
				next.ServeHTTP(w, r)
			})
		}
		spied := func(layers []func(http.Handler) http.Handler) (all []func(http.Handler) http.Handler) {
			for _, layer := range layers {
				all = append(all, layer, spy)
			}
			return all
		}
		m := muxwell.New()
		for _, layer := range spied(row.inside) {
			m.Use(layer)
		}
		m.Get("/", says(""))
		answer(spy(chain(m, spied(row.around)...)), newRequest("GET", "/"))
		if got := len(requests) - 1; got != row.copies {
			t.Errorf("%s: %d copies, want %d", row.name, got, row.copies)
		}
	}
}

// TestScopesOfParts: requests that a handler serves as parts of its own, at the same
// time, have lines and IDs of their own.
func TestScopesOfParts(t *testing.T) {
	var out bytes.Buffer
	part := chain(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		AddAttrs(r.Context(), slog.String("part", RequestIDFrom(r.Context())))
	}), RequestID(nil), Log(newTextLog(&out), nil))
	batch := chain(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		var group sync.WaitGroup
		for i := range 20 {
			group.Go(func() {
				answer(part, newRequest("GET", "/", "X-Request-Id: p"+strconv.Itoa(i)).WithContext(r.Context()))
			})
		}
		group.Wait()
	}), RequestID(nil))
	answer(batch, newRequest("GET", "/", "X-Request-Id: all"))
	lines := tails(out.String())
	for _, line := range lines {
		id, attrs, _ := strings.Cut(strings.TrimPrefix(line, "request_id="), " ")
		if attrs != "part="+id {
			t.Errorf("the line of %s has %q", id, attrs)
		}
	}
	if len(lines) != 20 {
		t.Errorf("%d lines, want 20", len(lines))
	}
}
