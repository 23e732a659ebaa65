package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/internal/routelist"
)

// fileHelp is the description of FILE in the help texts of commands.
const fileHelp = "FILE is a list of routes (see muxwell help); - is standard input."

// oneList returns the only operand of a command, the name of a list.
func oneList(operands []string) (file string, err error) {
	switch {
	case len(operands) == 0:
		return "", &usageError{reason: "no route list; pass a FILE, or - for standard input"}
	case len(operands) > 1:
		return "", &usageError{reason: fmt.Sprintf("one list is expected, not %s", strings.Join(operands, " "))}
	}
	return operands[0], nil
}

// loadFile calls load with the list in a file, or in standard input if the file
// is called "-", and its name. It returns early if ctx ends: standard input may be a
// terminal at which nobody types.
func loadFile[T any](ctx context.Context, std stdio, file string, load func(name string, r io.Reader) (T, error)) (T, error) {
	return await(ctx, std.err, "reading the list", func() (none T, err error) {
		if file == "-" {
			return load("<standard input>", std.in)
		}
		f, err := os.Open(file)
		if err != nil {
			return none, err
		}
		defer f.Close()
		return load(file, f)
	})
}

// loadMux returns a mux with the routes of a list. The mux is for analysis and does not
// serve. With an error of type [routelist.Errors] it has the routes of the valid lines.
func loadMux(name string, r io.Reader) (*muxwell.Mux, error) {
	m := muxwell.New()
	return m, routelist.Load(m, name, r, func(routelist.Entry) http.Handler { return http.NotFoundHandler() })
}

// patience is how long something may take before a notice is printed.
const patience = 2 * time.Second

// await returns the result of work, or an error as soon as ctx ends; then work continues
// until the program exits. If work takes longer than patience, await writes once to
// notice what it is doing.
func await[T any](ctx context.Context, notice io.Writer, doing string, work func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		value, err := work()
		done <- result{value, err}
	}()
	slow := time.NewTimer(patience)
	defer slow.Stop()
	for {
		select {
		case r := <-done:
			return r.value, r.err
		case <-slow.C:
			fmt.Fprintf(notice, "muxwell: still %s; press Ctrl-C to stop\n", doing)
		case <-ctx.Done():
			var none T
			return none, fmt.Errorf("interrupted while %s", doing)
		}
	}
}

// A routeRef names a route of a list in JSON.
type routeRef struct {
	Pattern string `json:"pattern"`
	Source  string `json:"source"` // file:line
}

// refTo returns the name of a route, or nil for nil.
func refTo(rt *muxwell.Route) *routeRef {
	if rt == nil {
		return nil
	}
	return &routeRef{rt.Pattern(), rt.Source()}
}

// count returns "1 thing", or the plural for any other number.
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
