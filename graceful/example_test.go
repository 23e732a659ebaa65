package graceful_test

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/muxwell/muxwell/graceful"
)

func ExampleServe() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the program immediately

	mux := http.NewServeMux()
	mux.HandleFunc("GET /readyz", graceful.Ready)
	server := &http.Server{Addr: "localhost:8080", Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	if err := graceful.Serve(ctx, server, server.ListenAndServe, &graceful.Options{Drain: 5 * time.Second}); err != nil {
		log.Fatal(err)
	}
}

func ExampleStream() {
	http.HandleFunc("GET /ticks", func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := graceful.Stream(r.Context())
		defer cancel()
		w.Header().Set("Content-Type", "text/event-stream")
		c := http.NewResponseController(w)
		tick := time.NewTicker(time.Second)
		defer tick.Stop()
		for ctx.Err() == nil {
			fmt.Fprint(w, "data: tick\n\n")
			if err := c.Flush(); err != nil {
				return
			}
			select {
			case <-tick.C:
			case <-ctx.Done(): // the client has left, or the server shuts down
			}
		}
	})
}
