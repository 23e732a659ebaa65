package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/muxwell/muxwell/routebench/report"
	"github.com/muxwell/muxwell/routebench/result"
)

// The tables of runs of routebench.

// speedNoise returns the noise of the times of scenarios at some GOMAXPROCS.
func speedNoise(scenarios []*result.Scenario, cpus ...int) noise {
	var n noise
	for _, s := range scenarios {
		for i := range s.Rows {
			if r := &s.Rows[i]; r.Router != result.Floor && slices.Contains(cpus, r.CPU) {
				n.add(r, result.Time)
			}
		}
	}
	return n
}

// ratioOf returns the ratio of a router for a table.
func ratioOf(all []report.Score, router string) string {
	for _, s := range all {
		if s.Router == router {
			if s.Best {
				return "**" + report.Ratio(s.Ratio) + "**"
			}
			return report.Ratio(s.Ratio)
		}
	}
	return "–"
}

// readmeRows are the scenarios, readmeRouters the columns of the table in README.md.
// Scenarios that a run does not have are left out.
var (
	readmeRows    = []string{"GithubAll", "GithubStatic", "ParamWrite", "Middleware1", "Middleware5", "UUID2"}
	readmeRouters = []string{"muxwell-value", "muxwell", "gin", "httprouter", "echo", "chi", "ServeMux", "gorilla"}
	titles        = map[string]string{"muxwell-value": "muxwell, value handlers", "muxwell": "muxwell, `PathValue`"}
)

// title returns a router as the head of a column.
func title(router string) string {
	if t := titles[router]; t != "" {
		return t
	}
	return router
}

// readmeTable returns the table of README.md: both settings of GOMAXPROCS in each cell.
func readmeTable(d *data, document string) (string, error) {
	run, err := d.run("classic")
	if err != nil {
		return "", err
	}
	scenarios := report.Scenarios(run, "classic")
	all := slices.Concat(scenarios, report.Scenarios(run, "today"))
	t := newTable(1, append([]string{"scenario"}, mapped(readmeRouters, title)...)...)
	both := func(one, two []report.Score) []string {
		return mapped(readmeRouters, func(router string) string { return ratioOf(one, router) + " / " + ratioOf(two, router) })
	}
	for _, name := range readmeRows {
		if i := slices.IndexFunc(all, func(s *result.Scenario) bool { return s.Name == name }); i >= 0 {
			t.row(append([]string{name}, both(report.Scores(all[i], 1), report.Scores(all[i], 2))...)...)
		}
	}
	means := report.MeanScores(scenarios, 1)
	t.row(append([]string{"geometric mean"}, both(means, report.MeanScores(scenarios, 2))...)...)
	var others []string
	for _, m := range means {
		if !slices.Contains(readmeRouters, m.Router) {
			others = append(others, m.Router)
		}
	}
	caption, err := d.caption(document, "classic", "1 and 2", speedNoise(all, 1, 2))
	if err != nil {
		return "", err
	}
	return wrap(fmt.Sprintf("Each cell is the time relative to the fastest router, at GOMAXPROCS=1 / GOMAXPROCS=2. "+
		"Bold means no significant difference from the fastest (5%% level). "+
		"The mean is over the %d classic scenarios. The run also measured %s.",
		len(scenarios), strings.Join(others, " and "))) + "\n\n" + t.with(caption), nil
}

// mapped returns f of each of some texts.
func mapped(texts []string, f func(string) string) []string {
	var out []string
	for _, s := range texts {
		out = append(out, f(s))
	}
	return out
}

// classicTable returns the ratios of all classic scenarios at one GOMAXPROCS and their
// geometric mean. Below it are the scenarios of the suite today, if the run has them.
func classicTable(d *data, document string, cpu int) (string, error) {
	run, err := d.run("classic")
	if err != nil {
		return "", err
	}
	scenarios, today := report.Scenarios(run, "classic"), report.Scenarios(run, "today")
	means := report.MeanScores(scenarios, cpu)
	var names []string
	for _, m := range means {
		names = append(names, m.Router)
	}
	t := newTable(1, append([]string{"scenario", "fastest, ns"}, names...)...)
	row := func(s *result.Scenario) {
		all := report.Scores(s, cpu)
		t.row(append([]string{s.Name, report.Nanoseconds(all[0].Time)}, mapped(names, func(r string) string { return ratioOf(all, r) })...)...)
	}
	for _, s := range scenarios {
		row(s)
	}
	t.row(append([]string{"geometric mean", ""}, mapped(names, func(r string) string { return ratioOf(means, r) })...)...)
	for _, s := range today {
		row(s)
	}
	caption, err := d.caption(document, "classic", fmt.Sprint(cpu), speedNoise(slices.Concat(scenarios, today), cpu))
	if err != nil {
		return "", err
	}
	if len(today) == 0 {
		return t.with(caption), nil
	}
	return t.with(wrap(fmt.Sprintf("The geometric mean is over the %d scenarios above it, which are those of the classic benchmark.", len(scenarios))), caption), nil
}

// allTable returns the means of all routers over the classic scenarios that they answer.
func allTable(d *data, document string) (string, error) {
	run, err := d.run("all")
	if err != nil {
		return "", err
	}
	scenarios := report.Scenarios(run, "classic")
	one, two := report.MeanScores(scenarios, 1), report.MeanScores(scenarios, 2)
	t := newTable(1, "router", "GOMAXPROCS=1", "GOMAXPROCS=2")
	for _, s := range one {
		t.row(s.Router, ratioOf(one, s.Router), ratioOf(two, s.Router))
	}
	caption, err := d.caption(document, "all", "1 and 2", speedNoise(scenarios, 1, 2))
	if err != nil {
		return "", err
	}
	var missing []string
	for _, r := range run.Routers {
		inMeans := slices.ContainsFunc(one, func(s report.Score) bool { return s.Router == r.Name })
		measured := slices.ContainsFunc(scenarios, func(s *result.Scenario) bool { return s.Row(r.Name, 1) != nil })
		if measured && !inMeans {
			missing = append(missing, r.Name)
		}
	}
	_, count := report.Means(scenarios, 1)
	notes := fmt.Sprintf("The mean is over the %d of %d scenarios for which all of these routers answer every request.", count, len(scenarios))
	if count == len(scenarios) {
		notes = fmt.Sprintf("The mean is over all %d scenarios.", count)
	}
	if len(missing) > 0 {
		notes += " Routers that answer less than half of the scenarios are not ranked: " + strings.Join(missing, ", ") + "."
	}
	return t.with(wrap(notes), caption), nil
}

// markdownTable returns a table as the report of a run in Markdown has it, the first
// whose title begins so.
func (d *data) markdownTable(document, name, title string) (string, error) {
	run, err := d.run(name)
	if err != nil {
		return "", err
	}
	var b bytes.Buffer
	if err := report.Markdown(&b, run); err != nil {
		return "", err
	}
	text := b.String()
	at := strings.Index(text, "\n"+title)
	if at < 0 {
		return "", fmt.Errorf("the report of the run %s has no table %q", name, title)
	}
	_, rest, _ := strings.Cut(text[at+1:], "\n\n")
	rows, rest, _ := strings.Cut(rest, "\n\n")
	notes := ""
	if next, _, _ := strings.Cut(rest, "\n"); !strings.HasSuffix(next, ":") && !strings.HasPrefix(next, "**bold**") {
		notes = wrap(next) + "\n\n"
	}
	kind, unit := result.Memory, result.HeapBytes
	switch {
	case strings.HasPrefix(title, "Growth"):
		kind, unit = result.Growth, result.Time
	case strings.HasPrefix(title, "Server"):
		kind, unit = result.Server, result.Throughput
	}
	var n noise
	for i := range run.Scenarios {
		if s := &run.Scenarios[i]; s.Kind == kind {
			for j := range s.Rows {
				n.add(&s.Rows[j], unit)
			}
		}
	}
	var cpus []string
	for _, cpu := range run.Settings.CPUs {
		cpus = append(cpus, fmt.Sprint(cpu))
	}
	caption, err := d.caption(document, name, strings.Join(cpus, " and "), n)
	if err != nil {
		return "", err
	}
	return strings.TrimSpace(rows) + "\n\n" + notes + caption, nil
}

// runsTable returns the runs with their commands.
func runsTable(d *data, document string) (string, error) {
	t := newTable(5, "run", "what is in it", "command", "when and where", "noise of the times")
	for i := range sources {
		s := &sources[i]
		if s.routebench == nil {
			b, err := d.benchmarks(s.name)
			if err != nil {
				return "", err
			}
			var n noise
			for _, key := range b.order {
				n.add(b.rows[key], result.Time)
			}
			c := b.config
			t.row(link(document, s.file), s.about, "`go run ./routebench/figures -measure "+s.name+"`",
				strings.Join([]string{c["cpu"], c["cores"] + " cores", c["os"], c["go"], c["date"], c["rounds"] + " rounds"}, ", "), short(n))
			continue
		}
		run, err := d.run(s.name)
		if err != nil {
			return "", err
		}
		var n noise
		for j := range run.Scenarios {
			sc := &run.Scenarios[j]
			for k := range sc.Rows {
				if r := &sc.Rows[k]; r.Router != result.Floor {
					n.add(r, result.Time)
				}
			}
		}
		command := "`" + strings.Join(measuring(run.Command), " ") + "`"
		if run.Interrupted {
			command += ", interrupted"
		}
		t.row(link(document, s.file), s.about, command, strings.Join(report.Circumstances(run), ", "), short(n))
	}
	return t.with(), nil
}

// short returns the noise for a cell.
func short(n noise) string {
	text := n.String()
	if _, rest, ok := strings.Cut(text, " is "); ok {
		return rest
	}
	return text
}

// measuring returns a command without the files that it wrote.
func measuring(command []string) []string {
	var out []string
	for i := 0; i < len(command); i++ {
		switch command[i] {
		case "-json", "-bench", "-html", "-markdown", "-csv":
			i++
		default:
			out = append(out, command[i])
		}
	}
	return out
}
