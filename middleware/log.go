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
	// not called if nothing is logged. Handlers and inner middleware use [AddAttrs].
	Attrs func(r *http.Request) []slog.Attr
	// Path returns what is logged as the path of a request that has been answered; ""
	// leaves it out. It is for paths that contain secrets, such as the token of a link
	// that resets a password. If it is nil, it is the escaped path of the URL.
	Path func(r *http.Request) string
	// Query has the names of query parameters whose values may be logged. If there are
	// any, the query is logged too. In it, REDACTED replaces the values of all other
	// parameters, and the whole parameter if it has no value.
	Query []string
	// OpenTelemetry names the attributes by the semantic conventions of OpenTelemetry:
	//
	//	method     http.request.method, which is _OTHER for methods that are not in RFC 9110
	//	           or RFC 5789, with the method in http.request.method_original
	//	path       url.path
	//	query      url.query
	//	pattern    http.route, the path of the pattern; absent if no route matched
	//	status     http.response.status_code; absent if none was sent
	//	bytes      http.response.body.size
	//	duration   http.server.request.duration, in seconds
	//	client     client.address
	//	user       user.name
	//
	// There are no conventions for request_id and aborted, which keep their names.
	OpenTelemetry bool
}

// Log logs each request after it was answered:
//
//	msg=request method=GET path=/users/7 pattern="GET /users/{id}" status=200 bytes=27 duration=212µs client=192.0.2.1 user=alice request_id=…
//
// pattern is that of the route, or "" if none matched. bytes is the length of the body
// that the handler wrote, even if the server omits it in answers to HEAD. A hijacked
// connection has status 101. client is the address that a [ClientIP] outside of Log has
// found, without it the peer of the connection. user is the user of [BasicAuth] or
// [BearerAuth]. The request's ID is included if [RequestID] is outside of Log. client,
// user and request_id are absent if they are unknown. What [AddAttrs] has added follows,
// then the attributes of the option. If logger is nil, it is [slog.Default] at the time
// of the request. o may be nil.
//
// If a handler panics and there is no [Recover] inside, the request is logged at level
// error with aborted=true and the status that was sent, or 0 if none was; the panic
// continues.
//
// A method of more than 32 bytes is truncated, a path or query of more than 2048. Query
// and headers are not logged, since they may contain secrets; see LogOptions.Query.
// Paths may contain secrets too; see LogOptions.Path.
//
// Safe: the handlers of slog quote text that the client chose, such as the path.
//
// Log may be inside or outside of the mux: the router sets the pattern in the request
// itself, and middleware of this package that copies requests copies the pattern back.
// Other middleware between Log and the mux that copies the request, as
// [http.Request.WithContext] does, hides the pattern. Log itself copies the request,
// unless [RequestID] is around it, on the same side of the mux.
func Log(logger *slog.Logger, o *LogOptions) func(http.Handler) http.Handler {
	if o == nil {
		o = &LogOptions{}
	}
	level, format := o.Level, newLogFormat(o)
	if level == nil {
		level = levelOf
	}
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			logger := logger
			if logger == nil {
				logger = slog.Default()
			}
			scope, inner := openScope(r)
			line := logLine{
				logFormat: format, scope: scope, w: observe(w), r: inner,
				path: r.URL.EscapedPath(), query: r.URL.RawQuery, start: time.Now(),
			}
			defer func() {
				if inner != r {
					handBack(r, inner)
				}
				at := slog.LevelError
				if line.returned {
					at = level(line.w.observed().final())
				}
				line.write(logger.Handler(), at)
			}()
			next.ServeHTTP(line.w, inner)
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
