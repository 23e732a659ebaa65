package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/muxwell/muxwell/explorer"

	"github.com/muxwell/muxwell/vet/internal/list"
)

const routesUsage = `Usage: muxwell-vet routes [-format list|json|openapi] [-router FILE:LINE] [-tags TAGS] [packages]

Prints the routes that packages register, by default those of ./..., without running them.
A list can be piped to muxwell check - and muxwell match -. What is not known is a comment.

Flags:

`

// formats are the ways to print routes.
var formats = map[string]func(io.Writer, []list.Route) error{
	"list":    printList,
	"json":    printJSON,
	"openapi": printOpenAPI,
}

// routes runs the command routes.
func routes(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("routes", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	format := flags.String("format", "list", "print a `FORMAT`: list, json or openapi")
	router := flags.String("router", "", "print only the routes of the router made at `FILE:LINE`, as in the list's comments")
	tags := flags.String("tags", "", "build `TAGS`, separated by commas")
	tests := flags.Bool("tests", false, "print routes of _test.go files too")
	err := flags.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(stdout, routesUsage)
		flags.SetOutput(stdout)
		flags.PrintDefaults()
		return 0
	case err != nil:
		return usage(stderr, err)
	case formats[*format] == nil:
		return usage(stderr, fmt.Errorf("unknown format %q; formats are list, json and openapi", *format))
	}
	var out, messages bytes.Buffer
	vetArgs := []string{"-json", "-routelist", "-routelist.json", fmt.Sprintf("-routelist.tests=%v", *tests)}
	if *tags != "" {
		vetArgs = append(vetArgs, "-tags="+*tags)
	}
	status := goVet(ctx, append(vetArgs, packages(flags.Args())...), &out, &messages)
	found, err := parse(&out)
	if err == nil && status != 0 && len(found) == 0 {
		err = errors.New("go vet failed")
	}
	if err != nil {
		stderr.Write(messages.Bytes())
		fmt.Fprintln(stderr, "muxwell-vet routes:", err)
		return 1
	}
	if status != 0 {
		stderr.Write(messages.Bytes()) // some packages could not be loaded
	}
	if *router != "" {
		found = slices.DeleteFunc(found, func(r list.Route) bool { return r.RouterAt != *router })
	}
	if err := formats[*format](stdout, found); err != nil {
		fmt.Fprintln(stderr, "muxwell-vet routes:", err)
		return 1
	}
	return status
}

// parse returns the routes in the JSON that go vet prints, sorted by their routers and their
// places, with names of files relative to the working directory.
func parse(r io.Reader) ([]list.Route, error) {
	wd, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	short := func(name string) string {
		if rel, err := filepath.Rel(wd, name); err == nil && !strings.HasPrefix(rel, "..") {
			return rel
		}
		return name
	}
	var all []list.Route
	seen := make(map[string]bool)
	for d := json.NewDecoder(r); ; {
		var packages map[string]map[string]json.RawMessage
		if err := d.Decode(&packages); err == io.EOF {
			break
		} else if err != nil {
			return nil, fmt.Errorf("unexpected output of go vet: %w", err)
		}
		for _, analyzers := range packages {
			var diagnostics []struct{ Message string }
			if json.Unmarshal(analyzers["routelist"], &diagnostics) != nil {
				continue // an error
			}
			for _, diagnostic := range diagnostics {
				var rt list.Route
				if err := json.Unmarshal([]byte(diagnostic.Message), &rt); err != nil {
					return nil, err
				}
				rt.Source, rt.RouterAt = short(rt.Source), short(rt.RouterAt)
				if k := fmt.Sprint(rt.Source, rt.Column, rt.Pattern, rt.Unknown, rt.RouterAt); !seen[k] {
					seen[k] = true
					all = append(all, rt)
				}
			}
		}
	}
	slices.SortStableFunc(all, func(a, b list.Route) int {
		if c := strings.Compare(a.Package+"\x00"+a.RouterAt, b.Package+"\x00"+b.RouterAt); c != 0 {
			return c
		}
		return compareSources(a, b)
	})
	return all, nil
}

func compareSources(a, b list.Route) int {
	fileA, lineA := splitSource(a.Source)
	fileB, lineB := splitSource(b.Source)
	if c := strings.Compare(fileA, fileB); c != 0 {
		return c
	}
	if lineA != lineB {
		return lineA - lineB
	}
	return a.Column - b.Column
}

func splitSource(source string) (file string, line int) {
	i := strings.LastIndexByte(source, ':')
	line, _ = strconv.Atoi(source[i+1:])
	return source[:max(i, 0)], line
}

// printList prints a route list. The routes of each router follow a comment with its place.
func printList(w io.Writer, routes []list.Route) error {
	var b strings.Builder
	router := ""
	for _, r := range routes {
		if at := r.Package + " " + r.RouterAt; at != router {
			router = at
			fmt.Fprintf(&b, "# %s, %s %s\n", r.Package, r.Router, r.RouterAt)
		}
		if r.Unknown != "" {
			fmt.Fprintf(&b, "# %s: %s\n", r.Source, oneLine(r.Unknown))
			continue
		}
		about := append([]string{r.Source}, r.Handler)
		if len(r.Middleware) > 0 {
			about = append(about, "in "+strings.Join(r.Middleware, ", "))
		}
		fmt.Fprintf(&b, "%-40s # %s\n", r.Pattern, oneLine(strings.Join(slices.DeleteFunc(about, func(s string) bool { return s == "" }), " ")))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// oneLine makes a text fit in a comment.
func oneLine(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r < ' ' }), " ")
}

func printJSON(w io.Writer, routes []list.Route) error {
	if routes == nil {
		routes = []list.Route{}
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "\t")
	return e.Encode(routes)
}

// printOpenAPI prints the skeleton of an OpenAPI description that package explorer makes.
func printOpenAPI(w io.Writer, routes []list.Route) error {
	m := list.Mux(routes)
	rec := httptest.NewRecorder()
	explorer.Handler(m).ServeHTTP(rec, httptest.NewRequest(http.MethodGet, "/openapi.json", nil))
	if rec.Code != http.StatusOK {
		return fmt.Errorf("the explorer answered %d", rec.Code)
	}
	_, err := io.Copy(w, rec.Body)
	return err
}
