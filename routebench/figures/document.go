package main

import (
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// In a document a table of figures is between two lines,
//
//	<!-- figures:NAME -->
//	<!-- /figures -->
//
// and a single figure is between two marks on one line:
//
//	<!--fig NAME-->19<!--/-->
//
// What is between is made of the files of runs. A table whose figures are from no such
// file is between lines of which the first is
//
//	<!-- figures by hand: REASON -->
//
// Code is left alone.
var (
	blockBegin = regexp.MustCompile(`^<!-- figures:(\S+) -->$`)
	handBegin  = regexp.MustCompile(`^<!-- figures by hand: (\S.*) -->$`)
	inline     = regexp.MustCompile(`<!--fig ([^>]*?)-->(.*?)<!--/-->`)
	anyMark    = regexp.MustCompile(`<!-- ?/?fig|<!--/-->`)
	fence      = regexp.MustCompile("^ *```")
	codeSpan   = regexp.MustCompile("`[^`]*`")
)

const blockEnd = "<!-- /figures -->"

// A finding is what is wrong with a line of a document.
type finding struct {
	line int // from 1
	text string
}

// A maker returns what a marked place of a document holds.
type maker interface {
	block(name, document string) (string, error)
	figure(name string) (string, error)
}

// rewrite returns a document with its marked places made anew, the differences that
// are seen so, and what cannot be made or must not be there.
func rewrite(name, text string, m maker) (made string, differs, wrong []finding) {
	var out strings.Builder
	lines := strings.SplitAfter(text, "\n")
	for i := 0; i < len(lines); i++ {
		line := strings.TrimSuffix(lines[i], "\n")
		begin, hand := blockBegin.FindStringSubmatch(line), handBegin.MatchString(line)
		switch {
		case fence.MatchString(line):
			end := skipFence(lines, i)
			out.WriteString(strings.Join(lines[i:end], ""))
			i = end - 1
		case begin != nil || hand:
			end, ok := endOf(lines, i)
			if !ok {
				wrong = append(wrong, finding{i + 1, line + " has no " + blockEnd})
				out.WriteString(lines[i])
				continue
			}
			old := strings.Join(lines[i+1:end], "")
			body := old
			if begin != nil {
				made, err := m.block(begin[1], name)
				if err != nil {
					wrong = append(wrong, finding{i + 1, fmt.Sprintf("%s: %v", begin[1], err)})
				} else if body = "\n" + strings.TrimSpace(made) + "\n\n"; body != old {
					differs = append(differs, finding{i + 1, fmt.Sprintf("%s differs from the file of its run: %s", begin[1], firstDifference(old, body))})
				}
			}
			out.WriteString(lines[i] + body + lines[end])
			i = end
		default:
			out.WriteString(inline.ReplaceAllStringFunc(lines[i], func(mark string) string {
				found := inline.FindStringSubmatch(mark)
				value, err := m.figure(found[1])
				if err != nil {
					wrong = append(wrong, finding{i + 1, fmt.Sprintf("%s: %v", found[1], err)})
					return mark
				}
				if value != found[2] {
					differs = append(differs, finding{i + 1, fmt.Sprintf("%s is %s, and %s is written", found[1], value, found[2])})
				}
				return "<!--fig " + found[1] + "-->" + value + "<!--/-->"
			}))
			if rest := codeSpan.ReplaceAllString(inline.ReplaceAllString(line, ""), ""); anyMark.MatchString(rest) {
				wrong = append(wrong, finding{i + 1, "a mark of figures that is none: " + strings.TrimSpace(rest)})
			}
		}
	}
	return out.String(), differs, wrong
}

// endOf returns the line that ends a block, and false if there is none before another
// block begins.
func endOf(lines []string, begin int) (end int, ok bool) {
	for end = begin + 1; end < len(lines); end++ {
		switch line := strings.TrimSuffix(lines[end], "\n"); {
		case line == blockEnd:
			return end, true
		case blockBegin.MatchString(line), handBegin.MatchString(line):
			return end, false
		}
	}
	return end, false
}

// skipFence returns the line behind a fenced block that begins at a line.
func skipFence(lines []string, begin int) int {
	for i := begin + 1; i < len(lines); i++ {
		if fence.MatchString(lines[i]) {
			return i + 1
		}
	}
	return len(lines)
}

// firstDifference returns the first lines in which texts differ.
func firstDifference(old, made string) string {
	a, b := strings.Split(old, "\n"), strings.Split(made, "\n")
	for i := range max(len(a), len(b)) {
		var x, y string
		if i < len(a) {
			x = a[i]
		}
		if i < len(b) {
			y = b[i]
		}
		if x != y {
			return fmt.Sprintf("it has\n\t%s\nand the file gives\n\t%s", x, y)
		}
	}
	return "nothing"
}

var (
	// measured is a cell with a figure of a benchmark.
	measured = regexp.MustCompile(`\d (ns|µs|ms|kB)\b|\d\.\d+ MB\b|\d×|± ?\d`)
	// inUnits is the head of a column of such figures, and number a cell of it.
	inUnits = regexp.MustCompile(`\b(ns|µs|ms)\b`)
	number  = regexp.MustCompile(`\| *\**[+-]?[\d,.]+\** *\|`)
	// announced is a sentence in front of a table of benchmarks.
	announced = regexp.MustCompile(`(?i)\bnanoseconds\b|\bns/op\b|time as a ratio`)
	// timed is a time of a benchmark in a sentence.
	timed = regexp.MustCompile(`[\d.,]+ (ns|µs)\b`)
	// counted is a number of routers.
	counted = regexp.MustCompile(`(?i)\b(\d\d+|ten|eleven|twelve|[a-z]+teen|twenty(-[a-z]+)?|thirty)( other| best[- ]known| well[- ]known| Go| HTTP)* routers\b`)
)

// unmarked returns the tables of benchmarks, the times and the numbers of routers in a
// document that are not marked.
func unmarked(text string) []finding {
	var found []finding
	lines := strings.Split(text, "\n")
	before := "" // the last line of text
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		switch {
		case fence.MatchString(line):
			i = skipFence(lines, i) - 1
			before = ""
			continue
		case blockBegin.MatchString(line) || handBegin.MatchString(line):
			for i < len(lines) && lines[i] != blockEnd {
				i++
			}
			before = ""
			continue
		case strings.HasPrefix(line, "|"):
			end := i
			for end < len(lines) && strings.HasPrefix(lines[end], "|") {
				end++
			}
			if announced.MatchString(before) || hasFigures(lines[i:end]) {
				found = append(found, finding{i + 1, "a table of benchmarks outside of <!-- figures:NAME -->: " + line})
			}
			i, before = end-1, ""
			continue
		}
		words := codeSpan.ReplaceAllString(inline.ReplaceAllString(line, ""), "")
		if n := counted.FindString(words); n != "" {
			found = append(found, finding{i + 1, fmt.Sprintf("%q: a number of routers is to be marked, as in <!--fig routers-->", n)})
		}
		if n := timed.FindString(words); n != "" {
			found = append(found, finding{i + 1, fmt.Sprintf("%q: a time is to be marked, or the sentence is to point to a table", n)})
		}
		if strings.TrimSpace(line) != "" {
			before = line
		}
	}
	return found
}

// hasFigures reports whether a table has figures of benchmarks.
func hasFigures(rows []string) bool {
	return slices.ContainsFunc(rows, measured.MatchString) ||
		inUnits.MatchString(rows[0]) && slices.ContainsFunc(rows[1:], number.MatchString)
}

// documents returns the Markdown files of the repository, relative to its root,
// without data of tests and what is made of one run as a whole.
func documents(root string, made []string) ([]string, error) {
	var names []string
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() {
			if file != root && (name == "testdata" || name == "target" || name == "node_modules" || name[0] == '.') {
				return filepath.SkipDir
			}
			return nil
		}
		relative, err := filepath.Rel(root, file)
		if relative = filepath.ToSlash(relative); path.Ext(relative) == ".md" && !slices.Contains(made, relative) {
			names = append(names, relative)
		}
		return err
	})
	return names, err
}
