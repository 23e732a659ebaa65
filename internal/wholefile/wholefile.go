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
)

// Replace has write write a file, and puts it in place of the one called name. A
// symbolic link of that name is replaced, not followed. If anything fails, or write
// panics, the file called name is as it was and the temporary one is removed. It is
// left behind only if the process is killed.
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

// randomText returns what makes the name of a temporary file unpredictable. Tests
// replace it.
var randomText = func() string { return rand.Text()[:10] }

// create creates a temporary file for one called name.
func create(name string) (*os.File, error) {
	for try := 0; ; try++ {
		f, err := os.OpenFile(name+"."+randomText()+".tmp", os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
		if try == 100 || !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
}
