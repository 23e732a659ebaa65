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
	var doc, reference strings.Builder
	for _, b := range Builtins {
		fmt.Fprintf(&doc, "//\t%-7s %s\n", b.Name, strings.ReplaceAll(b.Doc, "`", ""))
		fmt.Fprintf(&reference, "| `%s` | %s | `%s` |\n", b.Name, b.Doc, b.Example)
	}
	for _, list := range []struct{ file, before, after, want string }{
		{"doc.go", "A constraint is a name,\n//\n", "//\n// or one that [Constraint] gives", doc.String()},
		{"docs/patterns.md", "| constraint | matches | for example |\n| --- | --- | --- |\n", "| a name of your own |", reference.String()},
	} {
		text, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(list.file)))
		if err != nil {
			t.Fatal(err)
		}
		_, got, ok := strings.Cut(string(text), list.before)
		got, _, found := strings.Cut(got, list.after)
		if !ok || !found {
			t.Errorf("%s has no list of constraints between %q and %q", list.file, list.before, list.after)
		} else if got != list.want {
			t.Errorf("%s lists the constraints as\n%s\nwant\n%s", list.file, got, list.want)
		}
	}
}
