// Package routepage has what the web pages that list routes share: the style, the
// script, and the templates of the header, the search, methods and patterns. The
// page of "muxwell serve" and the explorer look and behave alike because of it.
//
// It knows texts only, neither muxes nor requests. What a page shows is escaped by
// html/template; [Style] and [Script] are constants, which a Content-Security-Policy
// can name.
package routepage

import (
	_ "embed"
	"fmt"
	"html/template"
	"strconv"
	"strings"

	"github.com/muxwell/muxwell/internal/routelist"
)

// Style is the style sheet that the pages share.
//
//go:embed routepage.css
var Style string

// Script is the script that the pages share. Without it the pages work by links and
// forms.
//
//go:embed routepage.js
var Script string

//go:embed routepage.html
var templates string

// MaxRows is the largest number of routes on a page of a list.
const MaxRows = 250

// Parse returns the template of a page, which may use the shared templates and
// functions besides its own. It panics if text is not a template.
func Parse(text string, own template.FuncMap) *template.Template {
	shared := template.FuncMap{"number": Number[int], "plural": Plural[int], "pieces": Pieces}
	return template.Must(template.Must(template.New("page").Funcs(shared).Funcs(own).Parse(templates)).Parse(text))
}

// A Header is what the header of a page shows.
type Header struct {
	Title string
	Shown int    // how many routes the search found
	Total int    // how many routes there are
	Links []Link // between the pages that belong together
	Files string // the URL below which the downloads are; "" if there are none
	Live  bool   // whether counts are updated
}

// A Link is a link to a page. An empty URL means the page itself.
type Link struct{ Text, URL string }

// Count returns how many routes are shown, as the header has it.
func (h Header) Count() string {
	if h.Shown == h.Total {
		return Plural(h.Total, "route")
	}
	return Number(h.Shown) + " of " + Plural(h.Total, "route")
}

// A Window is the part of a list that one page shows.
type Window struct {
	Page, Pages int // from 1
	First, Last int // the numbers of the first and the last row, from 1
	Total       int
	Prev, Next  string // links to the pages before and after; "" if there are none
}

// NewWindow returns the page with the given number of a list of total rows, or the
// nearest page that exists. link returns the link to a page.
func NewWindow(total, page int, link func(page int) string) Window {
	w := Window{Total: total, Pages: max(1, (total+MaxRows-1)/MaxRows)}
	w.Page = min(max(page, 1), w.Pages)
	w.First = (w.Page-1)*MaxRows + 1
	w.Last = min(w.Page*MaxRows, total)
	if w.Page > 1 {
		w.Prev = link(w.Page - 1)
	}
	if w.Page < w.Pages {
		w.Next = link(w.Page + 1)
	}
	return w
}

// Number returns a count with commas between thousands.
func Number[T int | uint64](n T) string {
	s := strconv.FormatUint(uint64(n), 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Plural returns a count with the name of what is counted: "1 route", "1,234 routes".
func Plural[T int | uint64](n T, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%s %ss", Number(n), thing)
}

// Pieces splits the host or the path of a pattern into literal text and parameters.
// The {$} at the end of a path is not a parameter.
func Pieces(text string) []routelist.Piece {
	pieces := routelist.Pieces(text)
	for i := range pieces {
		if pieces[i].Text == "{$}" {
			pieces[i].Param = false
		}
	}
	return pieces
}

// Words returns the words of a search, in lower case.
func Words(query string) []string { return strings.Fields(strings.ToLower(query)) }
