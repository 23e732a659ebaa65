package constraint

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestDocuments: the lists in the documents are the table. A failure says what to
// write in them.
func TestDocuments(t *testing.T) {
	var doc, readme, guide strings.Builder
	for _, b := range Builtins {
		fmt.Fprintf(&doc, "//\t%-7s %s\n", b.Name, strings.ReplaceAll(b.Doc, "`", ""))
		fmt.Fprintf(&readme, "| `%s` | %s | `%s` |\n", b.Name, b.Doc, b.Example)
		fmt.Fprintf(&guide, "`%s`, ", b.Name)
	}
	for _, list := range []struct{ file, before, after, want string }{
		{"doc.go", "A constraint is a name,\n//\n", "//\n// or one that [Constraint] gives", doc.String()},
		{"README.md", "| constraint | matches | for example |\n| --- | --- | --- |\n", "| a name of your own |", readme.String()},
		{"docs/guide.md", "\nThe names are ", "and those that you give a mux", guide.String()},
	} {
		text, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(list.file)))
		if err != nil {
			t.Fatal(err)
		}
		_, got, ok := strings.Cut(string(text), list.before)
		got, _, found := strings.Cut(got, list.after)
		if strings.HasSuffix(list.file, "guide.md") { // a list in a sentence, which may be wrapped
			got = strings.Join(strings.Fields(got), " ") + " "
		}
		if !ok || !found {
			t.Errorf("%s has no list of constraints between %q and %q", list.file, list.before, list.after)
		} else if got != list.want {
			t.Errorf("%s lists the constraints as\n%s\nwant\n%s", list.file, got, list.want)
		}
	}
}
