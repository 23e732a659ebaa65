package middleware

import (
	"log/slog"
	"net/http"
	"time"
)

// LogOptions are the options of [Log].
type LogOptions struct {
	// Level returns the level of a request by the status of its answer. If it is nil,
	// 500 and more are errors and all else is information: what clients do wrong is
	// no warning, or they could fill the log with them.
	Level func(status int) slog.Level
	// Attrs returns more to log about a request that has been answered. It is not
	// called if nothing is logged.
	Attrs func(r *http.Request) []slog.Attr
}

// Log logs each request when it has been answered:
//
//	msg=request method=GET pattern="GET /users/{id}" status=200 bytes=27 duration=212µs request_id=…
//
// pattern is that of the route, "" if none took the request. bytes are those of the
// body that the handler wrote, which the server leaves out in answers to HEAD. A
// connection that was hijacked has status 101. The request's id is there if
// [RequestID] stands outside. If logger is nil it is [slog.Default], as it is when
// the request comes. o may be nil.
//
// A handler that panics, and no [Recover] inside, is logged at level error with
// aborted=true and the status that was sent, 0 if none was; the panic goes on.
//
// A method of more than 32 bytes is cut. Path, query and headers are not logged,
// since they may hold secrets; Attrs adds what may be. So the line of a 404 does not say
// what the client asked for, unless Attrs adds the path:
//
//	Attrs: func(r *http.Request) []slog.Attr {
//		return []slog.Attr{slog.String("path", r.URL.EscapedPath())}
//	},
//
// Safe: what the client chose,
// as the method, is quoted by slog's handlers.
//
// Log may stand in the mux or outside of it: the router sets the pattern in the
// request itself, and what copies requests in this package hands the pattern back.
// Middleware from elsewhere between Log and the mux that copies the request, as
// [http.Request.WithContext] does, hides the pattern.
func Log(logger *slog.Logger, o *LogOptions) func(http.Handler) http.Handler {
	if o == nil {
		o = &LogOptions{}
	}
	level, more := o.Level, o.Attrs
	if level == nil {
		level = levelOf
	}
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			logger := logger
			if logger == nil {
				logger = slog.Default()
			}
			line := logLine{logger: logger, w: observe(w), r: r, more: more, start: time.Now()}
			defer func() {
				if line.level = slog.LevelError; line.returned {
					line.level = level(line.w.observed().final())
				}
				line.write()
			}()
			next.ServeHTTP(line.w, r)
			line.returned = true
		})
	}
}

func levelOf(status int) slog.Level {
	if status >= http.StatusInternalServerError {
		return slog.LevelError
	}
	return slog.LevelInfo
}

// A logLine is what is to be logged of a request.
type logLine struct {
	logger   *slog.Logger
	level    slog.Level
	w        observer
	r        *http.Request
	more     func(*http.Request) []slog.Attr
	start    time.Time
	returned bool // the handler did, and did not panic
}

func (l *logLine) write() {
	ctx := l.r.Context()
	if !l.logger.Enabled(ctx, l.level) {
		return
	}
	o := l.w.observed()
	status := o.status
	if l.returned {
		status = o.final()
	}
	space := [7]slog.Attr{
		slog.String("method", shortMethod(l.r.Method)),
		slog.String("pattern", l.r.Pattern),
		slog.Int("status", status),
		slog.Int64("bytes", o.bytes),
		slog.Duration("duration", time.Since(l.start)),
	}
	attrs := space[:5]
	if id := RequestIDFrom(ctx); id != "" {
		attrs = append(attrs, slog.String("request_id", id))
	}
	if !l.returned {
		attrs = append(attrs, slog.Bool("aborted", true))
	}
	if l.more != nil {
		attrs = append(attrs, l.more(l.r)...)
	}
	l.logger.LogAttrs(ctx, l.level, "request", attrs...)
}

// shortMethod returns the beginning of a method, which can be as long as a header.
func shortMethod(method string) string { return method[:min(len(method), 32)] }
