package fileserver

import (
	"io"
	"net/http"
	"path"
)

// A CacheControl is the Cache-Control header of the files whose names match a glob, which
// must be valid for [path.Match].
type CacheControl struct{ Glob, Value string }

// setCacheControl sets the Cache-Control header of a file, unless the response has one. It
// returns the writer to use, which removes the header from a 412.
func (s *Server) setCacheControl(w http.ResponseWriter, r *http.Request, name string) http.ResponseWriter {
	value := s.cacheControl(name)
	if value == "" || w.Header().Get("Cache-Control") != "" {
		return w
	}
	w.Header().Set("Cache-Control", value)
	if r.Header["If-Match"] != nil || r.Header["If-Unmodified-Since"] != nil {
		return failedWriter{w}
	}
	return w
}

// A failedWriter removes Cache-Control from a 412, the only error for which
// http.ServeContent does not.
type failedWriter struct{ http.ResponseWriter }

func (w failedWriter) WriteHeader(status int) {
	if status == http.StatusPreconditionFailed {
		w.Header().Del("Cache-Control")
	}
	w.ResponseWriter.WriteHeader(status)
}

// ReadFrom leaves the copying to the server's writer.
func (w failedWriter) ReadFrom(src io.Reader) (int64, error) { return io.Copy(w.ResponseWriter, src) }

func (s *Server) cacheControl(name string) string {
	for i := len(s.options.CacheControl) - 1; i >= 0; i-- {
		c := &s.options.CacheControl[i]
		if matched, _ := path.Match(c.Glob, name); matched {
			return c.Value
		}
	}
	if s.options.Fallback && name == s.options.Page {
		return "no-cache"
	}
	return ""
}
