package explorer

import (
	"fmt"
	"strings"

	"github.com/muxwell/muxwell/internal/text"
)

// markdown returns a view as a Markdown table (GitHub Flavored Markdown §4.10), with
// a column for what at least one route has.
func markdown(v *view) []byte {
	columns := []struct {
		head string
		of   func(*route) []string
	}{
		{"methods", func(r *route) []string { return []string{r.MethodText()} }},
		{"host", func(r *route) []string { return some(r.Host) }},
		{"path", func(r *route) []string { return some(r.Path) }},
		{"name", func(r *route) []string { return some(r.Name) }},
		{"requires", func(r *route) []string { return r.Matchers }},
		{"meta", func(r *route) []string { return metaTexts(r) }},
		{"middleware", func(r *route) []string { return r.Middleware }},
		{"source", func(r *route) []string { return some(r.Source) }},
	}
	head, rule := "|", "|"
	rows := make([]strings.Builder, len(v.Routes))
	for _, c := range columns {
		cells := make([]string, len(v.Routes))
		for i := range v.Routes {
			cells[i] = markdownCell(c.of(&v.Routes[i]))
		}
		if strings.Join(cells, "") == "" && c.head != "path" {
			continue
		}
		head, rule = head+" "+c.head+" |", rule+" --- |"
		for i, cell := range cells {
			rows[i].WriteString(strings.TrimRight(" "+cell, " ") + " |")
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n%s\n%s\n", markdownText(v.Title), head, rule)
	for i := range rows {
		b.WriteString("|" + rows[i].String() + "\n")
	}
	return []byte(b.String())
}

func some(s string) []string {
	if s == "" {
		return nil
	}
	return []string{s}
}

func metaTexts(r *route) []string {
	var texts []string
	for _, m := range r.Meta {
		texts = append(texts, m.Key+": "+m.Value)
	}
	return texts
}

// markdownCell returns texts as a cell of a table.
func markdownCell(texts []string) string {
	codes := make([]string, len(texts))
	for i, s := range texts {
		codes[i] = markdownCode(s)
	}
	return strings.Join(codes, ", ")
}

// markdownCode returns a text as code in a table. In a code span nothing is
// escaped but '|', whose backslash is taken away before the span is read; so a text
// that has a backslash in front of a '|' cannot stand in one.
func markdownCode(s string) string {
	s = text.Printable(s, "")
	if strings.Contains(s, `\|`) || strings.TrimSpace(s) == "" {
		return "<code>" + markdownText(s) + "</code>"
	}
	fence := "`"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	pad := ""
	if strings.Trim(s, "` ") != s {
		pad = " " // taken away again
	}
	return fence + pad + strings.ReplaceAll(s, "|", `\|`) + pad + fence
}

// markdownText returns a text outside of code, in which all that could mean
// something is a character reference.
func markdownText(s string) string {
	var b strings.Builder
	for _, r := range text.Printable(s, "") {
		if r > ' ' && r < 0x7f && !isAlnum(r) && !strings.ContainsRune(".,-", r) {
			fmt.Fprintf(&b, "&#%d;", r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

func isAlnum(r rune) bool {
	return '0' <= r && r <= '9' || 'A' <= r && r <= 'Z' || 'a' <= r && r <= 'z'
}
