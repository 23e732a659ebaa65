package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/pprof"
	"time"

	"github.com/muxwell/muxwell"
)

// startAdmin serves the profiles of package pprof on a separate listener, unless addr is
// off. It returns a function that stops serving. A request determines how long its profile
// takes, so there is no write timeout.
func startAdmin(ctx context.Context, addr string, stdout io.Writer, logger *slog.Logger) (stop func(), err error) {
	if addr == off {
		return func() {}, nil
	}
	ln, err := listen(ctx, "admin", addr)
	if err != nil {
		return nil, err
	}
	if bound, ok := ln.Addr().(*net.TCPAddr); !ok || !bound.IP.IsLoopback() {
		ln.Close()
		return nil, fmt.Errorf("-admin %s is %v on this machine, which is not a loopback address; -admin off disables it", addr, ln.Addr())
	}
	home := baseURL(addr, ln.Addr()) + "debug/pprof/"
	logger.Info("listening for profiles", "url", home)
	fmt.Fprintf(stdout, "Profiles on %s\n", home)
	srv := &http.Server{
		Handler:           profiles(),
		ReadHeaderTimeout: 5 * time.Second,
		ErrorLog:          slog.NewLogLogger(logger.Handler(), slog.LevelWarn),
	}
	go func() {
		if err := srv.Serve(ln); !errors.Is(err, http.ErrServerClosed) {
			logger.Error("cannot serve profiles any more", "error", err)
		}
	}()
	return func() { srv.Close() }, nil
}

// profiles returns the handler of /debug/pprof.
func profiles() http.Handler {
	m := muxwell.New()
	m.HandleFunc("/debug/pprof/", pprof.Index)
	m.HandleFunc("/debug/pprof/cmdline", pprof.Cmdline)
	m.HandleFunc("/debug/pprof/profile", pprof.Profile)
	m.HandleFunc("/debug/pprof/symbol", pprof.Symbol)
	m.HandleFunc("/debug/pprof/trace", pprof.Trace)
	return m
}
