package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A page is a Markdown file of the repository. Its name is relative to the root.
type page struct {
	name   string
	blocks []block
	// prose are the lines outside of blocks; those within are empty.
	prose []string
}

// A block is a fenced block of a page, without the indentation of its fence.
type block struct {
	page string
	line int // of the first line of text, from 1
	lang string
	text string
}

var fence = regexp.MustCompile("^( *)```([a-z]*)$")

// readPage reads a page.
func readPage(t *testing.T, name string) page {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", name))
	if err != nil {
		t.Fatal(err)
	}
	p := page{name: name}
	var open *block
	indent := ""
	for i, line := range strings.Split(string(text), "\n") {
		mark := fence.FindStringSubmatch(line)
		switch {
		case mark != nil && open == nil:
			indent, open = mark[1], &block{page: name, line: i + 2, lang: mark[2]}
		case mark != nil:
			p.blocks, open = append(p.blocks, *open), nil
		case open != nil:
			open.text += strings.TrimPrefix(line, indent) + "\n"
		}
		if open != nil || mark != nil {
			line = ""
		}
		p.prose = append(p.prose, line)
	}
	if open != nil {
		t.Fatalf("%s:%d: the block is never closed", name, open.line)
	}
	return p
}

// guides returns the pages of this folder.
func guides(t *testing.T) []page {
	t.Helper()
	names, err := filepath.Glob("*.md")
	if err != nil || len(names) < 6 {
		t.Fatalf("%d pages found, error %v, want 6 pages at least", len(names), err)
	}
	var pages []page
	for _, name := range names {
		pages = append(pages, readPage(t, "docs/"+name))
	}
	return pages
}

// A row is a row of a table: its cells by the heads of their columns.
type row struct {
	page  string
	line  int
	cells map[string]string
}

// rowsOf returns the rows of a page's tables that have a column with the given head.
func rowsOf(p page, head string) []row {
	var heads []string
	var rows []row
	for i, line := range p.prose {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "|") {
			heads = nil
			continue
		}
		cells := splitRow(line)
		switch {
		case heads == nil:
			heads = cells
		case strings.Trim(line, "|-: ") == "" || len(cells) != len(heads):
		default:
			r := row{p.name, i + 1, make(map[string]string)}
			for j, cell := range cells {
				r.cells[heads[j]] = cell
			}
			if _, ok := r.cells[head]; ok {
				rows = append(rows, r)
			}
		}
	}
	return rows
}

// splitRow splits a row at the bars that are not escaped.
func splitRow(line string) []string {
	const bar = "\x00"
	line = strings.ReplaceAll(strings.Trim(line, "|"), `\|`, bar)
	var cells []string
	for cell := range strings.SplitSeq(line, "|") {
		cells = append(cells, strings.ReplaceAll(strings.TrimSpace(cell), bar, "|"))
	}
	return cells
}

var codeSpan = regexp.MustCompile("`([^`]+)`")

// codeSpans returns the pieces of code in a text.
func codeSpans(text string) []string {
	var spans []string
	for _, span := range codeSpan.FindAllStringSubmatch(text, -1) {
		spans = append(spans, span[1])
	}
	return spans
}
