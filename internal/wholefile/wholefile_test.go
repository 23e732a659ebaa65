package wholefile

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"testing"
)

// text returns a function that writes a text.
func text(s string) func(*os.File) error {
	return func(f *os.File) error {
		_, err := f.WriteString(s)
		return err
	}
}

// put writes a file as os.WriteFile does.
func put(t *testing.T, name, content string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
}

// check checks what a file has.
func check(t *testing.T, name, want string) {
	t.Helper()
	if got, err := os.ReadFile(name); err != nil || string(got) != want {
		t.Errorf("%s: got %q and error %v, want %q", name, got, err, want)
	}
}

// checkFolder checks the names of all files in the working directory, which are sorted.
func checkFolder(t *testing.T, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if !slices.Equal(got, want) {
		t.Errorf("the folder has %q, want %q", got, want)
	}
}

// link makes a symbolic link, or skips the test where it cannot.
func link(t *testing.T, to, name string) {
	t.Helper()
	if err := os.Symlink(to, name); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
}

func TestReplace(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, content := range []string{"new", "longer", ""} {
		if err := Replace("a", text(content)); err != nil {
			t.Fatal(err)
		}
		check(t, "a", content)
		checkFolder(t, "a")
	}
}

// TestReplaceMode: the mode is that of a file that is made without ado, not that of
// os.CreateTemp.
func TestReplaceMode(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, "usual", "")
	want, err := os.Stat("usual")
	if err != nil {
		t.Fatal(err)
	}
	if err := Replace("a", text("x")); err != nil {
		t.Fatal(err)
	}
	got, err := os.Stat("a")
	if err != nil {
		t.Fatal(err)
	}
	if got.Mode() != want.Mode() {
		t.Errorf("got mode %v, want %v", got.Mode(), want.Mode())
	}
}

// TestReplaceFollowsNoLink: links at the name and at the temporary name lead nowhere.
func TestReplaceFollowsNoLink(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, "victim", "mine")
	link(t, "victim", "a")
	link(t, "victim", "a.AAAAAAAAAA.tmp")
	link(t, "missing", "a.BBBBBBBBBB.tmp")
	defer func(f func() string) { randomText = f }(randomText)
	texts := []string{"AAAAAAAAAA", "BBBBBBBBBB", "CCCCCCCCCC"}
	randomText = func() (s string) {
		s, texts = texts[0], texts[1:]
		return s
	}
	if err := Replace("a", text("x")); err != nil {
		t.Fatal(err)
	}
	if len(texts) > 0 {
		t.Errorf("%q were not tried", texts)
	}
	check(t, "victim", "mine")
	check(t, "a", "x")
	checkFolder(t, "a", "a.AAAAAAAAAA.tmp", "a.BBBBBBBBBB.tmp", "victim")

	randomText = func() string { return "AAAAAAAAAA" }
	if err := Replace("a", text("y")); !errors.Is(err, fs.ErrExist) {
		t.Errorf("all names are taken: got error %v", err)
	}
	check(t, "victim", "mine")
	check(t, "a", "x")
}

// TestReplaceCleansUp: a call that fails changes nothing and leaves nothing behind.
func TestReplaceCleansUp(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, "a", "old")
	if err := os.MkdirAll("dir/sub", 0o777); err != nil {
		t.Fatal(err)
	}
	errFull := errors.New("full")
	fail := func(f *os.File) error {
		f.WriteString("half")
		return errFull
	}
	for _, tt := range []struct {
		what, name string
		write      func(*os.File) error
	}{
		{"writing fails", "a", fail},
		{"writing panics", "a", func(f *os.File) error { fail(f); panic(errFull) }},
		{"closing fails", "a", func(f *os.File) error { return f.Close() }},
		{"renaming fails", "dir", text("x")},
		{"there is no folder", "missing/a", text("x")},
	} {
		failed := func() (failed bool) {
			defer func() { failed = failed || recover() != nil }()
			return Replace(tt.name, tt.write) != nil
		}()
		if !failed {
			t.Errorf("%s: no error", tt.what)
		}
		check(t, "a", "old")
		checkFolder(t, "a", "dir")
	}
}

// TestWrite: anything but a regular file is written to, and remains.
func TestWrite(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, "a", "old")
	if err := Write("a", text("x")); err != nil {
		t.Fatal(err)
	}
	check(t, "a", "x")
	if err := Write("b", text("y")); err != nil {
		t.Fatal(err)
	}
	check(t, "b", "y")
	if err := Write(".", text("y")); err == nil {
		t.Error("a directory: no error")
	}
	link(t, os.DevNull, "null")
	if err := Write("null", text("z")); err != nil {
		t.Fatal(err)
	}
	if to, err := os.Readlink("null"); err != nil || to != os.DevNull {
		t.Errorf("null: leads to %q, error %v", to, err)
	}
	checkFolder(t, "a", "b", "null")
}
