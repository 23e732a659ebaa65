package fileserver

import (
	"net/http"
	"path"
)

// A CacheControl is the Cache-Control header of the files whose names match a glob, which
// must be valid for [path.Match].
type CacheControl struct{ Glob, Value string }

// setCacheControl sets the Cache-Control header of a file, unless the response has one.
func (s *Server) setCacheControl(h http.Header, name string) {
	if value := s.cacheControl(name); value != "" && h.Get("Cache-Control") == "" {
		h.Set("Cache-Control", value)
	}
}

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
