package middleware

import (
	"context"
	"log/slog"
	"slices"
)

// LogHandlerOptions are the options of [LogHandler].
type LogHandlerOptions struct {
	// TraceID returns the trace ID for a context, or "". If it is nil, it is
	// [TraceIDFrom], which needs the option TraceParent of [RequestID]. With
	// OpenTelemetry it is
	//
	//	func(ctx context.Context) string {
	//		if span := trace.SpanContextFromContext(ctx); span.HasTraceID() {
	//			return span.TraceID().String()
	//		}
	//		return ""
	//	},
	TraceID func(ctx context.Context) string
	// OpenTelemetry names the pattern http.route, and leaves out its methods and host,
	// as the option of [Log] does.
	OpenTelemetry bool
}

// LogHandler returns a handler that adds IDs and pattern of a request to each record that
// is logged with the request's context, and passes the record to h:
//
//	logger := slog.New(middleware.LogHandler(slog.NewJSONHandler(os.Stderr, nil), nil))
//	logger.InfoContext(r.Context(), "saved") // … "msg":"saved","request_id":"…","trace_id":"…","pattern":"GET /users/{id}"
//
// request_id is that of [RequestID]. trace_id is what the option TraceID returns. pattern
// is known if RequestID or [Log] is inside of the mux. Attributes that are unknown, or
// whose key the record already has, are not added. They are always at the top level, not
// in the groups of [slog.Logger.WithGroup]. A record logged without a request's context is
// passed on unchanged.
//
// The handler is safe for concurrent use if h is, also in goroutines that continue after
// the request. Unless a group is open, it allocates nothing but the space for attributes
// after the fifth, as [slog.Record.AddAttrs] does. Do not pass LogHandler the handler of
// [slog.Default] and then set the result as the default: the two would wait for each
// other. o may be nil. LogHandler panics if h is nil.
func LogHandler(h slog.Handler, o *LogHandlerOptions) slog.Handler {
	if h == nil {
		panic("middleware: LogHandler: nil handler; pass one, such as slog.NewJSONHandler returns")
	}
	if o == nil {
		o = &LogHandlerOptions{}
	}
	return &logHandler{next: h, top: h, traceID: o.TraceID, openTelemetry: o.OpenTelemetry}
}

// A logHandler keeps open groups: an attribute for the top level must come before them.
type logHandler struct {
	next          slog.Handler // has all attributes and groups
	top           slog.Handler // has the attributes before the first group
	groups        []logGroup   // the open ones, from the outermost
	traceID       func(context.Context) string
	openTelemetry bool
}

// A logGroup is an open group and the attributes that were added to it before records.
type logGroup struct {
	name  string
	attrs []slog.Attr
}

func (h *logHandler) Enabled(ctx context.Context, level slog.Level) bool {
	return h.next.Enabled(ctx, level)
}

func (h *logHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	if len(attrs) == 0 {
		return h
	}
	with := *h
	with.next = h.next.WithAttrs(attrs)
	if len(h.groups) == 0 {
		with.top = with.next
		return &with
	}
	with.groups = slices.Clone(h.groups)
	last := &with.groups[len(with.groups)-1]
	last.attrs = slices.Concat(last.attrs, attrs)
	return &with
}

func (h *logHandler) WithGroup(name string) slog.Handler {
	if name == "" {
		return h
	}
	with := *h
	with.next = h.next.WithGroup(name)
	with.groups = append(slices.Clip(h.groups), logGroup{name: name})
	return &with
}

func (h *logHandler) Handle(ctx context.Context, record slog.Record) error {
	var space [3]slog.Attr
	added := h.appendAttrs(space[:0], ctx)
	switch {
	case len(added) == 0:
		return h.next.Handle(ctx, record)
	case len(h.groups) > 0:
		record = h.grouped(record)
	default:
		record = record.Clone()
		added = slices.DeleteFunc(added, func(a slog.Attr) bool { return hasKey(record, a.Key) })
	}
	record.AddAttrs(added...)
	return h.top.Handle(ctx, record)
}

// appendAttrs appends what is known about the request.
func (h *logHandler) appendAttrs(attrs []slog.Attr, ctx context.Context) []slog.Attr {
	id, traceID, key, pattern := "", "", "pattern", ""
	if s := scopeOf(ctx); s != nil {
		id, traceID, pattern = s.id, s.traceID, s.pattern
	}
	if h.traceID != nil {
		traceID = h.traceID(ctx)
	}
	if h.openTelemetry {
		key, pattern = openTelemetryLogNames.pattern, pathOfPattern(pattern)
	}
	attrs = appendText(attrs, "request_id", id)
	attrs = appendText(attrs, "trace_id", traceID)
	return appendText(attrs, key, pattern)
}

// hasKey reports whether a record has an attribute, at the top level.
func hasKey(record slog.Record, key string) (found bool) {
	record.Attrs(func(a slog.Attr) bool {
		found = a.Key == key
		return !found
	})
	return found
}

// grouped returns a record for the top level, with the open groups and what is in them.
func (h *logHandler) grouped(record slog.Record) slog.Record {
	attrs := make([]slog.Attr, 0, record.NumAttrs())
	record.Attrs(func(a slog.Attr) bool {
		attrs = append(attrs, a)
		return true
	})
	for _, g := range slices.Backward(h.groups) {
		attrs = []slog.Attr{{Key: g.name, Value: slog.GroupValue(slices.Concat(g.attrs, attrs)...)}}
	}
	top := slog.NewRecord(record.Time, record.Level, record.Message, record.PC)
	top.AddAttrs(attrs...)
	return top
}
