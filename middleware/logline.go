package middleware

import (
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/muxwell/muxwell/internal/clientaddr"
)

// A logFormat is how the lines of a Log are written.
type logFormat struct {
	names         *logNames
	openTelemetry bool
	source        uintptr // program counter, for handlers that show the source of a line
	pathOf        func(*http.Request) string
	queryNames    []string // of parameters to log, also as url.QueryEscape spells them
	more          func(*http.Request) []slog.Attr
}

// logNames are the keys of attributes.
type logNames struct {
	method, path, query, pattern, status, bytes, duration, client, user string
}

var (
	shortLogNames = &logNames{"method", "path", "query", "pattern", "status", "bytes", "duration", "client", "user"}
	// The names of the duration, a metric in seconds, and of the user come from other
	// parts of the semantic conventions than HTTP spans.
	openTelemetryLogNames = &logNames{
		"http.request.method", "url.path", "url.query", "http.route", "http.response.status_code",
		"http.response.body.size", "http.server.request.duration", "client.address", "user.name",
	}
)

func newLogFormat(o *LogOptions) *logFormat {
	f := &logFormat{names: shortLogNames, openTelemetry: o.OpenTelemetry, pathOf: o.Path, more: o.Attrs}
	if f.openTelemetry {
		f.names = openTelemetryLogNames
	}
	for _, name := range o.Query {
		f.queryNames = append(f.queryNames, name, url.QueryEscape(name))
	}
	var pcs [1]uintptr
	runtime.Callers(1, pcs[:]) // here, since it would cost 60 ns for each line
	f.source = pcs[0]
	return f
}

// A logLine is the data to log about a request. The URL's path and query are kept since
// a handler that a Timeout has abandoned may change the URL.
type logLine struct {
	*logFormat
	scope       *scope
	w           observer
	r           *http.Request // what Log passes on
	path, query string
	start       time.Time
	returned    bool // the handler did, and did not panic
}

func (l *logLine) write(h slog.Handler, level slog.Level) {
	user, added := l.scope.close()
	ctx := l.r.Context()
	if !h.Enabled(ctx, level) {
		return
	}
	if user == "" {
		user, _ = UserFrom(ctx) // authentication is outside of Log
	}
	now := time.Now()
	var space [16]slog.Attr
	attrs := l.appendAttrs(space[:0], now.Sub(l.start), user)
	attrs = append(attrs, added...)
	if l.more != nil {
		attrs = append(attrs, l.more(l.r)...)
	}
	record := slog.NewRecord(now, level, "request", l.source)
	record.AddAttrs(attrs...)
	_ = h.Handle(ctx, record) // slog.Logger ignores the error too
}

// appendAttrs appends what Log itself knows about the request.
func (l *logLine) appendAttrs(attrs []slog.Attr, d time.Duration, user string) []slog.Attr {
	status := l.w.observed().status
	if l.returned {
		status = l.w.observed().final()
	}
	method, original, pattern := shortMethod(l.r.Method), "", l.r.Pattern
	duration := slog.Duration(l.names.duration, d)
	if l.openTelemetry {
		if knownMethod(method) != method || method == "OTHER" {
			method, original = "_OTHER", method
		}
		pattern = pathOfPattern(pattern)
		duration = slog.Float64(l.names.duration, d.Seconds())
	}
	path := l.path
	if l.pathOf != nil {
		path = l.pathOf(l.r)
	}
	attrs = append(attrs, slog.String(l.names.method, method))
	attrs = appendText(attrs, "http.request.method_original", original)
	attrs = appendText(attrs, l.names.path, shortURL(path))
	if len(l.queryNames) > 0 {
		attrs = appendText(attrs, l.names.query, shortURL(redactQuery(l.query, l.queryNames)))
	}
	if pattern != "" || !l.openTelemetry {
		attrs = append(attrs, slog.String(l.names.pattern, pattern))
	}
	if status != 0 || !l.openTelemetry {
		attrs = append(attrs, slog.Int(l.names.status, status))
	}
	attrs = append(attrs, slog.Int64(l.names.bytes, l.w.observed().bytes), duration)
	attrs = appendText(attrs, l.names.client, clientOf(l.r))
	attrs = appendText(attrs, l.names.user, user)
	attrs = appendText(attrs, "request_id", l.scope.id)
	if !l.returned {
		attrs = append(attrs, slog.Bool("aborted", true))
	}
	return attrs
}

// appendText appends an attribute unless it is empty.
func appendText(attrs []slog.Attr, key, value string) []slog.Attr {
	if value == "" {
		return attrs
	}
	return append(attrs, slog.String(key, value))
}

// shortMethod returns the beginning of a method, which can be as long as a header.
func shortMethod(method string) string { return method[:min(len(method), 32)] }

// maxURL is the length of the longest path or query that is logged.
const maxURL = 2048

// shortURL returns the beginning of a path or a query.
func shortURL(s string) string { return s[:min(len(s), maxURL)] }

// pathOfPattern returns a pattern without its methods and host.
func pathOfPattern(pattern string) string {
	return pattern[max(strings.IndexByte(pattern, '/'), 0):]
}

// redactQuery returns a query in which the values of parameters that are not in names
// are replaced. A parameter without a value may be a secret itself. One with a semicolon
// may be several, for some programs.
func redactQuery(query string, names []string) string {
	const redacted = "REDACTED"
	var b strings.Builder
	for parameter := range strings.SplitSeq(query, "&") {
		if b.Len() > maxURL {
			break
		}
		if b.Len() > 0 {
			b.WriteByte('&')
		}
		name, value, _ := strings.Cut(parameter, "=")
		bare := strings.Trim(value, "=") == "" // such as Base64 with padding
		switch shown := slices.Contains(names, name); {
		case parameter == "":
		case strings.Contains(parameter, ";"), bare && !shown:
			b.WriteString(redacted)
		case shown:
			b.WriteString(parameter)
		default:
			b.WriteString(name + "=" + redacted)
		}
	}
	return b.String()
}

// clientOf returns the address of a request's client, or "" if it is unknown.
func clientOf(r *http.Request) string {
	var addr netip.Addr
	if known, ok := r.Context().Value(clientIPKey{}).(*netip.Addr); ok {
		addr = *known
	} else {
		addr, _ = clientaddr.Parse(r.RemoteAddr)
	}
	if !addr.IsValid() {
		return ""
	}
	var space [64]byte
	text := addr.AppendTo(space[:0])
	peer := strings.TrimPrefix(r.RemoteAddr, "[") // has the text of most addresses already
	if len(peer) >= len(text) && peer[:len(text)] == string(text) {
		return peer[:len(text)]
	}
	return string(text)
}
