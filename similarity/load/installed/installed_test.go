package installed

import (
	"bytes"
	"compress/gzip"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/muxwell/muxwell/internal/tests/long"
)

// write writes a file in a directory, compressed if its name says so,.
func write(t *testing.T, dir, name, text string) {
	t.Helper()
	name = filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if strings.HasSuffix(name, ".gz") {
		w := gzip.NewWriter(&b)
		w.Write([]byte(text))
		w.Close()
	} else {
		b.WriteString(text)
	}
	if err := os.WriteFile(name, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
}

const page = `.\" A comment
.TH RM 1 "2026"
.SH NAME
rm \- remove the \fIfile\fR\&s
.de XX
a macro
..
.B "rm \-\-force"
`

// TestWalk: man pages become text, other files stay as they are, and what is not English
// and the rest of a family is left out.
func TestWalk(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "man/man1/rm.1.gz", page)
	write(t, dir, "man/de/man1/rm.1.gz", page)
	write(t, dir, "man/man1/git-add.1", "Add the file.\n")
	write(t, dir, "man/man1/git-log.1", "Show the log.\n")
	write(t, dir, "man/man1/git-rm.1", "Remove the file.\n")
	write(t, dir, "text/a.md", "Der Text ist deutsch.\n")
	write(t, dir, "text/b.md", "The text is English.\n")
	write(t, dir, "text/b.go", "package the\n")
	var got []string
	err := Walk([]string{dir}, Limits{Family: 2}, func(name, text string) error {
		got = append(got, strings.TrimPrefix("/"+name, filepath.ToSlash(dir))+": "+text)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"/man/man1/git-add.1: Add the file.\n",
		"/man/man1/git-log.1: Show the log.\n",
		"/man/man1/rm.1.gz: NAME\nrm - remove the files\nrm --force\n",
		"/text/b.md: The text is English.\n",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

// TestExcerpt: an excerpt is from the middle of a text, in whole words.
func TestExcerpt(t *testing.T) {
	for _, c := range []struct {
		text string
		size int
		want string
	}{
		{"one two three four five", 30, ""},
		{"one two three four five", 14, "three four"},
		{"one two\nthree\nfour five", 14, "three\nfour"},
		{"unbroken", 4, "brok"},
	} {
		if got := excerpt(c.text, c.size); got != c.want {
			t.Errorf("excerpt(%q, %d) = %q, want %q", c.text, c.size, got, c.want)
		}
	}
}

// TestWalkErrors: the error of visit, or of a directory or a file, ends the walk.
func TestWalkErrors(t *testing.T) {
	dir, stop := t.TempDir(), errors.New("stop")
	write(t, dir, "a.md", "The text.\n")
	if err := Walk([]string{dir}, Limits{}, func(string, string) error { return stop }); err != stop {
		t.Errorf("got error %v, want that of visit", err)
	}
	if err := Walk([]string{filepath.Join(dir, "missing")}, Limits{}, nil); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got error %v, want that the directory does not exist", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "b.txt.gz"), []byte("text of twenty bytes"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := read(filepath.Join(dir, "b.txt.gz")); err != gzip.ErrHeader {
		t.Errorf("got error %v, want that of a file that is not compressed", err)
	}
}

// TestManual converts the man pages of this machine: what is left of requests and escapes
// would be words of a text.
func TestManual(t *testing.T) {
	const dir = "/usr/share/man"
	if !long.Enabled() {
		t.Skip("reads all man pages; set MUXWELL_LONG=1")
	}
	if _, err := os.Stat(dir); err != nil {
		t.Skip(err)
	}
	pages, escaped := 0, 0
	err := Walk([]string{dir}, Limits{Size: 2048}, func(name, text string) error {
		pages++
		if strings.Contains(text, `\f`) || strings.Contains(text, "\n.SH") {
			escaped++
		}
		if !utf8.ValidString(text) || len(text) > 2048 || len(text) < 1024 {
			t.Errorf("%s has %d bytes: %.80q", name, len(text), text)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if escaped*100 > pages {
		t.Errorf("%d of %d man pages have escapes or requests", escaped, pages)
	}
}
