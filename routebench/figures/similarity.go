package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/muxwell/muxwell/routebench/report"
	"github.com/muxwell/muxwell/routebench/result"
)

// The tables of the text-similarity service.

// texts are the kinds of texts of its benchmarks.
var texts = []string{"plain", "messy"}

// pipelines are the rows of the benchmark of whole requests.
var pipelines = []struct{ name, label string }{
	{"regexp", "`regexp`: as first written"},
	{"replacer", "`replacer`: strings.Replacer instead of the expressions"},
	{"bytereplace", "`bytereplace`: a byte table instead of the expressions"},
	{"muxwell", "`muxwell`: package score"},
}

// pipelinesTable returns what a request takes from body to body.
func pipelinesTable(d *data, document string) (string, error) {
	r, err := d.reader("similarity")
	if err != nil {
		return "", err
	}
	t := newTable(1, "pipeline", "plain", "allocations", "messy")
	for _, p := range pipelines {
		name := func(text string) string { return "Answer/text=" + text + "/pipeline=" + p.name }
		allocations := fmt.Sprintf("%.0f", r.get(name("plain"), 1, result.Allocs))
		t.row(p.label, report.Duration(r.time(name("plain"), 1)), allocations, report.Duration(r.time(name("messy"), 1)))
	}
	return r.done(document, t, "1")
}

// strategies are the ways to normalize a text.
var strategies = []struct{ name, label string }{
	{"regexps", "two regular expressions"},
	{"re2", "RE2 in WebAssembly, by `github.com/wasilibs/go-re2`"},
	{"nested-loops", "nested loops"},
	{"replacer", "strings.Replacer"},
	{"inverted-strings", "inverted ranges in a string"},
	{"inverted-bytes", "inverted ranges in bytes"},
	{"ascii-ranges", "ASCII ranges"},
	{"bytereplace", "bytereplace"},
	{"muxwell", "package score"},
}

// strategiesTable returns what normalizing a text takes.
func strategiesTable(d *data, document string) (string, error) {
	r, err := d.reader("similarity")
	if err != nil {
		return "", err
	}
	t := newTable(1, "strategy", "plain", "messy")
	for _, s := range strategies {
		cells := []string{s.label}
		for _, text := range texts {
			cells = append(cells, report.Duration(r.time("Normalise/text="+text+"/strategy="+s.name, 1)))
		}
		t.row(cells...)
	}
	return r.done(document, t, "1")
}

// steps are those of a request in package score.
var steps = []struct{ name, label string }{
	{"copy", "copying the body, in the benchmark only"},
	{"scan", "reading JSON, with that copy"},
	{"edges", "finding words"},
	{"compare", "finding and counting words, and the cosine"},
	{"all", "all"},
}

// stepsTable returns what the steps of a request take.
func stepsTable(d *data, document string) (string, error) {
	r, err := d.reader("similarity")
	if err != nil {
		return "", err
	}
	t := newTable(1, "step, plain texts", "AVX-512", "AVX2", "no assembly")
	for _, s := range steps {
		cells := []string{s.label}
		for _, loops := range []string{"AVX-512", "AVX2", "generic"} {
			cells = append(cells, report.Duration(r.time("Answer/text=plain/loops="+loops+"/step="+s.name, 1)))
		}
		t.row(cells...)
	}
	return r.done(document, t, "1")
}

// servicesFile is what similarity/compare wrote with -markdown.
const servicesFile = "similarity/compare/results/services.txt"

// servicesTable returns the table of the services over HTTP, and how it was measured.
func servicesTable(d *data, _ string) (string, error) {
	text, err := os.ReadFile(filepath.Join(d.root, servicesFile))
	if err != nil {
		return "", err
	}
	table, conditions, ok := strings.Cut(strings.TrimSpace(string(text)), "\n\n")
	if !ok || !strings.HasPrefix(table, "| service |") {
		return "", errors.New(servicesFile + " does not begin with a table and a paragraph")
	}
	return table + "\n\n" + wrap(conditions), nil
}
