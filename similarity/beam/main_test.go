package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/log"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/ptest"

	"github.com/muxwell/muxwell/similarity/batch"
	"github.com/muxwell/muxwell/similarity/load"
	"github.com/muxwell/muxwell/similarity/table"
)

// asCommand is the variable with which the test is the command.
const asCommand = "SIMILARITY_BEAM_COMMAND"

func TestMain(m *testing.M) {
	if os.Getenv(asCommand) != "" {
		main()
	}
	log.LogLevel, log.LogKind = "warn", "text"
	ptest.Main(m)
}

// newOptions returns the options of a command in the directory of the test.
func newOptions(t *testing.T, args ...string) *options {
	t.Helper()
	o, fs := &options{command: args[0], output: "out.jsonl"}, flag.NewFlagSet("", flag.PanicOnError)
	o.define(fs)
	if err := fs.Parse(append([]string{"-output", "out.jsonl"}, args[1:]...)); err != nil {
		t.Fatal(err)
	}
	if err := o.check(fs.Args()); err != nil {
		t.Fatal(err)
	}
	return o
}

// execute runs a pipeline in this process and returns the counters.
func (o *options) execute(t *testing.T) map[string]int64 {
	t.Helper()
	return counters(ptest.BuildAndRun(t, func(s beam.Scope) { o.build(s) }))
}

func writeFile(t *testing.T, name, content string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
}

// linesOf returns the lines of files, sorted.
func linesOf(t *testing.T, names ...string) (lines []string) {
	t.Helper()
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, strings.Split(strings.TrimSuffix(string(b), "\n"), "\n")...)
	}
	lines = slices.DeleteFunc(lines, func(line string) bool { return line == "" })
	slices.Sort(lines)
	return lines
}

// checkLines compares sorted lines.
func checkLines(t *testing.T, what string, got, want []string) {
	t.Helper()
	slices.Sort(want)
	if slices.Equal(got, want) {
		return
	}
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || got[i] != want[i] {
			t.Fatalf("%s: got %d lines, want %d; from line %d on:\n got %.300q\nwant %.300q", what, len(got), len(want), i, got[min(i, len(got)):], want[min(i, len(want)):])
		}
	}
}

// checkCounters compares the counters that want has.
func checkCounters(t *testing.T, got, want map[string]int64) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if got[name] != want[name] {
			t.Errorf("counter %s: got %d, want %d", name, got[name], want[name])
		}
	}
}

// jsonRow returns a row of JSON Lines.
func jsonRow(keysAndValues ...string) string {
	var keys []string
	var values []table.Value
	for i := 0; i < len(keysAndValues); i += 2 {
		keys, values = append(keys, keysAndValues[i]), append(values, table.String(keysAndValues[i+1]))
	}
	return string(object(keys, values))
}

// hostileCSV has rows of all kinds that package batch accepts or rejects.
func hostileCSV() string {
	var b strings.Builder
	b.WriteString("\uFEFFid,text1,text2\r\n")
	for i, text := range load.Texts(load.Messy, 60, 300, 1) {
		switch i % 10 {
		case 0:
			fmt.Fprintf(&b, "%d,\"never closed,b\n\n", i)
		case 1:
			fmt.Fprintf(&b, "%d,too few\n", i)
		case 2:
			fmt.Fprintf(&b, "%d,a\xff,b\n", i)
		case 3:
			fmt.Fprintf(&b, "%d,\"lines\n\nof text\",\"a \"\"quote\"\"\"\r\n", i)
		case 4:
			fmt.Fprintf(&b, "%d,.,<&>\n", i)
		default:
			w := csv.NewWriter(&b)
			w.Write([]string{fmt.Sprint(i), text, strings.ToUpper(text[:len(text)/2])})
			w.Flush()
		}
	}
	return b.String()
}

// TestCompareIsBatch compares the rows of CSV files with those of package batch.
func TestCompareIsBatch(t *testing.T) {
	for _, words := range []string{"ascii", "bigrams"} {
		t.Run(words, func(t *testing.T) {
			t.Chdir(t.TempDir())
			in := hostileCSV()
			writeFile(t, "in.csv", in)
			var stderr bytes.Buffer
			if status := batch.Main(t.Context(), []string{"-words", words, "-reports", "0", "in.csv"}, nil, io.Discard, &stderr); status != statusRejected {
				t.Fatalf("batch: status %d, %s", status, &stderr)
			}
			f, err := os.Open("in.similarity.csv")
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			var want []string
			rows, err := csv.NewReader(f).ReadAll()
			if err != nil {
				t.Fatal(err)
			}
			rows[0][0] = strings.TrimPrefix(rows[0][0], "\uFEFF")
			for _, row := range rows {
				want = append(want, fmt.Sprintf("%q", row))
			}
			c := newOptions(t, "compare", "-words", words, "-input", "in.csv").execute(t)
			got := []string{`["id" "text1" "text2" "similarity" "interpretation"]`}
			for _, line := range linesOf(t, "out.jsonl") {
				var m struct {
					ID, Text1, Text2 string
					Similarity       json.Number
					Interpretation   string
				}
				if err := json.Unmarshal([]byte(line), &m); err != nil {
					t.Fatal(err)
				}
				got = append(got, fmt.Sprintf("%q", []string{m.ID, m.Text1, m.Text2, m.Similarity.String(), m.Interpretation}))
			}
			slices.Sort(got)
			checkLines(t, "rows", got, want)
			if len(want) < 30 {
				t.Errorf("only %d rows are compared", len(want))
			}
			rejects := linesOf(t, "out.rejected.jsonl")
			checkCounters(t, c, map[string]int64{"compared": int64(len(want) - 1), "rejected": int64(len(rejects)), "wordless": 6})
			for _, line := range rejects {
				var r rejection
				if err := json.Unmarshal([]byte(line), &r); err != nil {
					t.Fatal(err)
				}
				if r.File != "in.csv" || r.Reason == "" || r.Offset > 0 && in[r.Offset-1] != '\n' {
					t.Errorf("rejected: %s", line)
				}
			}
		})
	}
}
