package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/muxwell/muxwell/similarity/service"
)

// maxHeader is about how many bytes a request's header may have.
const maxHeader = 64 << 10

// serveCommand reads the flags, listens, and serves until ctx ends.
func serveCommand(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	o, err := parse(args, stdout)
	if err != nil {
		return err
	}
	ln, err := listen(ctx, "addr", o.addr)
	if err != nil {
		return err
	}
	defer ln.Close()
	logger := slog.New(slog.NewJSONHandler(stderr, &slog.HandlerOptions{Level: slog.Level(o.logLevel)}))
	s := service.New(service.Config{MaxBody: int(o.maxBody), MaxInFlight: o.maxInFlight, Logger: logger})
	home := baseURL(o.addr, ln.Addr())
	logger.Info("listening", "url", home)
	fmt.Fprintf(stdout, "Listening on %s\n", home)
	stopAdmin, err := startAdmin(ctx, o.admin, stdout, logger)
	if err != nil {
		return err
	}
	defer stopAdmin()
	fmt.Fprintln(stdout, "Press Ctrl-C to stop")
	return o.serveUntil(ctx, ln, s, stdout, logger)
}

// listen listens on the address that a flag has.
func listen(ctx context.Context, name, addr string) (net.Listener, error) {
	ln, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("%w; choose another address with -%s, such as -%[2]s localhost:0 for any free port", err, name)
	}
	return ln, nil
}

// baseURL returns the URL of a listener for addr. It has the host of addr, or localhost if
// addr has none, and the port of the listener.
func baseURL(addr string, bound net.Addr) string {
	host, _, _ := net.SplitHostPort(addr)
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "localhost"
	}
	_, port, _ := net.SplitHostPort(bound.String())
	u := url.URL{Scheme: "http", Host: net.JoinHostPort(host, port), Path: "/"}
	return u.String()
}

// newServer returns the server with its timeouts for slow and lost clients.
func (o *options) newServer(h http.Handler, logger *slog.Logger) *http.Server {
	return &http.Server{
		Handler:           h,
		ReadHeaderTimeout: o.readHeaderTimeout,
		ReadTimeout:       o.readTimeout,
		WriteTimeout:      o.writeTimeout,
		IdleTimeout:       o.idleTimeout,
		MaxHeaderBytes:    maxHeader,
		ErrorLog:          slog.NewLogLogger(logger.Handler(), slog.LevelWarn),
	}
}

// serveUntil serves on ln until ctx ends. Then it continues for the delay, while GET
// /readyz returns 503. After that it accepts no more connections, and returns when the
// requests in flight are answered. It cuts off requests that exceed the timeout, and
// returns an error for them. It closes ln.
func (o *options) serveUntil(ctx context.Context, ln net.Listener, s *service.Service, stdout io.Writer, logger *slog.Logger) error {
	srv := o.newServer(s, logger)
	served := make(chan error, 1)
	go func() { served <- srv.Serve(ln) }()
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
	}
	logger.Info("stopping", "delay", o.shutdownDelay, "timeout", o.shutdownTimeout)
	fmt.Fprintln(stdout, "Stopping; press Ctrl-C again to stop immediately")
	s.Drain()
	select {
	case err := <-served:
		return err
	case <-time.After(o.shutdownDelay):
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), o.shutdownTimeout)
	defer cancel()
	if err := srv.Shutdown(last); err != nil {
		srv.Close()
		return fmt.Errorf("requests that were not answered within %v were cut off; -shutdown-timeout sets the time", o.shutdownTimeout)
	}
	logger.Info("stopped")
	return nil
}
