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

// maxHeader is how many bytes a request's header may have, about.
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
		return nil, fmt.Errorf("%w; choose another address with -%s, as in -%[2]s localhost:0 for any free port", err, name)
	}
	return ln, nil
}

// baseURL returns the URL of a listener that was asked for addr: with the host of addr,
// or localhost where that is none, and the port there really is.
func baseURL(addr string, bound net.Addr) string {
	host, _, _ := net.SplitHostPort(addr)
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "localhost"
	}
	_, port, _ := net.SplitHostPort(bound.String())
	u := url.URL{Scheme: "http", Host: net.JoinHostPort(host, port), Path: "/"}
	return u.String()
}

// newServer returns the server with its limits for clients that are slow or gone.
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

// serveUntil serves on ln until ctx ends. Then it goes on for the delay, in which
// GET /readyz says 503; takes no more connections; and returns when the requests in
// flight are answered. Those that outlast the timeout are cut off, which is an error.
// It closes ln.
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
	fmt.Fprintln(stdout, "Stopping; press Ctrl-C again to stop at once")
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
		return fmt.Errorf("requests that were not answered %v after the end began were cut off; -shutdown-timeout sets the time", o.shutdownTimeout)
	}
	logger.Info("stopped")
	return nil
}
