// Command names prints what Route.Middleware calls middleware that is made in many
// ways: a line FORM NAME each. The form of package middleware's begins with the name
// that is right.
package main

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"time"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/middleware"
	"github.com/muxwell/muxwell/middleware/testdata/names/own"
)

type wrapper = func(http.Handler) http.Handler

// show prints the name of middleware.
func show(form string, mw wrapper) {
	m := muxwell.New()
	m.Use(mw)
	rt, err := m.Add("/", http.NotFoundHandler())
	if err != nil {
		panic(err)
	}
	fmt.Printf("%s %s\n", form, rt.Middleware()[0])
}

var (
	logger  = slog.New(slog.DiscardHandler)
	trusted = netip.MustParsePrefix("10.0.0.0/8")

	variable        = middleware.Log(logger, nil)
	variableLiteral = func() wrapper { return middleware.Recover(logger) }()
	initialized     wrapper
)

func init() { initialized = middleware.Metrics(func(middleware.Measure) {}) }

func main() {
	newMux()
	inLiterals()
	generic[map[string]http.Handler]("map")
	generic[int]("int")
	(&app{}).pointer()
	app{}.value()
	show("Log-variable", variable)
	show("Recover-variable", variableLiteral)
	show("Metrics-init", initialized)
	show("Log-wrapped", log(logger))
	ownMiddleware()
}

// newMux calls each function of the package.
func newMux() {
	show("BasicAuth", middleware.BasicAuth("site", middleware.Users(map[string]string{"a": "b"})))
	show("BearerAuth", middleware.BearerAuth("site", middleware.Tokens(map[string]string{"a": "b"})))
	show("Canonical", middleware.Canonical("https://www.example.com", nil))
	show("ClientIP", middleware.ClientIP(middleware.FromXForwardedFor(trusted)))
	show("Deadline", middleware.Deadline(time.Second))
	show("Deprecated", middleware.Deprecated(time.Unix(0, 0), nil))
	show("ETag", middleware.ETag(nil))
	show("Log", middleware.Log(logger, nil))
	show("MaxBytes", middleware.MaxBytes(1))
	show("MethodOverride", middleware.MethodOverride)
	show("Metrics", middleware.Metrics(func(middleware.Measure) {}))
	show("NoCache", middleware.NoCache)
	show("NoMaxBytes", middleware.NoMaxBytes)
	show("NoRateLimit", middleware.NoRateLimit)
	show("NoThrottle", middleware.NoThrottle)
	show("NoTimeout", middleware.NoTimeout)
	show("RateLimit", middleware.RateLimit(1, time.Second, &middleware.RateLimitOptions{Key: func(*http.Request) string { return "" }}))
	show("Recover", middleware.Recover(logger))
	show("RequestID", middleware.RequestID(nil))
	show("SecureHeaders", middleware.SecureHeaders(nil))
	show("Throttle", middleware.Throttle(1, nil))
	show("Timeout", middleware.Timeout(time.Second))
}

// inLiterals calls those that are inlined within function literals of all kinds.
func inLiterals() {
	func() { show("Log-literal", middleware.Log(logger, nil)) }()
	for range func(yield func() bool) { yield() } {
		show("Recover-range", middleware.Recover(logger))
	}
	defer func() { show("ClientIP-deferred", middleware.ClientIP(middleware.FromRemoteAddr())) }()
	done := make(chan bool)
	go func() {
		show("Metrics-goroutine", middleware.Metrics(func(middleware.Measure) {}))
		done <- true
	}()
	<-done
	f := func() wrapper { return middleware.NoCache }
	show("NoCache-literal", f())
}

func generic[T any](name string) {
	var t T
	_ = any(t)
	show("Log-generic-"+name, middleware.Log(logger, nil))
	func() { show("Recover-generic-"+name, middleware.Recover(logger)) }()
}

type app struct{}

func (a *app) pointer() {
	show("Log-pointer", middleware.Log(logger, nil))
	func() { show("Recover-pointer", middleware.Recover(logger)) }()
}

func (a app) value() {
	show("Log-value", middleware.Log(logger, nil))
	show("Log-value-returned", a.log())
}

func (a app) log() wrapper { return middleware.Log(logger, nil) }

// log returns middleware that another function has made, whose name counts.
func log(l *slog.Logger) wrapper { return middleware.Log(l, nil) }

// ownMiddleware shows that of others.
func ownMiddleware() {
	t := new(own.T)
	show("own-plain", own.Plain)
	show("own-literal", own.Logged())
	show("own-generic", own.LoggedOf[http.Header]())
	show("own-method", t.Wrap)
	show("own-value-method", t.WrapValue)
	show("own-interface-method", wrapping(t).Wrap)
	show("own-of-method", t.Logged())
	show("own-here", func(next http.Handler) http.Handler { return next })
}

type wrapping interface {
	Wrap(next http.Handler) http.Handler
}
