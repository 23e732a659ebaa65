// Package fileserver serves the files of an [fs.FS], and interprets each path in one
// way only.
//
// [http.FileServer] interprets r.URL.Path again: it cleans it and splits it at every
// slash, including those that were sent as %2F. A router has split the path as it was
// sent, so a guard for one interpretation does not protect the other. A Server passes a
// path on only if both interpretations are the same:
//
//	GET /u/{user}/www/{path...}    /u/a%2Fb/www/css/my%20.css    /css/my .css
//	                               /u/ann/www/css%2Fmy.css       404
//
// Content types, ranges and conditional requests are those of http.FileServer.
//
// The package does not know patterns: callers pass the number of segments before the
// name of the file.
package fileserver

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"mime"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/muxwell/muxwell/internal/urlpath"
)

// Options are the options of [New].
type Options struct {
	NoListing bool   // answer requests for a directory without an index.html with 404
	Fallback  bool   // answer requests that name no file with Page; this implies NoListing
	Page      string // the name of the page for Fallback
}

// A Server serves the files of a file system. It does not change, and is safe for
// concurrent use if the file system is.
type Server struct {
	fsys    fs.FS
	handler http.Handler // FileServer's
	options Options
}

// New returns a server of the files of fsys. It returns an error if o.Page cannot be
// served, whose text is the reason.
func New(fsys fs.FS, o Options) (*Server, error) {
	if o.Fallback {
		o.NoListing = true
	}
	if o.NoListing {
		fsys = unlistedFS{fsys}
	}
	s := &Server{fsys: fsys, handler: http.FileServerFS(fsys), options: o}
	if o.Fallback {
		if err := s.checkPage(); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// checkPage returns why the page of the fallback cannot be served, or nil.
func (s *Server) checkPage() error {
	if !fs.ValidPath(s.options.Page) {
		return errors.New("the name is not valid; write it from the root of the file system, without slashes at the beginning and end")
	}
	switch d, err := fs.Stat(s.fsys, s.options.Page); {
	case err != nil:
		return fmt.Errorf("the file system cannot open it: %w", err)
	case d.IsDir():
		return errors.New("it is a directory; name a file")
	}
	return nil
}

// Serve answers a request for the file whose name follows the first strip segments of
// the path. It answers 404 if the path does not have these segments. All redirects are
// relative.
func (s *Server) Serve(w http.ResponseWriter, r *http.Request, strip int) {
	part, ok := partOf(r.URL, strip)
	if !ok {
		http.NotFound(w, r)
		return
	}
	sent, slash := strings.CutSuffix(r.URL.EscapedPath(), "/")
	sent = sent[strings.LastIndexByte(sent, '/')+1:] // the last segment, as it was sent
	if part == "" {
		redirectTo(w, r, sent+"/")
		return
	}
	// FileServer does not escape the name to which it redirects.
	kind, unusual := unknownFile, sent != path.Base(part) || strings.Contains(sent, ":")
	if s.options.NoListing || unusual && part != "/" {
		kind = s.look(fileName(part))
	}
	switch {
	case s.options.Fallback && (kind == noFile || kind == bareDir):
		s.serveFallback(w, r, part)
	case s.options.NoListing && kind == bareDir:
		http.NotFound(w, r)
	case kind.isDir() && !slash:
		redirectTo(w, r, sent+"/")
	case kind == regularFile && slash:
		redirectTo(w, r, "../"+sent)
	default:
		if s.isPage(kind, part) {
			setNoCache(w)
		}
		s.handler.ServeHTTP(w, withPath(r, part))
	}
}

// partOf returns what follows the first strip segments of a path, unescaped and with
// its leading slash, and whether it may be passed on. The part is empty if the path
// ends with those segments and without a slash.
func partOf(u *url.URL, strip int) (part string, ok bool) {
	part, escaped := u.Path, u.RawPath != ""
	if escaped {
		part = u.EscapedPath()
	}
	for range strip {
		if part == "" || part[0] != '/' {
			return "", false // the path does not have the segments
		}
		_, after, found := strings.Cut(part[1:], "/")
		if part = ""; found {
			part = "/" + after
		}
	}
	if escaped {
		unescaped, err := url.PathUnescape(part)
		if err != nil || strings.Count(unescaped, "/") != strings.Count(part, "/") {
			return "", false
		}
		part = unescaped
	}
	if part == "" || part == "/" {
		return part, part != "" || strip > 0
	}
	name := fileName(part)
	return part, name != "." && fs.ValidPath(name) && !strings.ContainsAny(name, "\\\x00")
}

// fileName returns the name in the fs.FS for a part of a path.
func fileName(part string) string {
	if part == "/" {
		return "."
	}
	return strings.TrimSuffix(strings.TrimPrefix(part, "/"), "/")
}

// A fileKind is the kind of file that a name refers to.
type fileKind uint8

const (
	unknownFile fileKind = iota // not looked up, or there is an error that FileServer reports
	noFile
	regularFile
	indexedDir // a directory with an index.html
	bareDir    // a directory without one
)

func (k fileKind) isDir() bool { return k == indexedDir || k == bareDir }

const indexPage = "index.html"

// look returns the kind of file that a name refers to.
func (s *Server) look(name string) fileKind {
	d, err := s.stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return noFile
	case err != nil:
		return unknownFile
	case !d.IsDir():
		return regularFile
	}
	if d, err := s.stat(path.Join(name, indexPage)); err != nil || d.IsDir() {
		return bareDir
	}
	return indexedDir
}

// stat is fs.Stat with the errors that FileServer gets. If a directory in the name is a
// file, the error is fs.ErrNotExist.
func (s *Server) stat(name string) (fs.FileInfo, error) {
	file, err := http.FS(s.fsys).Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return file.Stat()
}

// serveFallback answers a request for a part of the path that names no file.
func (s *Server) serveFallback(w http.ResponseWriter, r *http.Request, part string) {
	if strings.Contains(part[strings.LastIndexByte(part, '/'):], ".") {
		w.Header().Add("Vary", "Accept")
		if !acceptsHTML(r.Header["Accept"]) {
			http.NotFound(w, r)
			return
		}
	}
	setNoCache(w)
	http.ServeFileFS(w, withPath(r, "/"), s.fsys, s.options.Page) // ServeFileFS would redirect a path that ends in /index.html
}

// isPage reports whether a part of a path, which refers to kind, is that of the
// fallback page itself.
func (s *Server) isPage(kind fileKind, part string) bool {
	name := fileName(part)
	return s.options.Fallback && (kind == regularFile && name == s.options.Page ||
		kind == indexedDir && path.Join(name, indexPage) == s.options.Page)
}

func setNoCache(w http.ResponseWriter) {
	if h := w.Header(); h.Get("Cache-Control") == "" {
		h.Set("Cache-Control", "no-cache")
	}
}

// acceptsHTML reports whether an Accept header lists text/html itself. A range
// such as */* does not count.
func acceptsHTML(accept []string) bool {
	return slices.ContainsFunc(strings.Split(strings.Join(accept, ","), ","), func(item string) bool {
		media, params, err := mime.ParseMediaType(item)
		return err == nil && media == "text/html" && strings.Trim(cmp.Or(params["q"], "1"), "0.") != ""
	})
}

// redirectTo redirects to an escaped path that is relative to the request's own, as
// FileServer does. A browser would interpret one with a colon as a whole URL.
func redirectTo(w http.ResponseWriter, r *http.Request, to string) {
	if strings.Contains(to, ":") {
		to = "./" + to
	}
	if q := r.URL.RawQuery; q != "" {
		to += "?" + urlpath.EscapeControls(q)
	}
	w.Header().Set("Location", to)
	w.WriteHeader(http.StatusMovedPermanently)
}

// withPath returns a copy of r with another path, like [http.StripPrefix], and with a
// query that FileServer can put into a Location unchanged.
func withPath(r *http.Request, path string) *http.Request {
	r2, u := *r, *r.URL
	u.Path, u.RawPath, u.RawQuery = path, "", urlpath.EscapeControls(u.RawQuery)
	r2.URL = &u
	return &r2
}

// An unlistedFS opens directories in a way that they cannot be listed.
type unlistedFS struct{ fs.FS }

func (u unlistedFS) Open(name string) (fs.File, error) {
	file, err := u.FS.Open(name)
	if err != nil {
		return nil, err
	}
	if s, ok := file.(io.Seeker); ok {
		return struct {
			fs.File
			io.Seeker
		}{file, s}, nil
	}
	return struct{ fs.File }{file}, nil
}
