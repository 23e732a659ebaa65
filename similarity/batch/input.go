package batch

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"
)

// An input is the file that is read.
type input struct {
	name  string
	r     io.Reader
	file  *os.File    // nil if r cannot be read again from an offset
	info  fs.FileInfo // nil if there is none
	close func() error
}

// An identity distinguishes an input from other inputs, and from itself after a change.
type identity struct {
	Size     int64     `json:"size"`
	Modified time.Time `json:"modified"`
	Head     string    `json:"head"` // the SHA-256 of the first bytes
}

// identityHead is how many bytes of the input identity.Head is of.
const identityHead = 1 << 20

// openInput opens the file with a name, or uses standard input. When ctx is done, reads
// that may block, as those of a pipe, are abandoned.
func openInput(ctx context.Context, name string, stdin io.Reader) (*input, error) {
	if name == "-" {
		in := &input{name: "the standard input", r: &leavable{ctx: ctx, r: stdin}, close: func() error { return nil }}
		if f, ok := stdin.(*os.File); ok {
			in.info, _ = f.Stat() // only to see whether it is an output, too
		}
		return in, nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	switch {
	case err != nil:
		f.Close()
		return nil, err
	case info.IsDir():
		f.Close()
		return nil, fmt.Errorf("%s is a directory, not a CSV file", name)
	}
	in := &input{name: name, r: f, info: info, close: f.Close}
	if info.Mode().IsRegular() {
		in.file = f
	} else {
		in.r = &leavable{ctx: ctx, r: f}
	}
	return in, nil
}

// A leavable reader abandons a read when ctx is done.
type leavable struct {
	ctx context.Context
	r   io.Reader
}

// Read reads into memory of its own, because an abandoned read may end later.
func (l *leavable) Read(b []byte) (int, error) {
	type read struct {
		data []byte
		err  error
	}
	done := make(chan read, 1)
	go func() {
		own := make([]byte, min(len(b), 64<<10))
		n, err := l.r.Read(own)
		done <- read{own[:n], err}
	}()
	select {
	case <-l.ctx.Done():
		return 0, l.ctx.Err()
	case got := <-done:
		return copy(b, got.data), got.err
	}
}

// size returns the number of bytes, or -1 if it is not known.
func (in *input) size() int64 {
	if in.file == nil {
		return -1
	}
	return in.info.Size()
}

// identity returns the identity of a regular file, as it was opened.
func (in *input) identity() (identity, error) {
	var head bytes.Buffer
	if _, err := io.Copy(&head, io.NewSectionReader(in.file, 0, min(identityHead, in.info.Size()))); err != nil {
		return identity{}, err
	}
	sum := sha256.Sum256(head.Bytes())
	return identity{Size: in.info.Size(), Modified: in.info.ModTime().UTC(), Head: hex.EncodeToString(sum[:])}, nil
}

// checkUnchanged returns an error if the file has changed since it was opened.
func (in *input) checkUnchanged() error {
	if in.file == nil {
		return nil
	}
	now, err := in.file.Stat()
	if err != nil {
		return err
	}
	if now.Size() != in.info.Size() || !now.ModTime().Equal(in.info.ModTime()) {
		return fmt.Errorf("%s changed while it was read; start again with -force when it is complete", in.name)
	}
	return nil
}

// splitterAt returns a splitter for the input after a position.
func (in *input) splitterAt(p position, o *options) (*splitter, error) {
	if _, err := in.file.Seek(p.Input, io.SeekStart); err != nil {
		return nil, err
	}
	return newSplitter(in.file, o.comma, o.limit, p.Input, p.Line), nil
}
