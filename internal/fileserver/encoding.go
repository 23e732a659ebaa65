package fileserver

import (
	"io"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strings"

	"github.com/muxwell/muxwell/internal/mediatype"
)

// An Encoding is a content coding, and the extension of the files that have it: app.js.gz
// is app.js with the coding gzip.
type Encoding struct{ Coding, Extension string }

// maxAcceptEncoding is the length of the longest Accept-Encoding header that is read. A
// browser's has about 30 bytes.
const maxAcceptEncoding = 4 << 10

// negotiate returns the encoding of f that the client prefers, or none, and whether there
// is any (RFC 9110 §12.5.3). The highest quality wins, then the smallest file. The quality
// of f itself is the lowest one, unless the header lists it.
func (s *Server) negotiate(accept []string, f foundFile) (best *Encoding, exists bool) {
	if len(strings.Join(accept, ",")) > maxAcceptEncoding {
		accept = nil
	}
	quality, _ := mediatype.CodingQuality(accept, "identity")
	size := f.info.Size()
	for i := range s.options.Encodings {
		e := &s.options.Encodings[i]
		info, err := fs.Stat(s.fsys, f.name+e.Extension)
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		exists = true
		if q, _ := mediatype.CodingQuality(accept, e.Coding); q > quality || q == quality && q > 0 && info.Size() < size {
			best, quality, size = e, q, info.Size()
		}
	}
	return best, exists
}

// openEncoded opens the file that has f with an encoding. It reports false if that was
// removed, or has no Seek method.
func (s *Server) openEncoded(f foundFile, e *Encoding) (encoded foundFile, ok bool) {
	encoded, err := s.openFile(f.name + e.Extension)
	if err != nil {
		return f, false
	}
	if _, ok = encoded.file.(io.Seeker); !ok {
		encoded.file.Close()
	}
	return encoded, ok
}

// withoutDatedRange returns a request without its range if that depends on a date. The
// files with a name and its encodings may have the same date, so a date does not identify
// the bytes of which the client wants more (RFC 9110 §13.1.5).
func withoutDatedRange(r *http.Request) *http.Request {
	if since := r.Header.Get("If-Range"); since == "" || strings.Contains(since, `"`) {
		return r
	}
	r2 := *r
	r2.Header = r.Header.Clone()
	r2.Header.Del("Range")
	return &r2
}

// addVary adds a name to the Vary header, unless that has it.
func addVary(h http.Header, name string) {
	for _, line := range h["Vary"] {
		for have := range strings.SplitSeq(line, ",") {
			if have = strings.TrimSpace(have); have == "*" || strings.EqualFold(have, name) {
				return
			}
		}
	}
	h.Add("Vary", name)
}

// setContentType sets the Content-Type of a file that is not sent itself, if FileServer
// would look for it in the content. It reads from the file.
func setContentType(h http.Header, f foundFile) {
	if _, ok := h["Content-Type"]; ok || mime.TypeByExtension(path.Ext(f.info.Name())) != "" {
		return
	}
	var begin [512]byte // DetectContentType reads no more
	n, _ := io.ReadFull(f.file, begin[:])
	h.Set("Content-Type", http.DetectContentType(begin[:n]))
}

// An encodedWriter adds Content-Encoding to a response with content. So http.ServeContent,
// which leaves out the Content-Length of what others encode, does not see it.
type encodedWriter struct {
	http.ResponseWriter
	coding string
}

func (w encodedWriter) WriteHeader(status int) {
	if status == http.StatusOK || status == http.StatusPartialContent {
		w.Header().Set("Content-Encoding", w.coding)
	}
	w.ResponseWriter.WriteHeader(status)
}

// ReadFrom leaves the copying to the server's writer.
func (w encodedWriter) ReadFrom(src io.Reader) (int64, error) { return io.Copy(w.ResponseWriter, src) }
