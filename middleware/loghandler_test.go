package middleware

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"testing/slogtest"

	"github.com/muxwell/muxwell"
)

// newScope returns the context of a request that RequestID has passed on.
func newScope() context.Context {
	return &scope{Context: context.Background(), id: "i", traceID: "t", pattern: "GET example.com/users/{id}"}
}

// An inScope is a handler that handles each record in the context of a request.
type inScope struct{ slog.Handler }

func (h inScope) Handle(_ context.Context, r slog.Record) error {
	return h.Handler.Handle(newScope(), r)
}

func (h inScope) WithAttrs(attrs []slog.Attr) slog.Handler {
	return inScope{h.Handler.WithAttrs(attrs)}
}
func (h inScope) WithGroup(name string) slog.Handler { return inScope{h.Handler.WithGroup(name)} }

// TestLogHandlerIsAHandler runs the suite of the standard library, within a request and
// outside of one.
func TestLogHandlerIsAHandler(t *testing.T) {
	for name, within := range map[string]func(slog.Handler) slog.Handler{
		"outside": func(h slog.Handler) slog.Handler { return h },
		"within":  func(h slog.Handler) slog.Handler { return inScope{h} },
	} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			slogtest.Run(t, func(*testing.T) slog.Handler {
				out.Reset()
				return within(LogHandler(slog.NewJSONHandler(&out, nil), nil))
			}, func(t *testing.T) (line map[string]any) {
				if err := json.Unmarshal(out.Bytes(), &line); err != nil {
					t.Fatal(err)
				}
				return line
			})
		})
	}
}

func TestLogHandler(t *testing.T) {
	trace := func(id string) *LogHandlerOptions {
		return &LogHandlerOptions{TraceID: func(context.Context) string { return id }}
	}
	const all = `request_id=i trace_id=t pattern="GET example.com/users/{id}"`
	for _, row := range []struct {
		name    string
		options *LogHandlerOptions
		ctx     context.Context
		log     func(ctx context.Context, l *slog.Logger)
		want    string
	}{
		{"a request", nil, newScope(), func(ctx context.Context, l *slog.Logger) { l.InfoContext(ctx, "m", "a", 1) }, "a=1 " + all},
		{"no request", nil, context.Background(), func(ctx context.Context, l *slog.Logger) { l.InfoContext(ctx, "m", "a", 1) }, "a=1"},
		{"no context", nil, newScope(), func(_ context.Context, l *slog.Logger) { l.Info("m", "a", 1) }, "a=1"},
		{"known in part", nil, &scope{Context: context.Background(), id: "i"}, func(ctx context.Context, l *slog.Logger) { l.InfoContext(ctx, "m") }, "request_id=i"},
		{"many attributes", nil, newScope(), func(ctx context.Context, l *slog.Logger) {
			l.InfoContext(ctx, "m", "a", 1, "b", 2, "c", 3, "d", 4, "e", 5, "f", 6)
		}, "a=1 b=2 c=3 d=4 e=5 f=6 " + all},
		{"a key that is there", nil, newScope(), func(ctx context.Context, l *slog.Logger) { l.InfoContext(ctx, "m", "pattern", "p") }, "pattern=p request_id=i trace_id=t"},
		{"With", nil, newScope(), func(ctx context.Context, l *slog.Logger) { l.With("a", 1).InfoContext(ctx, "m", "b", 2) }, "a=1 b=2 " + all},
		{"WithGroup", nil, newScope(), func(ctx context.Context, l *slog.Logger) {
			g := l.With("a", 1).WithGroup("g").With("b", 2).WithGroup("h").With("c", 3)
			g.With("x", 0).InfoContext(context.Background(), "dropped", "y", 0)
			g.InfoContext(ctx, "m", "request_id", 4)
		}, "a=1 g.b=2 g.h.c=3 g.h.x=0 g.h.y=0\na=1 g.b=2 g.h.c=3 g.h.request_id=4 " + all},
		{"an empty group", nil, newScope(), func(ctx context.Context, l *slog.Logger) { l.WithGroup("g").InfoContext(ctx, "m") }, all},
		{"two of one", nil, newScope(), func(ctx context.Context, l *slog.Logger) {
			g := l.WithGroup("g").With("a", 1)
			one, two := g.With("b", 2), g.With("c", 3)
			one.InfoContext(ctx, "m")
			two.InfoContext(ctx, "m")
		}, "g.a=1 g.b=2 " + all + "\ng.a=1 g.c=3 " + all},
		{"two groups in one", nil, newScope(), func(ctx context.Context, l *slog.Logger) {
			g := l.WithGroup("a").WithGroup("b").WithGroup("c")
			one, two := g.WithGroup("d"), g.WithGroup("e")
			one.InfoContext(ctx, "m", "x", 1)
			two.InfoContext(ctx, "m", "x", 1)
		}, "a.b.c.d.x=1 " + all + "\na.b.c.e.x=1 " + all},
		{"an option for the trace ID", trace("o"), newScope(), func(ctx context.Context, l *slog.Logger) { l.InfoContext(ctx, "m") }, strings.Replace(all, "=t", "=o", 1)},
		{"without a trace", trace(""), newScope(), func(ctx context.Context, l *slog.Logger) { l.InfoContext(ctx, "m") }, strings.Replace(all, "trace_id=t ", "", 1)},
		{"a trace ID without a request", trace("o"), context.Background(), func(ctx context.Context, l *slog.Logger) { l.InfoContext(ctx, "m") }, "trace_id=o"},
		{"names", &LogHandlerOptions{OpenTelemetry: true}, newScope(), func(ctx context.Context, l *slog.Logger) { l.InfoContext(ctx, "m") }, "request_id=i trace_id=t http.route=/users/{id}"},
	} {
		var out bytes.Buffer
		row.log(row.ctx, slog.New(LogHandler(newTextLog(&out).Handler(), row.options)))
		var got []string
		for line := range strings.Lines(out.String()) {
			_, attrs, _ := strings.Cut(strings.TrimSpace(line), " msg=")
			_, attrs, _ = strings.Cut(attrs, " ")
			got = append(got, attrs)
		}
		if got := strings.Join(got, "\n"); got != row.want {
			t.Errorf("%s:\ngot  %s\nwant %s", row.name, got, row.want)
		}
	}
}

// TestLogHandlerChangesNoRecord: other handlers of the same record see none of the
// attributes.
func TestLogHandlerChangesNoRecord(t *testing.T) {
	record := slog.NewRecord(slog.Record{}.Time, slog.LevelInfo, "m", 0)
	for _, key := range strings.Split("abcdefghij", "") {
		record.AddAttrs(slog.Int(key, 1)) // one by one, so that there is space for three more
	}
	var out, other bytes.Buffer
	for _, h := range []slog.Handler{LogHandler(slog.NewTextHandler(&out, nil), nil), slog.NewTextHandler(&other, nil)} {
		if err := h.Handle(newScope(), record); err != nil {
			t.Error(err)
		}
		record.AddAttrs(slog.Int("k", 1))
	}
	if got, want := other.String(), "level=INFO msg=m a=1 b=1 c=1 d=1 e=1 f=1 g=1 h=1 i=1 j=1 k=1\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if !strings.Contains(out.String(), "j=1 request_id=i ") {
		t.Errorf("got %q", out.String())
	}
}

// TestLogHandlerPattern: the pattern is known as soon as RequestID or Log is inside of the
// mux.
func TestLogHandlerPattern(t *testing.T) {
	for _, row := range []struct {
		name           string
		around, inside func(http.Handler) http.Handler
		want           string
	}{
		{"RequestID inside", nil, RequestID(nil), "GET /users/{id}"},
		{"Log inside", nil, Log(discard, nil), "GET /users/{id}"},
		{"RequestID around, Log inside", RequestID(nil), Log(discard, nil), "GET /users/{id}"},
		{"both around", func(h http.Handler) http.Handler { return RequestID(nil)(Log(discard, nil)(h)) }, nil, ""},
	} {
		var out bytes.Buffer
		logger := slog.New(LogHandler(slog.NewJSONHandler(&out, nil), nil))
		m := muxwell.New()
		if row.inside != nil {
			m.Use(row.inside)
		}
		m.Get("/users/{id}", func(_ http.ResponseWriter, r *http.Request) { logger.InfoContext(r.Context(), "") })
		h := http.Handler(m)
		if row.around != nil {
			h = row.around(m)
		}
		answer(h, newRequest("GET", "/users/7"))
		var line struct{ Pattern string }
		if err := json.Unmarshal(out.Bytes(), &line); err != nil || line.Pattern != row.want {
			t.Errorf("%s: got %q, %v; want %q", row.name, line.Pattern, err, row.want)
		}
	}
}

// TestLogHandlerOfRecover: the entry of a panic has its attributes once.
func TestLogHandlerOfRecover(t *testing.T) {
	var out bytes.Buffer
	logger := slog.New(LogHandler(slog.NewTextHandler(&out, nil), nil))
	m := muxwell.New()
	m.Use(RequestID(nil), Recover(logger))
	m.Get("/", func(http.ResponseWriter, *http.Request) { panic("a") })
	answer(m, newRequest("GET", "/"))
	if got := out.String(); strings.Count(got, " request_id=") != 1 || strings.Count(got, " pattern=") != 1 {
		t.Errorf("got %q", got)
	}
}

func TestLogHandlerAllocs(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates")
	}
	ctx, logger := newScope(), slog.New(LogHandler(slog.NewJSONHandler(io.Discard, nil), nil))
	if got := testing.AllocsPerRun(100, func() {
		logger.LogAttrs(ctx, slog.LevelInfo, "m", slog.Int("a", 1), slog.Int("b", 2))
	}); got > 0 {
		t.Errorf("%v allocations, want 0", got)
	}
}

func TestLogHandlerPanics(t *testing.T) {
	checkPanics(t, map[string]func(){
		"middleware: LogHandler: nil handler; pass one, such as slog.NewJSONHandler returns": func() { LogHandler(nil, nil) },
	})
}
