package muxwell

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

// http.FileServer reads r.URL.Path anew: it cleans it and splits it at every
// slash, also those that were sent as %2F. The mux has read the path as it was
// sent. So files hands on only a path of which both readings are one, without
// the segments in front of the pattern's catch-all:
//
//	GET /u/{user}/www/{path...}    /u/a%2Fb/www/css/my%20.css    /css/my .css
//	                               /u/ann/www/css%2Fmy.css       404
//
// What a file is, its type, ranges and conditional requests are FileServer's.

// Files serves the files of fsys, which opens files with a Seek method, to GET
// and HEAD requests. The pattern ends in a slash or a catch-all, and the text
// that the catch-all takes is the file's name:
//
//	m.Files("/static/", os.DirFS("public"))    /static/css/site.css is public/css/site.css
//
// Requests are answered by [http.FileServerFS], with its redirects to a
// directory's final slash and from its index.html, its status 403 where fsys
// denies permission, and its list of what is in a directory without an
// index.html; [NoListing] and [FallbackPage] turn that off. The pattern's methods
// may be GET and HEAD; if it has none, GET is put in front of it, so that other
// requests are answered with 405.
//
// A path is answered with 404, whatever [UncleanPath] says, if its part for the
// file has an escaped slash, a backslash, a NUL, a segment that is empty, "." or
// "..", escaped or not, or is not UTF-8: no path reaches a file but the one that
// spells its name, so a guard on a sibling's pattern cannot be bypassed. An
// index.html is reached by its directory's path, so guard that. A
// 404 for a missing file is FileServer's own; [NotFound] is not asked.
//
// Under [SlashIgnore] a request that misses the pattern's final slash is
// redirected to it, since a page's relative links would lead elsewhere. All
// redirects are relative, so Files may stand behind [http.StripPrefix].
// Middleware must leave r.URL as it is.
//
// os.DirFS follows symbolic links out of its directory; the FS of an os.Root
// does not, and answers 500. Files panics, with a [*PatternError] or
// [*OptionError], where [Mux.Handle] does, if fsys is nil, and if an option
// cannot be.
func (m *Mux) Files(pattern string, fsys fs.FS, options ...FilesOption) {
	text, f := newFiles(pattern, fsys, options)
	must(m.register(m.own(), "", text, f, nil, []RouteOption{f.mounted()}))
}

// A FilesOption sets how files are served; see [Mux.Files]. The zero FilesOption
// sets nothing.
type FilesOption struct{ apply func(*files) }

// FallbackPage answers requests that name no file with the file called name and
// status 200, as an application wants that routes in the browser. A directory
// without an index.html names no file, so none is listed. A path that
// [Mux.Files] refuses is still a 404.
//
// A path whose last segment has a dot in it is taken for a file's: if none is
// there the answer is the page only where the request's Accept header lists
// text/html, else 404. So a script that is missing is not answered with a page.
//
// Wherever the page itself is served the response gets Cache-Control: no-cache,
// if it has no Cache-Control, so that browsers learn of a new page; they may
// keep it and ask whether it has changed.
//
// The name is one that [fs.ValidPath] takes, and the file must be there when
// Files is called. If it is gone later, the answer is 404.
func FallbackPage(name string) FilesOption {
	return FilesOption{func(f *files) { f.page, f.fallback = name, true }}
}

// NoListing answers requests for a directory without an index.html with 404.
func NoListing() FilesOption {
	return FilesOption{func(f *files) { f.unlisted = true }}
}

// files is the handler of Files. It does not change once it is mounted.
type files struct {
	fsys     fs.FS
	server   http.Handler
	strip    int    // segments of the pattern in front of its catch-all
	page     string // of FallbackPage
	fallback bool   // there is a page
	unlisted bool   // no directory is listed
}

// newFiles returns the handler of [Mux.Files], and the pattern with its method.
// The handler must be registered with its mounted option, which checks what
// newFiles was given.
func newFiles(pattern string, fsys fs.FS, options []FilesOption) (text string, f *files) {
	f = &files{fsys: fsys}
	for _, o := range options {
		if o.apply != nil {
			o.apply(f)
		}
	}
	f.unlisted = f.unlisted || f.fallback
	if f.unlisted && fsys != nil {
		f.fsys = unlistedFS{fsys}
	}
	f.server = http.FileServerFS(f.fsys)
	return withGet(pattern), f
}

// withGet returns the pattern with GET in front, if it has no method.
func withGet(pattern string) string {
	trimmed := strings.TrimLeft(pattern, " \t")
	if i := strings.IndexAny(pattern, " \t/{"); trimmed == "" || i > 0 && (pattern[i] == ' ' || pattern[i] == '\t') {
		return pattern
	}
	return http.MethodGet + " " + trimmed
}

// mounted returns the option that mounts f on the route that it is registered
// with.
func (f *files) mounted() RouteOption {
	return RouteOption{func(rt *Route, _ rules) error { return f.mount(&rt.pattern) }}
}

// mount makes f serve requests that p matches, or says why it cannot.
func (f *files) mount(p *pattern) error {
	if err := checkFilesPattern(p); err != nil {
		return err
	}
	if f.fsys == nil {
		return patternError(p.str, p.path, "the file system is nil; pass one, as os.DirFS returns it")
	}
	if f.fallback {
		if err := f.checkPage(); err != nil {
			return err
		}
	}
	f.strip = len(p.segs) - 1
	return nil
}

// checkFilesPattern checks that files can be served where p matches.
func checkFilesPattern(p *pattern) error {
	at := 0
	for _, method := range p.methods {
		if method != http.MethodGet && method != http.MethodHead {
			return patternError(p.str, at, "files are served for GET and HEAD only; leave the methods out")
		}
		at += len(method) + len(",")
	}
	text, last := p.str[p.path:], p.last()
	switch {
	case last.kind == rest:
		return nil
	case middleAt(p.segs) >= 0:
		return patternError(p.str, len(p.str), "files need a pattern that ends in a catch-all, and there can be one only; leave out what follows it")
	case last.kind == end:
		text = strings.TrimSuffix(text, "{$}")
	case last.kind == param:
		text = strings.TrimSuffix(text, "}") + "...}"
	default:
		text += "/"
	}
	return patternError(p.str, len(p.str), "files need a pattern that ends in a slash or a catch-all; write %q", text)
}

// checkPage checks that the page of FallbackPage is there.
func (f *files) checkPage() error {
	fail := func(format string, args ...any) error {
		return &OptionError{Option: fmt.Sprintf("FallbackPage(%q)", f.page), Reason: fmt.Sprintf(format, args...)}
	}
	if !fs.ValidPath(f.page) {
		return fail("the name is not valid; write it from the root of the file system, without a slash in front and at the end")
	}
	switch d, err := fs.Stat(f.fsys, f.page); {
	case err != nil:
		return fail("the file system cannot open it: %v", err)
	case d.IsDir():
		return fail("it is a directory; name a file")
	}
	return nil
}

func (f *files) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	part, ok := f.partOf(r.URL)
	if !ok {
		http.NotFound(w, r)
		return
	}
	sent, slash := strings.CutSuffix(r.URL.EscapedPath(), "/")
	sent = sent[strings.LastIndexByte(sent, '/')+1:] // the last segment, as it was sent
	if part == "" {
		redirectBeside(w, r, sent+"/")
		return
	}
	// FileServer does not escape the name that it redirects to.
	kind, odd := unknownFile, sent != path.Base(part) || strings.Contains(sent, ":")
	if f.unlisted || odd && part != "/" {
		kind = f.look(fileName(part))
	}
	switch {
	case f.fallback && (kind == noFile || kind == bareDir):
		f.serveFallback(w, r, part)
	case f.unlisted && kind == bareDir:
		http.NotFound(w, r)
	case kind.isDir() && !slash:
		redirectBeside(w, r, sent+"/")
	case kind == regularFile && slash:
		redirectBeside(w, r, "../"+sent)
	default:
		if f.isPage(kind, part) {
			setNoCache(w)
		}
		f.server.ServeHTTP(w, withPath(r, part))
	}
}

// partOf returns the part of a path that the catch-all took, unescaped and with
// the slash in front, and whether it may be handed on. The part is empty where
// a policy lets the pattern match without its final slash.
func (f *files) partOf(u *url.URL) (part string, ok bool) {
	part, escaped := u.Path, u.RawPath != ""
	if escaped {
		part = u.EscapedPath()
	}
	for range f.strip {
		if part == "" || part[0] != '/' {
			return "", false // not the path that was matched
		}
		_, after, found := strings.Cut(part[1:], "/")
		if part = ""; found {
			part = "/" + after
		}
	}
	if escaped {
		slashes := strings.Count(part, "/")
		part = unescape(part)
		if strings.Count(part, "/") != slashes {
			return "", false
		}
	}
	if part == "" || part == "/" {
		return part, part != "" || f.strip > 0
	}
	name := fileName(part)
	return part, name != "." && fs.ValidPath(name) && !strings.ContainsAny(name, "\\\x00")
}

// fileName returns the name that fs.FS has for a part of a path.
func fileName(part string) string {
	if part == "/" {
		return "."
	}
	return strings.TrimSuffix(strings.TrimPrefix(part, "/"), "/")
}

// A fileKind says what there is under a name.
type fileKind uint8

const (
	unknownFile fileKind = iota // not asked, or an error that FileServer reports
	noFile
	regularFile
	indexedDir // a directory with an index.html
	bareDir    // a directory without
)

func (k fileKind) isDir() bool { return k == indexedDir || k == bareDir }

const indexPage = "index.html"

// look returns what there is under a name.
func (f *files) look(name string) fileKind {
	d, err := f.stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return noFile
	case err != nil:
		return unknownFile
	case !d.IsDir():
		return regularFile
	}
	if d, err := f.stat(path.Join(name, indexPage)); err != nil || d.IsDir() {
		return bareDir
	}
	return indexedDir
}

// stat is fs.Stat with the errors that FileServer sees: that a directory of the
// name is a file is one of fs.ErrNotExist.
func (f *files) stat(name string) (fs.FileInfo, error) {
	file, err := http.FS(f.fsys).Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return file.Stat()
}

// serveFallback answers a request for a part of the path that names no file.
func (f *files) serveFallback(w http.ResponseWriter, r *http.Request, part string) {
	if strings.Contains(part[strings.LastIndexByte(part, '/'):], ".") {
		w.Header().Add("Vary", "Accept")
		if !acceptsHTML(r.Header["Accept"]) {
			http.NotFound(w, r)
			return
		}
	}
	setNoCache(w)
	http.ServeFileFS(w, withPath(r, "/"), f.fsys, f.page) // which redirects where a path ends in /index.html
}

// isPage reports whether a part of a path, under which there is kind, is the
// fallback page's own.
func (f *files) isPage(kind fileKind, part string) bool {
	name := fileName(part)
	return f.fallback && (kind == regularFile && name == f.page ||
		kind == indexedDir && path.Join(name, indexPage) == f.page)
}

func setNoCache(w http.ResponseWriter) {
	if h := w.Header(); h.Get("Cache-Control") == "" {
		h.Set("Cache-Control", "no-cache")
	}
}

// acceptsHTML reports whether an Accept header lists text/html, not just a range
// that it is in.
func acceptsHTML(accept []string) bool {
	return slices.ContainsFunc(strings.Split(strings.Join(accept, ","), ","), func(item string) bool {
		media, params, err := mime.ParseMediaType(item)
		return err == nil && media == "text/html" && strings.Trim(cmp.Or(params["q"], "1"), "0.") != ""
	})
}

// redirectBeside sends the client to an escaped path relative to its own, as
// FileServer does. With a colon in it a browser would take it for a whole URL.
func redirectBeside(w http.ResponseWriter, r *http.Request, to string) {
	if strings.Contains(to, ":") {
		to = "./" + to
	}
	if q := r.URL.RawQuery; q != "" {
		to += "?" + urlpath.EscapeControls(q)
	}
	w.Header().Set("Location", to)
	w.WriteHeader(http.StatusMovedPermanently)
}

// withPath returns a copy of r with another path, as [http.StripPrefix] makes it,
// and a query that FileServer can put into a Location as it is.
func withPath(r *http.Request, path string) *http.Request {
	r2, u := *r, *r.URL
	u.Path, u.RawPath, u.RawQuery = path, "", urlpath.EscapeControls(u.RawQuery)
	r2.URL = &u
	return &r2
}

// An unlistedFS opens directories without a way to list them.
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
