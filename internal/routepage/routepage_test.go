package routepage_test

import (
	"fmt"
	"html"
	"strings"
	"testing"

	"github.com/muxwell/muxwell/internal/routepage"
)

func TestPlural(t *testing.T) {
	for n, want := range map[int]string{0: "0 routes", 1: "1 route", 2: "2 routes", 999: "999 routes", 1000: "1,000 routes", 1234567: "1,234,567 routes"} {
		if got := routepage.Plural(n, "route"); got != want {
			t.Errorf("Plural(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestHeaderCount(t *testing.T) {
	for _, tt := range []struct {
		shown, total int
		want         string
	}{{0, 0, "0 routes"}, {1, 1, "1 route"}, {0, 1, "0 of 1 route"}, {1200, 10000, "1,200 of 10,000 routes"}} {
		if got := (routepage.Header{Shown: tt.shown, Total: tt.total}).Count(); got != tt.want {
			t.Errorf("%d of %d: %q, want %q", tt.shown, tt.total, got, tt.want)
		}
	}
}

// Windows follow each other without a gap, and a page that does not exist is the
// nearest one that does.
func TestWindow(t *testing.T) {
	link := func(page int) string { return fmt.Sprint("page ", page) }
	for _, total := range []int{0, 1, routepage.MaxRows, routepage.MaxRows + 1, 3 * routepage.MaxRows} {
		seen := 0
		for page := 1; ; page++ {
			w := routepage.NewWindow(total, page, link)
			if w.Page != page || w.First != seen+1 || w.Last < seen || w.Last-seen > routepage.MaxRows || w.Total != total {
				t.Fatalf("%d rows: page %d is %+v", total, page, w)
			}
			if want := map[bool]string{true: link(page - 1)}[page > 1]; w.Prev != want {
				t.Errorf("%d rows: page %d has the link %q to the one before", total, page, w.Prev)
			}
			seen = w.Last
			if w.Next == "" {
				break
			}
		}
		if seen != total {
			t.Errorf("the pages of %d rows have %d", total, seen)
		}
	}
	for page, want := range map[int]int{-1: 1, 0: 1, 3: 2} {
		if got := routepage.NewWindow(routepage.MaxRows+1, page, link).Page; got != want {
			t.Errorf("page %d is page %d, want %d", page, got, want)
		}
	}
}

// Parameters are marked, {$} and literal text are not; all of it is text.
func TestPieces(t *testing.T) {
	page := routepage.Parse(`{{template "pieces" .}}`, nil)
	for path, want := range map[string]string{
		"/docs/{$}":       "/docs/{$}",
		"/{$}":            "/{$}",
		"/{a}/{$}":        "/<wbr><var>{a}</var>/{$}",
		"/{y:[0-9]{4}}.x": "/<wbr><var>{y:[0-9]{4}}</var>.x",
		"/{p...}":         "/<wbr><var>{p...}</var>",
		"/<b>/{<i>}":      "/&lt;b&gt;/<wbr><var>{&lt;i&gt;}</var>",
	} {
		var b strings.Builder
		if err := page.Execute(&b, path); err != nil {
			t.Fatal(err)
		}
		if got := b.String(); got != want {
			t.Errorf("%s: %s, want %s", path, got, html.UnescapeString(want))
		}
	}
}

// The shared style and script name nothing outside of the page.
func TestSelfContained(t *testing.T) {
	for name, text := range map[string]string{"style": routepage.Style, "script": routepage.Script} {
		for _, bad := range []string{"http:", "https:", "url(", "@import", "innerHTML =", "eval("} {
			if strings.Contains(text, bad) {
				t.Errorf("the %s has %s", name, bad)
			}
		}
	}
}
