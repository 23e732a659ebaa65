package migrate

import (
	"fmt"
	"strings"
)

// A diffLine is a line of a diff: ' ' for both texts, '-' for the first, '+' for the
// second one.
type diffLine struct {
	op   byte
	text string
}

// diffLines returns the lines of two texts, with as many common ones as possible.
func diffLines(before, after string) (lines []diffLine) {
	a, b := strings.SplitAfter(before, "\n"), strings.SplitAfter(after, "\n")
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	x, y := a[head:len(a)-tail], b[head:len(b)-tail]
	// lcs[i][j] is the length of the longest common subsequence of x[i:] and y[j:].
	lcs := make([][]int32, len(x)+1)
	for i := range lcs {
		lcs[i] = make([]int32, len(y)+1)
	}
	for i := len(x) - 1; i >= 0; i-- {
		for j := len(y) - 1; j >= 0; j-- {
			if x[i] == y[j] {
				lcs[i][j] = lcs[i+1][j+1] + 1
			} else {
				lcs[i][j] = max(lcs[i+1][j], lcs[i][j+1])
			}
		}
	}
	for _, s := range a[:head] {
		lines = append(lines, diffLine{' ', s})
	}
	for i, j := 0, 0; i < len(x) || j < len(y); {
		switch {
		case i < len(x) && j < len(y) && x[i] == y[j]:
			lines = append(lines, diffLine{' ', x[i]})
			i, j = i+1, j+1
		case j == len(y) || i < len(x) && lcs[i+1][j] >= lcs[i][j+1]:
			lines = append(lines, diffLine{'-', x[i]})
			i++
		default:
			lines = append(lines, diffLine{'+', y[j]})
			j++
		}
	}
	for _, s := range a[len(a)-tail:] {
		lines = append(lines, diffLine{' ', s})
	}
	return lines
}

// oldLines returns for each line of after the number of the same line in before, or 0.
func oldLines(before, after string) (numbers []int) {
	old := 0
	for _, l := range diffLines(before, after) {
		switch l.op {
		case ' ':
			old++
			numbers = append(numbers, old)
		case '-':
			old++
		case '+':
			numbers = append(numbers, 0)
		}
	}
	return numbers
}

// unifiedDiff returns the difference of two texts in the unified format with three lines
// of context.
func unifiedDiff(name, before, after string) string {
	lines := diffLines(before, after)
	const context = 3
	var out strings.Builder
	fmt.Fprintf(&out, "--- a/%s\n+++ b/%[1]s\n", name)
	oldLine, newLine := 1, 1
	for i := 0; i < len(lines); {
		if lines[i].op == ' ' {
			oldLine, newLine, i = oldLine+1, newLine+1, i+1
			continue
		}
		start := max(0, i-context)
		end, quiet := i, 0
		for end < len(lines) && quiet <= 2*context {
			quiet++
			if lines[end].op != ' ' {
				quiet = 0
			}
			end++
		}
		end = min(len(lines), end-max(0, quiet-context))
		oldStart, newStart := oldLine-(i-start), newLine-(i-start)
		oldCount, newCount := 0, 0
		var hunk strings.Builder
		for _, l := range lines[start:end] {
			if l.text == "" {
				continue // after the final newline
			}
			if l.op != '+' {
				oldCount++
			}
			if l.op != '-' {
				newCount++
			}
			hunk.WriteByte(l.op)
			hunk.WriteString(l.text)
			if !strings.HasSuffix(l.text, "\n") {
				hunk.WriteString("\n\\ No newline at end of file\n")
			}
		}
		fmt.Fprintf(&out, "@@ -%d,%d +%d,%d @@\n%s", oldStart, oldCount, newStart, newCount, hunk.String())
		for _, l := range lines[i:end] {
			if l.op != '+' {
				oldLine++
			}
			if l.op != '-' {
				newLine++
			}
		}
		i = end
	}
	return out.String()
}
