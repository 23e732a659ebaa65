// Package sentry reports panics and transactions to Sentry, with
// github.com/getsentry/sentry-go/http.
//
//	err := sentry.Init(sentry.ClientOptions{Dsn: dsn, EnableTracing: true, TracesSampleRate: 0.1})
//	m.Use(middleware.RequestID(nil), middleware.Log(logger, nil), middleware.Recover(logger), report.New())
//
// The transaction of a request is named after its route, "GET /users/{id}", from the start,
// so that [sentry.TracesSampler] can decide by it.
//
// Notes:
//
//   - Use it in the mux and inside of Recover. It reports a panic and passes it on, and
//     Recover answers 500. Outside of Recover, it would see no panic.
//   - Use it inside of Timeout, too: there, the panic has the handler's stack, and the
//     transaction lasts as long as the handler.
//   - The transaction of a request without a route is named after its path, which the
//     client chooses. New gives these one name for each method. The SDK drops those of a
//     404; see TraceIgnoreStatusCodes.
//   - Errors of handlers are no panics. Report them in the mux's ErrorHandler, with
//     sentry.GetHubFromContext(r.Context()). It is nil for what middleware outside
//     rejects, such as Recover's 500, whose panic is reported already.
//   - The SDK sends the URL with the query, and some headers. See the option
//     DataCollection before you send those of users.
//   - Call [sentry.Flush] before the program ends.
package sentry

import (
	"net/http"

	"github.com/getsentry/sentry-go"
	sentryhttp "github.com/getsentry/sentry-go/http"
	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/middleware"
)

// New returns middleware that reports to the current hub, with the tags route and
// request_id.
func New() muxwell.Middleware {
	report := sentryhttp.New(sentryhttp.Options{Repanic: true})
	return func(next http.Handler) http.Handler {
		return report.Handle(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			sentry.GetHubFromContext(r.Context()).Scope().SetTags(map[string]string{
				"route": r.Pattern, "request_id": middleware.RequestIDFrom(r.Context()),
			})
			if span := sentry.TransactionFromContext(r.Context()); span != nil && r.Pattern == "" {
				span.Name, span.Source = r.Method+" without a route", sentry.SourceCustom
			}
			next.ServeHTTP(w, r)
		}))
	}
}
