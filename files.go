package muxwell

import (
	"fmt"
	"io/fs"
	"net/http"
	"strings"

	"github.com/muxwell/muxwell/internal/fileserver"
	"github.com/muxwell/muxwell/internal/pattern"
)

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
	must(m.register(m.own(), "", text, f, []RouteOption{f.mounted()}))
}

// A FilesOption sets how files are served; see [Mux.Files]. The zero FilesOption
// sets nothing.
type FilesOption struct {
	apply func(*fileserver.Options)
}

// FallbackPage answers requests that name no file with the file called name and
// status 200, as an application wants that routes in the browser. A directory
// without an index.html names no file, so none is listed. A path that
// [Mux.Files] refuses is still a 404.
//
// With the pattern "/" that is so for every path without a route, also below the prefix
// of a group: GET /api/nope is answered with the page, and not in the group's middleware.
// Give the group a route for what is left:
//
//	api.Handle("/", http.NotFoundHandler())
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
	return FilesOption{func(o *fileserver.Options) { o.Page, o.Fallback = name, true }}
}

// NoListing answers requests for a directory without an index.html with 404.
func NoListing() FilesOption {
	return FilesOption{func(o *fileserver.Options) { o.NoListing = true }}
}

// files is the handler of Files. It does not change once it is mounted.
type files struct {
	fsys    fs.FS
	options fileserver.Options
	server  *fileserver.Server // nil before it is mounted
	strip   int                // segments of the pattern in front of its catch-all
}

// newFiles returns the handler of [Mux.Files], and the pattern with its method.
// The handler must be registered with its mounted option, which checks what
// newFiles was given.
func newFiles(pattern string, fsys fs.FS, options []FilesOption) (text string, f *files) {
	f = &files{fsys: fsys}
	for _, o := range options {
		if o.apply != nil {
			o.apply(&f.options)
		}
	}
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
	return RouteOption{func(rt *Route, _ pattern.Rules) error { return f.mount(&rt.pattern) }}
}

// mount makes f serve requests that p matches, or says why it cannot.
func (f *files) mount(p *pattern.Pattern) error {
	if err := checkFilesPattern(p); err != nil {
		return err
	}
	if f.fsys == nil {
		return patternError(p.Text, p.PathAt, "the file system is nil; pass one, as os.DirFS returns it")
	}
	server, err := fileserver.New(f.fsys, f.options)
	if err != nil {
		return &OptionError{Option: fmt.Sprintf("FallbackPage(%q)", f.options.Page), Reason: err.Error()}
	}
	f.server, f.strip = server, len(p.Segments)-1
	return nil
}

// checkFilesPattern checks that files can be served where p matches.
func checkFilesPattern(p *pattern.Pattern) error {
	at := 0
	for _, method := range p.Methods {
		if method != http.MethodGet && method != http.MethodHead {
			return patternError(p.Text, at, "files are served for GET and HEAD only; leave the methods out")
		}
		at += len(method) + len(",")
	}
	text, last := p.Text[p.PathAt:], p.Last()
	switch {
	case last.Kind == pattern.CatchAll:
		return nil
	case pattern.InnerCatchAllAt(p.Segments) >= 0:
		return patternError(p.Text, len(p.Text), "files need a pattern that ends in a catch-all, and there can be one only; leave out what follows it")
	case last.Kind == pattern.Dollar:
		text = strings.TrimSuffix(text, "{$}")
	case last.Kind == pattern.Param:
		text = strings.TrimSuffix(text, "}") + "...}"
	default:
		text += "/"
	}
	return patternError(p.Text, len(p.Text), "files need a pattern that ends in a slash or a catch-all; write %q", text)
}

func (f *files) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.server.Serve(w, r, f.strip)
}
