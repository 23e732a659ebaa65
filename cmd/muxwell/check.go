package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/internal/routelist"
)

const checkLong = `
It prints the errors of the list, with their lines, on standard error. It
compares the routes of the other lines with each other, and prints

  - a warning for each pattern in the syntax of another router, such as
    /users/:id, /files/*, /<int:id> or get /x, which is literal text or a method
    of its own, with the pattern to write instead; to keep the literal text
    escape its first byte, as in /users/%3Aid;
  - the overlaps: routes that match the same request, and the rule by which one
    of them wins. Without -all it prints only those in which each route matches
    requests that the other does not, which http.ServeMux rejects;
  - the unreachable routes, since other routes match all of their requests, and
    those that may be unreachable;
  - a summary line.

` + fileHelp + `
Routes are compared if their hosts are the same. The time may grow with the
square of their number.

With -json it prints an object with these members, and nothing else:

  file, routes   the list, and the number of routes that were compared
  errors         line, column, text and reason of each error, and other, the
                 line with which it conflicts; a missing number is 0, a missing
                 text ""
  overlaps       all of them: first, which wins over second, the rule, whether
                 they are crossing, and method, host and path of a request that
                 both match; path is "" if none was found
  unreachable    each route for which no request was found, by, the route that
                 matches all of its requests, or null, and the reason why none
                 reaches it, or "" if the route may be reachable
  suspicious     line and column of each warning, the route, the reason, and the
                 pattern to write instead, or "" if no valid one is equivalent

It exits with 1 if the list has an error or an unreachable route, and with 0
otherwise. Warnings do not change that.`

func checkCommand() command {
	return command{
		name:     "check",
		operands: "FILE",
		short:    "find errors in a list: invalid patterns, routes that overlap or are unreachable",
		long:     checkLong,
		setup: func(fs *flag.FlagSet) runner {
			asJSON := fs.Bool("json", false, "print JSON")
			all := fs.Bool("all", false, "also print the overlaps in which one route is more specific")
			return func(ctx context.Context, std stdio, operands []string) error {
				return check(ctx, std, *asJSON, *all, operands)
			}
		},
	}
}

// check checks its arguments, loads the list, compares its routes and prints
// the findings.
func check(ctx context.Context, std stdio, asJSON, all bool, operands []string) error {
	file, err := oneList(operands)
	if err != nil {
		return err
	}
	l, err := loadFile(ctx, std, file, loadChecked)
	if err != nil {
		return err
	}
	if !asJSON {
		for _, fault := range l.faults {
			fmt.Fprintln(std.err, printable(fault.Error()))
		}
	}
	compare := func() (*muxwell.Report, error) { return l.mux.Check(), nil }
	if l.report, err = await(ctx, std.err, "comparing "+count(l.routes, "route"), compare); err != nil {
		return err
	}
	out := bufio.NewWriter(std.out)
	defer out.Flush()
	if asJSON {
		printJSON(out, l.json())
	} else if err := l.print(ctx, out, all); err != nil {
		return err
	}
	if len(l.faults) > 0 || l.lost() > 0 {
		return errSaid
	}
	return nil
}

// A checked is a list with the findings about it.
type checked struct {
	name   string
	mux    *muxwell.Mux
	routes int
	faults routelist.Errors
	report *muxwell.Report
}

// loadChecked returns the list that r reads, before its routes are compared. Its
// errors are not an error of the call.
func loadChecked(name string, r io.Reader) (*checked, error) {
	m, err := loadMux(name, r)
	l := &checked{name: name, mux: m}
	l.faults, _ = errors.AsType[routelist.Errors](err)
	for range m.Routes() {
		l.routes++
	}
	return l, nil
}

// crossing returns the number of overlaps in which neither route is more
// specific.
func (l *checked) crossing() (n int) {
	for _, o := range l.report.Overlaps {
		if o.Crossing {
			n++
		}
	}
	return n
}

// lost returns the number of routes that are known to be unreachable.
func (l *checked) lost() (n int) {
	for _, u := range l.report.Unreachable {
		if u.Reason != "" {
			n++
		}
	}
	return n
}

// warning returns what is suspicious about a route, with its place in the list.
func (l *checked) warning(s muxwell.Suspicious) *routelist.Error {
	e, _ := routelist.EntryOf(s.Route)
	return &routelist.Error{File: l.name, Line: e.Line, Column: e.Column + s.Offset, Text: e.Text, Reason: "warning: " + s.Reason}
}

// print prints the findings, with all overlaps or only the crossing ones. It stops early
// with an error if ctx ends: there may be millions.
func (l *checked) print(ctx context.Context, w io.Writer, all bool) error {
	for _, s := range l.report.Suspicious {
		fmt.Fprintln(w, printable(l.warning(s).Error()))
	}
	for _, o := range l.report.Overlaps {
		if ctx.Err() != nil {
			return errors.New("interrupted while printing the overlaps")
		}
		if all || o.Crossing {
			fmt.Fprintln(w, printable(o.String()))
		}
	}
	crossing := l.crossing()
	others := len(l.report.Overlaps) - crossing
	if others > 0 && !all {
		fmt.Fprintf(w, "%s not shown, in which one route is more specific; -all prints all\n", count(others, "overlap"))
	}
	for _, u := range l.report.Unreachable {
		fmt.Fprintln(w, printable(u.String()))
	}
	lost, warnings := l.lost(), ""
	if n := len(l.report.Suspicious); n > 0 {
		warnings = ", " + count(n, "warning")
	}
	fmt.Fprintf(w, "%s: %s, %s, %s and %s, %s, %d unknown%s\n", printable(l.name),
		count(l.routes, "route"), count(len(l.faults), "error"), count(crossing, "crossing overlap"), count(others, "other"),
		count(lost, "unreachable route"), len(l.report.Unreachable)-lost, warnings)
	return nil
}

// checkJSON is a checked as JSON.
type checkJSON struct {
	File        string            `json:"file"`
	Routes      int               `json:"routes"`
	Errors      []faultJSON       `json:"errors"`
	Overlaps    []overlapJSON     `json:"overlaps"`
	Unreachable []unreachableJSON `json:"unreachable"`
	Suspicious  []suspiciousJSON  `json:"suspicious"`
}

type faultJSON struct {
	Line   int    `json:"line"`
	Column int    `json:"column"`
	Text   string `json:"text"`
	Reason string `json:"reason"`
	Other  int    `json:"other"`
}

type overlapJSON struct {
	First    *routeRef `json:"first"`
	Second   *routeRef `json:"second"`
	Rule     string    `json:"rule"`
	Crossing bool      `json:"crossing"`
	Method   string    `json:"method"`
	Host     string    `json:"host"`
	Path     string    `json:"path"`
}

type unreachableJSON struct {
	Route  *routeRef `json:"route"`
	By     *routeRef `json:"by"`
	Reason string    `json:"reason"`
}

type suspiciousJSON struct {
	Line    int       `json:"line"`
	Column  int       `json:"column"`
	Route   *routeRef `json:"route"`
	Reason  string    `json:"reason"`
	Instead string    `json:"instead"`
}

func (l *checked) json() checkJSON {
	j := checkJSON{
		File: l.name, Routes: l.routes, Errors: []faultJSON{}, Overlaps: []overlapJSON{}, Unreachable: []unreachableJSON{}, Suspicious: []suspiciousJSON{},
	}
	for _, e := range l.faults {
		fault := faultJSON{Line: e.Line, Column: e.Column, Text: e.Text, Reason: e.Reason}
		if e.Other != nil {
			fault.Other = e.Other.Line
		}
		j.Errors = append(j.Errors, fault)
	}
	for _, o := range l.report.Overlaps {
		j.Overlaps = append(j.Overlaps, overlapJSON{refTo(o.First), refTo(o.Second), o.Rule, o.Crossing, o.Method, o.Host, o.Path})
	}
	for _, u := range l.report.Unreachable {
		j.Unreachable = append(j.Unreachable, unreachableJSON{refTo(u.Route), refTo(u.By), u.Reason})
	}
	for _, s := range l.report.Suspicious {
		at := l.warning(s)
		j.Suspicious = append(j.Suspicious, suspiciousJSON{at.Line, at.Column, refTo(s.Route), s.Reason, s.Instead})
	}
	return j
}
