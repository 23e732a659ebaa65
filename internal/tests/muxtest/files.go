package muxtest

import (
	"testing/fstest"
	"time"
)

// Changed is when the files of [FS] were modified.
var Changed = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// FS returns a file system of files whose text is their name.
func FS(names ...string) fstest.MapFS {
	fsys := fstest.MapFS{}
	for _, name := range names {
		fsys[name] = &fstest.MapFile{Data: []byte(name), ModTime: Changed}
	}
	return fsys
}
