// Package wholefile writes files that are there whole or not at all.
//
// The content goes to a temporary file in the same folder, which is then renamed. Its
// name is random and it must not exist, so that nobody can have put a symbolic link
// there that would be followed. Its mode is that of any new file: 0666 without the
// bits of the umask.
package wholefile

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Replace has write write a file, and puts it in place of the one called name. A
// symbolic link of that name is replaced, not followed. If anything fails, or write
// panics, the file called name is as it was and the temporary one is removed. It is
// left behind only if the process is killed; see [RemoveLeftovers].
func Replace(name string, write func(*os.File) error) error {
	f, err := create(name)
	if err != nil {
		return err
	}
	replaced := false
	defer func() {
		if !replaced {
			f.Close()
			os.Remove(f.Name())
		}
	}()
	if err := write(f); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), name); err != nil {
		return err
	}
	replaced = true
	return nil
}

// Write is [Replace] for the file that a user names: if there is something that is
// neither a regular file nor a directory, such as a pipe or a device, write writes to
// that.
func Write(name string, write func(*os.File) error) error {
	info, err := os.Stat(name)
	if err != nil || info.Mode().IsRegular() || info.IsDir() {
		return Replace(name, write)
	}
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return errors.Join(write(f), f.Close())
}

// RemoveLeftovers removes the temporary files that calls of [Replace] for name have
// left in processes that were killed, as far as it can. No call may be under way.
func RemoveLeftovers(name string) {
	dir := filepath.Dir(name)
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if isTemporary(e.Name(), filepath.Base(name)) {
			os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}

const (
	randomSize = 10
	alphabet   = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567" // of rand.Text
	extension  = ".tmp"
)

// randomText returns what makes the name of a temporary file unpredictable. Tests
// replace it.
var randomText = func() string { return rand.Text()[:randomSize] }

// create creates a temporary file for one called name.
func create(name string) (*os.File, error) {
	for try := 0; ; try++ {
		f, err := os.OpenFile(name+"."+randomText()+extension, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
		if try == 100 || !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
}

// isTemporary reports whether a file called entry can be a temporary one for base.
func isTemporary(entry, base string) bool {
	middle, ok := strings.CutPrefix(entry, base+".")
	middle, isTmp := strings.CutSuffix(middle, extension)
	return ok && isTmp && len(middle) == randomSize && strings.Trim(middle, alphabet) == ""
}
