package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/muxwell/muxwell/routebench/report"
	"github.com/muxwell/muxwell/routebench/result"
)

// The tables of the repository's own benchmarks.

// A reader reads benchmarks for a table, and keeps the first error and the noise.
type reader struct {
	*benchmarks
	source *source
	noise  noise
	err    error
}

func (d *data) reader(name string) (*reader, error) {
	b, err := d.benchmarks(name)
	if err != nil {
		return nil, err
	}
	s, err := sourceNamed(name)
	return &reader{benchmarks: b, source: s}, err
}

// get returns the median of a benchmark in a unit.
func (r *reader) get(name string, cpu int, unit string) float64 {
	x, err := r.median(name, cpu, unit)
	if err != nil {
		if r.err == nil {
			r.err = err
		}
		return 0
	}
	if unit == result.Time {
		r.noise.add(r.rows[rowKey{name, cpu}], unit)
	}
	return x
}

// time returns the time of a benchmark.
func (r *reader) time(name string, cpu int) float64 { return r.get(name, cpu, result.Time) }

// cell returns a time for a table, or that there is none, where not every mux has one.
func (r *reader) cell(name string, cpu int, form func(float64) string) string {
	if r.rows[rowKey{name, cpu}] == nil {
		return "–"
	}
	return form(r.time(name, cpu))
}

// done returns a table with its caption, or the error of what was read for it.
func (r *reader) done(document string, t *table, cpus string) (string, error) {
	return t.with(r.caption(document, r.source, cpus, r.noise)), r.err
}

// muxes are the columns of tables next to http.ServeMux, as benchmarks name them.
var (
	muxes     = []string{"ServeMux", "pathvalue", "value"}
	muxHeads  = []string{"ServeMux", "PathValue", "Params"}
	bothHeads = heads(muxHeads)
)

// heads returns columns for both settings of GOMAXPROCS.
func heads(names []string) []string {
	var out []string
	for _, cpu := range []string{"1", "2"} {
		for _, name := range names {
			out = append(out, name+", "+cpu)
		}
	}
	return out
}

// serveLabels say what is not to be seen from the name of a row.
var serveLabels = map[string]string{
	"GithubAll": "GithubAll (203 requests)", "GPlusAll": "GPlusAll (13 requests)", "ParseAll": "ParseAll (26 requests)",
	"StaticAll": "StaticAll (157 requests)", "Miss": "Miss (404)", "MethodNotAllowed": "MethodNotAllowed (405)",
	"LongPath": "LongPath (8 KB)", "UUID": "UUID (60 bytes)", "UUID2": "UUID2 (103 bytes)", "UUID3": "UUID3 (153 bytes)",
	"GithubREST": "GithubREST (every route of GitHub's API today that ServeMux accepts)", "Escaped": "Escaped (`%2F` in a parameter)", "CatchAll": "CatchAll next to a subtree",
}

// rowsOf returns the values of "row" of a benchmark, in the order of its file.
func (b *benchmarks) rowsOf(benchmark, key string) []string {
	var out []string
	seen := map[string]bool{}
	for _, k := range b.order {
		rest, ok := strings.CutPrefix(k.name, benchmark+"/"+key+"=")
		if !ok {
			continue
		}
		row := rest[:strings.LastIndexByte(rest, '/')]
		if !seen[row] {
			seen[row] = true
			out = append(out, row)
		}
	}
	return out
}

// serveTable returns the rows of the classic benchmark and others, next to ServeMux.
func serveTable(d *data, document string) (string, error) {
	r, err := d.reader("benchmarks")
	if err != nil {
		return "", err
	}
	t := newTable(1, append([]string{"row"}, bothHeads...)...)
	for _, benchmark := range []string{"Serve", "Read"} {
		for _, row := range r.rowsOf(benchmark, "row") {
			label := row
			if l := serveLabels[row]; l != "" {
				label = l
			}
			if benchmark == "Read" {
				label += ", each value read"
			}
			cells := []string{label}
			for _, cpu := range []int{1, 2} {
				base := 0.0
				for _, mux := range muxes {
					ns := r.time(benchmark+"/row="+row+"/mux="+mux, cpu)
					text := report.Nanoseconds(ns)
					if mux == "ServeMux" {
						base = ns
					} else if ns > 0 {
						text += " (" + times(base/ns) + ")"
					}
					cells = append(cells, text)
				}
			}
			t.row(cells...)
		}
	}
	return r.done(document, t, "1 and 2")
}

// times returns how many times as fast something is: 4.1×, 56×.
func times(x float64) string {
	if x < 9.95 {
		return fmt.Sprintf("%.1f×", x)
	}
	return fmt.Sprintf("%.0f×", x)
}

// languageRows are the rows of BenchmarkLanguage with the row that each is compared with.
var languageRows = []struct{ row, base, label string }{
	{"int", "plain", "`{id:int}`"},
	{"alnum", "plain", "`{id:alnum}`"},
	{"function", "plain", "a function of your own, for even lengths"},
	{"regexp=[0-9]+", "plain", "`{id:[0-9]+}`"},
	{"regexp=[a-zA-Z0-9_-]+", "plain", "`{id:[a-zA-Z0-9_-]+}`"},
	{"regexp=[0-9]{8}", "plain", "`{id:[0-9]{8}}`"},
	{"regexp=re2", "plain", "`{id:.*5.*}`, which package regexp matches"},
	{"uuid", "plain-uuid", "`{id:uuid}`, for a UUID"},
	{"regexp=uuid", "plain-uuid", "the same as a regular expression"},
	{"prefix", "plain", "`1{id}`"},
	{"name.ext", "plain-file", "`{name}.{ext}`, for `/files/report.pdf`"},
	{"middle", "plain", "`{path...}/raw/{file}`, for six segments"},
	{"host", "plain", "`{tenant}.example.com`"},
}

// languageTable returns what the pattern language adds to a request.
func languageTable(d *data, document string) (string, error) {
	r, err := d.reader("benchmarks")
	if err != nil {
		return "", err
	}
	t := newTable(1, "segment or host", "ns, 1", "more, 1", "ns, 2", "more, 2")
	name := func(row string) string { return "Language/row=" + row + "/mux=value" }
	plain := []string{"`{id}`"}
	for _, cpu := range []int{1, 2} {
		plain = append(plain, report.Nanoseconds(r.time(name("plain"), cpu)), "")
	}
	t.row(plain...)
	for _, l := range languageRows {
		cells := []string{l.label}
		for _, cpu := range []int{1, 2} {
			ns, base := r.time(name(l.row), cpu), r.time(name(l.base), cpu)
			cells = append(cells, report.Nanoseconds(ns), fmt.Sprintf("%+.0f", ns-base))
		}
		t.row(cells...)
	}
	return r.done(document, t, "1 and 2")
}

// aroundRows are the rows of BenchmarkAround.
var aroundRows = []struct{ row, label string }{
	{"plain", "nothing"},
	{"group", "a group at `/api/v1`"},
	{"mount=mux", "a mounted `Mux`"},
	{"mount=handler", "a mounted handler"},
	{"middleware=1", "one middleware"},
	{"middleware=5", "five of them"},
	{"middleware=5,static", "five around a static route"},
	{"matcher=header", "`Headers`, which matches"},
	{"matcher=missed", "`Headers` of another route, which does not"},
	{"matcher=query", "`Queries` with a constraint"},
	{"matcher=accept", "`Accept`, the second of two routes"},
	{"case=lower", "`CaseInsensitive`, a path without capitals"},
	{"case=upper", "`CaseInsensitive`, a path with capitals"},
	{"404", "404"},
	{"404,middleware=1", "404, one middleware"},
}

// aroundTable returns what is around a match, with allocations in parentheses.
func aroundTable(d *data, document string) (string, error) {
	r, err := d.reader("benchmarks")
	if err != nil {
		return "", err
	}
	t := newTable(1, append([]string{"around the match"}, heads([]string{"Params", "PathValue"})...)...)
	for _, row := range aroundRows {
		cells := []string{row.label}
		for _, cpu := range []int{1, 2} {
			for _, mux := range []string{"value", "pathvalue"} {
				name := "Around/row=" + row.row + "/mux=" + mux
				cells = append(cells, fmt.Sprintf("%s (%.0f)", report.Nanoseconds(r.time(name, cpu)), r.get(name, cpu, result.Allocs)))
			}
		}
		t.row(cells...)
	}
	return r.done(document, t, "1 and 2")
}

// thousands returns the number of routes of a row.
func thousands(n string) string {
	if len(n) > 3 {
		return n[:len(n)-3] + "," + n[len(n)-3:]
	}
	return n
}

// parallelTable returns the time of a request served by one and by two processors.
func parallelTable(d *data, document string) (string, error) {
	r, err := d.reader("benchmarks")
	if err != nil {
		return "", err
	}
	t := newTable(1, append([]string{"requests"}, bothHeads...)...)
	for _, requests := range r.rowsOf("Parallel", "requests") {
		cells := []string{requests}
		for _, cpu := range []int{1, 2} {
			for _, mux := range muxes {
				cells = append(cells, report.Nanoseconds(r.time("Parallel/requests="+requests+"/mux="+mux, cpu)))
			}
		}
		t.row(cells...)
	}
	return r.done(document, t, "1 and 2")
}

// routesTable returns the time of a request by the number of routes.
func routesTable(d *data, document string) (string, error) {
	r, err := d.reader("benchmarks")
	if err != nil {
		return "", err
	}
	t := newTable(1, append([]string{"routes"}, bothHeads...)...)
	for _, n := range r.rowsOf("Scale", "routes") {
		cells := []string{thousands(n)}
		for _, cpu := range []int{1, 2} {
			for _, mux := range muxes {
				cells = append(cells, r.cell("Scale/routes="+n+"/mux="+mux, cpu, report.Nanoseconds))
			}
		}
		t.row(cells...)
	}
	return r.done(document, t, "1 and 2")
}

// buildTable returns what it takes to register routes and serve the first request.
func buildTable(d *data, document string) (string, error) {
	r, err := d.reader("benchmarks")
	if err != nil {
		return "", err
	}
	t := newTable(1, "routes", "ServeMux", "muxwell", "ServeMux, bytes a route", "muxwell, bytes a route")
	for _, n := range r.rowsOf("Build", "routes") {
		name := func(mux string) string { return "Build/routes=" + n + "/mux=" + mux }
		theirs := "–"
		if r.rows[rowKey{name("ServeMux"), 2}] != nil {
			theirs = strconv.Itoa(int(r.get(name("ServeMux"), 2, "B/route")))
		}
		t.row(thousands(n), r.cell(name("ServeMux"), 2, report.Duration), r.cell(name("pathvalue"), 2, report.Duration),
			theirs, strconv.Itoa(int(r.get(name("pathvalue"), 2, "B/route"))))
	}
	return r.done(document, t, "2")
}

// updateRows are the rows of BenchmarkUpdate.
var updateRows = []struct{ row, label string }{
	{"param", "a route with a parameter"},
	{"static", "a static route"},
	{"new", "a route with a new first segment"},
	{"methodless", "a route for all methods"},
	{"regexp", "a route with a regular expression"},
}

// updateTable returns how long a change by Update takes.
func updateTable(d *data, document string) (string, error) {
	r, err := d.reader("benchmarks")
	if err != nil {
		return "", err
	}
	t := newTable(1, "change", "10,000 routes", "slowest of 20", "100,000 routes", "slowest of 20")
	for _, row := range updateRows {
		cells := []string{row.label}
		for _, n := range []string{"10000", "100000"} {
			name := "Update/routes=" + n + "/change=" + row.row
			cells = append(cells, report.Duration(r.time(name, 2)), report.Duration(1e6*r.get(name, 2, "slowest-ms")))
		}
		t.row(cells...)
	}
	return r.done(document, t, "2")
}

// gorillaTable returns gorilla/mux's main branch next to the drop-in.
func gorillaTable(d *data, document string) (string, error) {
	r, err := d.reader("gorilla")
	if err != nil {
		return "", err
	}
	t := newTable(1, "row", "gorilla, 1", "drop-in, 1", "×, 1", "gorilla, 2", "drop-in, 2", "×, 2", "allocations")
	for _, row := range r.rowsOf("Serve", "row") {
		cells := []string{row}
		name := func(mux string) string { return "Serve/row=" + row + "/mux=" + mux }
		for _, cpu := range []int{1, 2} {
			theirs, ours := r.time(name("gorilla"), cpu), r.time(name("muxwell"), cpu)
			cells = append(cells, report.Nanoseconds(theirs), report.Nanoseconds(ours), fmt.Sprintf("%.1f", theirs/ours))
		}
		t.row(append(cells, fmt.Sprintf("%s, %s", plain(r.get(name("gorilla"), 1, result.Allocs)), plain(r.get(name("muxwell"), 1, result.Allocs))))...)
	}
	return r.done(document, t, "1 and 2")
}

// plain returns a whole number.
func plain(x float64) string { return thousands(strconv.Itoa(int(x))) }
