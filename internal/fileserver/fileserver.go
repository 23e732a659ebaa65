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
// Everything else is that of http.FileServer: content types, ranges, conditional requests,
// redirects, lists and errors. A Server adds entity tags, Cache-Control and precompressed
// files to the answers with a file.
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
	NoListing    bool           // answer requests for a directory without an index.html with 404
	Fallback     bool           // answer requests that name no file with Page; this implies NoListing
	Page         string         // the name of the page for Fallback
	CacheControl []CacheControl // the last one that matches a file is used
	Encodings    []Encoding     // of precompressed files; of two that are as good, the first one is used
}

// A Server serves the files of a file system. It does not change, and is safe for
// concurrent use if the file system is.
type Server struct {
	fsys    fs.FS
	listing fs.FS        // fsys, without lists if these are turned off
	handler http.Handler // FileServer's
	options Options
	etags   etags
}

// New returns a server of the files of fsys. It returns an error if o.Page cannot be
// served, whose text is the reason.
func New(fsys fs.FS, o Options) (*Server, error) {
	s := &Server{fsys: fsys, listing: fsys, options: o}
	if o.Fallback {
		s.options.NoListing = true
	}
	if s.options.NoListing {
		s.listing = unlistedFS{fsys}
	}
	s.handler = http.FileServerFS(s.listing)
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
	f := s.open(fileName(part))
	if f.file != nil {
		defer f.file.Close()
	}
	switch {
	case s.options.Fallback && (f.kind == noFile || f.kind == bareDir):
		s.serveFallback(w, r, part)
	case s.options.NoListing && f.kind == bareDir:
		http.NotFound(w, r)
	case f.kind == unknownFile || f.kind == noFile || strings.HasSuffix(part, "/"+indexPage):
		s.handler.ServeHTTP(w, withPath(r, part))
	// FileServer does not escape the name to which it redirects.
	case f.kind.isDir() && !slash:
		redirectTo(w, r, sent+"/")
	case f.kind == regularFile && slash:
		redirectTo(w, r, "../"+sent)
	case f.kind == bareDir:
		s.handler.ServeHTTP(w, withPath(r, part))
	default:
		s.serveFile(w, r, f)
	}
}

// NameOf returns the name of the file for a path, "." for the root, as Serve determines it,
// and whether there is one.
func NameOf(u *url.URL, strip int) (name string, ok bool) {
	part, ok := partOf(u, strip)
	return fileName(part), ok && part != ""
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
	unknownFile fileKind = iota // there is an error that FileServer reports
	noFile
	regularFile
	indexedDir // a directory with an index.html
	bareDir    // a directory without one
)

func (k fileKind) isDir() bool { return k == indexedDir || k == bareDir }

const indexPage = "index.html"

// A foundFile is what a name refers to. If that is a regular file, or a directory with an
// index.html, the file is open.
type foundFile struct {
	kind fileKind
	name string // of the file that is open
	file fs.File
	info fs.FileInfo
}

// open looks up a name.
func (s *Server) open(name string) foundFile {
	f, err := s.openFile(name)
	switch {
	case err != nil && s.isMissing(name, err):
		return foundFile{kind: noFile}
	case err != nil:
		return foundFile{}
	case !f.info.IsDir():
		return f
	}
	f.file.Close()
	if f, err = s.openFile(path.Join(name, indexPage)); err == nil {
		if !f.info.IsDir() {
			f.kind = indexedDir
			return f
		}
		f.file.Close()
	}
	return foundFile{kind: bareDir}
}

// openFile opens a file or a directory.
func (s *Server) openFile(name string) (foundFile, error) {
	file, err := s.fsys.Open(name)
	if err != nil {
		return foundFile{}, err
	}
	info, err := file.Stat()
	if err != nil {
		file.Close()
		return foundFile{}, err
	}
	return foundFile{regularFile, name, file, info}, nil
}

// isMissing reports whether an error means that there is no file with the name. FileServer
// also considers it missing if a directory in the name is a file.
func (s *Server) isMissing(name string, err error) bool {
	if errors.Is(err, fs.ErrNotExist) {
		return true
	}
	file, err := http.FS(s.fsys).Open(name)
	if err == nil {
		file.Close()
	}
	return errors.Is(err, fs.ErrNotExist)
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
	f, err := s.openFile(s.options.Page)
	if err == nil {
		defer f.file.Close()
	}
	if err != nil || f.info.IsDir() {
		http.ServeFileFS(w, withPath(r, "/"), s.listing, s.options.Page)
		return
	}
	s.serveFile(w, r, f)
}

// serveFile answers with an open file, or with one that has it encoded.
func (s *Server) serveFile(w http.ResponseWriter, r *http.Request, f foundFile) {
	h, base := w.Header(), f.info.Name()
	w = s.setCacheControl(w, r, f.name)
	if h["Content-Encoding"] == nil { // otherwise middleware encodes the response
		e, exists := s.negotiate(r.Header["Accept-Encoding"], f)
		if exists {
			addVary(h, "Accept-Encoding")
			r = withoutDatedRange(r)
		}
		if e != nil {
			if encoded, ok := s.openEncoded(f, e); ok {
				defer encoded.file.Close()
				setContentType(h, f)
				w, f = encodedWriter{w, e.Coding}, encoded
			}
		}
	}
	s.setETag(h, f)
	if content, ok := f.file.(io.ReadSeeker); ok {
		http.ServeContent(w, r, base, f.info.ModTime(), content)
	} else {
		http.ServeFileFS(w, withPath(r, "/"), s.listing, f.name) // it needs no Seek for whole files
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
