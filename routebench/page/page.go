// Package page writes a run of the comparison as a page of HTML: one file that a
// browser shows without asking for anything else.
//
// The contents of the page are in its HTML: the summary, the tables, the matrix and
// the faults are there without JavaScript. Of the scripts, tables.js sorts and
// folds the tables, and charts.js draws the figures that stand in the page once
// more as JSON: bars.js as bars, curves.js as curves, both with what axis.js has and
// the libraries in the folder assets.
//
// All that comes from a run, names and routes above all, is escaped by html/template
// or is JSON, and the Content-Security-Policy names the page's own styles and scripts
// by their hashes and allows nothing else.
package page

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"regexp"
	"strings"

	"github.com/muxwell/muxwell/routebench/result"
)

//go:embed *.html *.css *.js assets/*.js assets/*.LICENSE
var files embed.FS

// plotStyle is what Plot puts into a style element of each chart whose class is
// "plot". The policy knows it by its hash too.
const plotStyle = `:where(.plot) {
  --plot-background: white;
  display: block;
  height: auto;
  height: intrinsic;
  max-width: 100%;
}
:where(.plot text),
:where(.plot tspan) {
  white-space: pre;
}`

var (
	pageTemplate = template.Must(template.New("page.html").Funcs(template.FuncMap{"unbroken": unbroken}).ParseFS(files, "*.html"))
	style        = read("page.css")
	scripts      = []string{
		read("tables.js"), read("assets/d3.min.js"), read("assets/plot.umd.min.js"),
		read("axis.js"), read("bars.js"), read("curves.js"), read("charts.js"),
	}
	policy = fmt.Sprintf("default-src 'none'; style-src %s; script-src %s; img-src data:; base-uri 'none'; form-action 'none'",
		hashSources(style, plotStyle), hashSources(scripts...))
)

// Write writes the page of a run.
func Write(w io.Writer, run *result.Run) error {
	return pageTemplate.Execute(w, newPage(run))
}

// read returns an embedded file. It panics if there is none.
func read(name string) string {
	b, err := files.ReadFile(name)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// units are what stays on the line of its number.
var units = regexp.MustCompile(`(\d) (%|(?:ns|µs|ms|s|B|kB|MB|GB|times)\b)`)

// unbroken returns a sentence in which no unit is on another line than its number.
func unbroken(s string) string { return units.ReplaceAllString(s, "$1\u00a0$2") }

// hashSources returns the sources of a policy for inline elements with the given
// texts.
func hashSources(texts ...string) string {
	var sources []string
	for _, text := range texts {
		sum := sha256.Sum256([]byte(text))
		sources = append(sources, "'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'")
	}
	return strings.Join(sources, " ")
}

// Policy returns the page's Content-Security-Policy.
func (*page) Policy() string { return policy }

// Style returns the page's own style.
func (*page) Style() template.CSS { return template.CSS(style) }

// Licenses returns the licenses of the libraries, which ask to be in all copies.
func (*page) Licenses() []license {
	return []license{{"Observable Plot", read("assets/plot.LICENSE")}, {"D3", read("assets/d3.LICENSE")}}
}

// A license is the license of a library.
type license struct{ Name, Text string }

// Scripts returns the page's scripts in the order in which they run.
func (*page) Scripts() []template.JS {
	var out []template.JS
	for _, s := range scripts {
		out = append(out, template.JS(s))
	}
	return out
}
