package fileserver

import (
	"crypto/sha256"
	"encoding/base64"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"
)

// setETag sets the entity tag of a file without a time, for which FileServer sends no
// validator, unless the response has one. The tag of an encoded file is that of its own
// content, so each representation has its own.
//
// FileServer will set the tag itself if the file system has a hash (golang/go#60940). The
// tag has the format of that proposal.
func (s *Server) setETag(h http.Header, f foundFile) {
	if t := f.info.ModTime(); !t.IsZero() && !t.Equal(time.Unix(0, 0)) || h["Etag"] != nil || f.info.Size() > maxHashed {
		return
	}
	if tag := s.etags.of(f.name, f.info.Size(), s.hash); tag != "" {
		h.Set("ETag", tag)
	}
}

// maxHashed is the size of the largest file that is hashed, which takes a tenth of a second
// at most.
const maxHashed = 64 << 20

// hash returns the entity tag for the content of a file, or "" if that does not have the
// size or cannot be read.
func (s *Server) hash(name string, size int64) string {
	file, err := s.fsys.Open(name)
	if err != nil {
		return ""
	}
	defer file.Close()
	sum := sha256.New()
	if n, err := io.Copy(sum, io.LimitReader(file, size+1)); err != nil || n != size {
		return ""
	}
	return `"sha256:` + base64.StdEncoding.EncodeToString(sum.Sum(nil)[:16]) + `"`
}

// An etags keeps the entity tags of files by name.
type etags struct {
	mu    sync.RWMutex
	known map[string]*etag
}

// An etag is the entity tag of a file, which is computed when it is first needed.
type etag struct {
	size int64
	once sync.Once
	tag  string
}

// maxETags is the number of tags that are kept. If a file system has more files, all tags
// are forgotten and computed again.
const maxETags = 1 << 14

// of returns the tag of a file. It calls hash once for each name and size.
func (e *etags) of(name string, size int64, hash func(name string, size int64) string) string {
	e.mu.RLock()
	t := e.known[name]
	e.mu.RUnlock()
	if t == nil || t.size != size {
		t = e.add(name, size)
	}
	t.once.Do(func() { t.tag = hash(name, size) })
	return t.tag
}

// add returns the tag of a file, which it adds if no one else has.
func (e *etags) add(name string, size int64) *etag {
	e.mu.Lock()
	defer e.mu.Unlock()
	if t := e.known[name]; t != nil && t.size == size {
		return t
	}
	if e.known == nil || len(e.known) >= maxETags {
		e.known = make(map[string]*etag)
	}
	t := &etag{size: size}
	e.known[strings.Clone(name)] = t
	return t
}
