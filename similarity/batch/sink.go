package batch

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// A sink is a file that rows are appended to, or standard output.
type sink struct {
	name string
	w    io.Writer
	end  io.Closer // of w, nil if it is left open
	file *os.File  // nil if it is not a regular file, but for example a terminal or a pipe
	size int64     // of what was written, also by the run that is continued
	made bool      // by openSink
}

// openSink opens a file for appending, creating it if necessary, and locks it.
func openSink(name string) (*sink, error) {
	_, statErr := os.Stat(name)
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666)
	if os.IsPermission(err) && statErr == nil {
		f, err = os.OpenFile(name, os.O_WRONLY, 0) // a device may refuse to be read
	}
	if err != nil {
		return nil, fmt.Errorf("%w; write to other files with -out and -rejected", err)
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, err
	}
	s := &sink{name: name, w: f, end: f, made: errors.Is(statErr, fs.ErrNotExist)}
	if !info.Mode().IsRegular() {
		return s, nil
	}
	s.file, s.size = f, info.Size()
	if err := lock(f); err != nil {
		f.Close()
		return nil, fmt.Errorf("%s is being written by another run; wait for it, or write to other files with -out and -rejected", name)
	}
	return s, nil
}

// rewind truncates the file at an offset and continues there.
func (s *sink) rewind(offset int64) error {
	s.size = offset
	if s.file == nil {
		return nil
	}
	if err := s.file.Truncate(offset); err != nil {
		return err
	}
	_, err := s.file.Seek(offset, io.SeekStart)
	return err
}

// write appends bytes.
func (s *sink) write(b []byte) error {
	if len(b) == 0 {
		return nil
	}
	n, err := s.w.Write(b)
	s.size += int64(n)
	if err != nil && s.file == nil && s.name == "-" {
		return fmt.Errorf("write to standard output: %w", err)
	}
	return err
}

// sync syncs the written bytes to the disk.
func (s *sink) sync() error {
	if s == nil || s.file == nil {
		return nil
	}
	return s.file.Sync()
}

// close closes the file.
func (s *sink) close() error {
	if s == nil || s.end == nil {
		return nil
	}
	return s.end.Close()
}

// removeNew removes a file that was created and is empty.
func (s *sink) removeNew() {
	if s != nil && s.made && s.size == 0 {
		os.Remove(s.name)
	}
}
