package migrate

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
)

// TestDocsHaveTheRows compares each section's tables with the rows that are
// tested: the same names in the same order, for a row every code span of a cell
// in the source of its handler, for a trap the request and the answers.
func TestDocsHaveTheRows(t *testing.T) {
	for _, s := range suites {
		t.Run(s.section, func(t *testing.T) {
			tables := tablesOf(t, filepath.Join("..", "..", "docs", s.doc), s.section)
			rows, traps := tables[3], tables[4]

			var tested []string
			for _, c := range s.rows {
				tested = append(tested, c.name)
			}
			if names := firstCells(rows); !slices.Equal(names, tested) {
				t.Errorf("the table has the rows\n\t%q, tested are\n\t%q", names, tested)
			}
			code := codeOf(t, s.source)
			for _, cells := range rows {
				for i, field := range []string{"theirs", "ours"} {
					source, ok := code[cells[0]+"/"+field]
					if !ok {
						t.Errorf("%s: there is no test of %s", cells[0], field)
						continue
					}
					for _, part := range codeParts(cells[i+1]) {
						if !strings.Contains(source, dense(part)) {
							t.Errorf("%s: %s is not in the code of %s", cells[0], part, field)
						}
					}
				}
			}

			tested = nil
			for _, c := range s.traps {
				tested = append(tested, strings.Join([]string{c.name, "`" + c.request + "`", "`" + c.theirAnswer + "`", "`" + c.ourAnswer + "`"}, " | "))
			}
			var lines []string
			for _, cells := range traps {
				lines = append(lines, strings.Join(cells, " | "))
			}
			if !slices.Equal(lines, tested) {
				t.Errorf("the table of traps has\n\t%q, tested are\n\t%q", lines, tested)
			}
		})
	}
}

// TestDocsHaveNoOtherTables finds sections with tables that nothing tests.
func TestDocsHaveNoOtherTables(t *testing.T) {
	var docs, sections []string
	for _, s := range suites {
		docs = append(docs, s.doc)
		sections = append(sections, s.section)
	}
	for _, doc := range slices.Compact(docs) {
		text := readFile(t, filepath.Join("..", "..", "docs", doc))
		heading := ""
		for line := range strings.Lines(text) {
			if rest, ok := strings.CutPrefix(line, "## "); ok {
				heading = strings.TrimSpace(rest)
			}
			if strings.HasPrefix(line, "|") && !slices.Contains(sections, heading) {
				t.Fatalf("%s: the section %q has a table that no suite tests", doc, heading)
			}
		}
	}
}

// tablesOf returns the lines of a section's tables, by the number of their cells,
// without their heads.
func tablesOf(t *testing.T, file, section string) map[int][][]string {
	t.Helper()
	_, text, ok := strings.Cut(readFile(t, file), "\n## "+section+"\n")
	if !ok {
		t.Fatalf("%s has no section %q", file, section)
	}
	text, _, _ = strings.Cut(text, "\n## ")
	tables := map[int][][]string{}
	head := true
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "|") {
			head = true
			continue
		}
		cells := cellsOf(strings.TrimSpace(line))
		if strings.HasPrefix(cells[0], "---") {
			head = false
			continue
		}
		if !head {
			tables[len(cells)] = append(tables[len(cells)], cells)
		}
	}
	return tables
}

// cellsOf splits a line of a table. A "\|" is a '|' of a cell.
func cellsOf(line string) []string {
	line = strings.ReplaceAll(strings.Trim(line, "|"), `\|`, "\x00")
	if strings.HasSuffix(line, `\`) {
		line += "|"
	}
	cells := strings.Split(line, "|")
	for i, cell := range cells {
		cells[i] = strings.ReplaceAll(strings.TrimSpace(cell), "\x00", "|")
	}
	return cells
}

func firstCells(rows [][]string) []string {
	var names []string
	for _, cells := range rows {
		names = append(names, cells[0])
	}
	return names
}

var codeSpan = regexp.MustCompile("`([^`]+)`")

// codeParts returns the code spans of a cell, split at each "…", which marks omitted code.
func codeParts(cell string) []string {
	var parts []string
	for _, m := range codeSpan.FindAllStringSubmatch(cell, -1) {
		parts = append(parts, strings.Split(m[1], "…")...)
	}
	return parts
}

// codeOf returns the source of the rows' handlers, dense, by "NAME/FIELD".
func codeOf(t *testing.T, pattern string) map[string]string {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	code := map[string]string{}
	for _, file := range files {
		text := readFile(t, file)
		fset := token.NewFileSet()
		parsed, err := parser.ParseFile(fset, file, text, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			literal, ok := n.(*ast.CompositeLit)
			if !ok {
				return true
			}
			name := ""
			for _, e := range literal.Elts {
				field, ok := e.(*ast.KeyValueExpr)
				if !ok {
					return true
				}
				key, ok := field.Key.(*ast.Ident)
				if !ok {
					return true
				}
				switch value := field.Value; key.Name {
				case "name":
					if value, ok := value.(*ast.BasicLit); ok {
						name, _ = strconv.Unquote(value.Value)
					}
				case "theirs", "ours":
					from, to := fset.Position(value.Pos()).Offset, fset.Position(value.End()).Offset
					code[name+"/"+key.Name] = dense(text[from:to])
				}
			}
			return true
		})
	}
	return code
}

// dense returns Go code without the white space, commas and semicolons that depend on line
// breaks.
func dense(code string) string {
	code = strings.Map(func(c rune) rune {
		if unicode.IsSpace(c) || c == ';' {
			return -1
		}
		return c
	}, code)
	return strings.ReplaceAll(strings.ReplaceAll(code, ",)", ")"), ",}", "}")
}

func readFile(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
