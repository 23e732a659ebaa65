package middleware

import (
	"log/slog"
	"net/http"
	"time"
)

// LogOptions are the options of [Log].
type LogOptions struct {
	// Level returns the log level for the status of an answer. If it is nil, 500 and
	// more are errors and everything else is information. Errors of clients are not
	// warnings: clients could fill the log with them.
	Level func(status int) slog.Level
	// Attrs returns additional attributes for a request that has been answered. It is
	// not called if nothing is logged.
	Attrs func(r *http.Request) []slog.Attr
}

// Log logs each request after it was answered:
//
//	msg=request method=GET pattern="GET /users/{id}" status=200 bytes=27 duration=212µs request_id=…
//
// pattern is that of the route, or "" if none matched. bytes is the length of the body
// that the handler wrote, even if the server omits it in answers to HEAD. A hijacked
// connection has status 101. The request's ID is included if [RequestID] is outside of
// Log. If logger is nil, it is [slog.Default] at the time of the request. o may be nil.
//
// If a handler panics and there is no [Recover] inside, the request is logged at level
// error with aborted=true and the status that was sent, or 0 if none was; the panic
// continues.
//
// A method of more than 32 bytes is truncated. Path, query and headers are not logged,
// since they may contain secrets. So the line of a 404 does not have the requested path,
// unless Attrs adds it:
//
//	Attrs: func(r *http.Request) []slog.Attr {
//		return []slog.Attr{slog.String("path", r.URL.EscapedPath())}
//	},
//
// Safe: the handlers of slog quote text that the client chose, such as the method.
//
// Log may be inside or outside of the mux: the router sets the pattern in the request
// itself, and middleware of this package that copies requests copies the pattern back.
// Other middleware between Log and the mux that copies the request, as
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

// A logLine is the data to log about a request.
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
