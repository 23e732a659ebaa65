package muxwell

import (
	"fmt"
	"io/fs"
	"net/http"
	"strings"

	"github.com/muxwell/muxwell/internal/fileserver"
	"github.com/muxwell/muxwell/internal/pattern"
)

// Files serves the files of fsys for GET and HEAD requests. The files that fsys opens
// must have a Seek method. The pattern must end in a slash or a catch-all, and the text
// that the catch-all matches is the file's name:
//
//	m.Files("/static/", os.DirFS("public"))    /static/css/site.css is public/css/site.css
//
// [http.FileServerFS] answers the requests. It redirects to add a directory's final
// slash and to remove index.html, answers 403 if fsys denies permission, and lists a
// directory without an index.html; [NoListing] and [FallbackPage] turn the list off.
// The pattern's methods may be GET and HEAD. If it has none, GET is added, so that
// requests with other methods are answered with 405.
//
// The answer is 404, whatever [UncleanPath] says, if the part of the path for the file
// is not UTF-8, or has an escaped slash, a backslash, a NUL, or a segment that is
// empty, "." or "..", escaped or not. So only the path that spells a file's name
// reaches it, and a check on a sibling's pattern cannot be bypassed. An index.html is
// reached through its directory's path, so protect that. The 404 for a missing file is
// FileServer's own; [NotFound] is not called.
//
// Under [SlashIgnore] a request for the pattern's path without its final slash is
// redirected to it, since relative links on a page would otherwise point elsewhere. All
// redirects are relative, so Files works behind [http.StripPrefix]. Middleware must not
// change r.URL.
//
// os.DirFS follows symbolic links out of its directory. The FS of an os.Root does not,
// and the answer is 500. Files panics with a [*PatternError] or [*OptionError] where
// [Mux.Handle] does, if fsys is nil, and if an option is invalid.
func (m *Mux) Files(pattern string, fsys fs.FS, options ...FilesOption) {
	text, f := newFiles(pattern, fsys, options)
	must(m.register(m.own(), "", text, f, []RouteOption{f.mounted()}))
}

// A FilesOption sets how files are served; see [Mux.Files]. The zero FilesOption
// sets nothing.
type FilesOption struct {
	apply func(*fileserver.Options)
}

// FallbackPage answers requests that name no file with the named file and status 200,
// as single-page applications with client-side routing need. A directory without an
// index.html names no file, so none is listed. A path that [Mux.Files] rejects is still
// a 404.
//
// With the pattern "/" that is so for every path without a route, also below the prefix
// of a group: GET /api/nope is answered with the page, and not in the group's middleware.
// To prevent that, give the group a route for the rest:
//
//	api.Handle("/", http.NotFoundHandler())
//
// A path whose last segment contains a dot is considered the path of a file: if that
// does not exist, the answer is the page only if the request's Accept header lists
// text/html, and 404 otherwise. So a missing script is not answered with a page.
//
// Wherever the page itself is served, Cache-Control: no-cache is added to the response,
// unless it has a Cache-Control. So browsers may store the page but have to revalidate
// it.
//
// The name must be valid for [fs.ValidPath], and the file must exist when Files is
// called. If it is removed later, the answer is 404.
func FallbackPage(name string) FilesOption {
	return FilesOption{func(o *fileserver.Options) { o.Page, o.Fallback = name, true }}
}

// NoListing answers requests for a directory without an index.html with 404.
func NoListing() FilesOption {
	return FilesOption{func(o *fileserver.Options) { o.NoListing = true }}
}

// files is the handler of Files. It does not change after it is mounted.
type files struct {
	fsys    fs.FS
	options fileserver.Options
	server  *fileserver.Server // nil before it is mounted
	strip   int                // number of segments before the pattern's catch-all
}

// newFiles returns the handler of [Mux.Files], and the pattern with its method. The
// handler must be registered with its mounted option, which checks the arguments of
// newFiles.
func newFiles(pattern string, fsys fs.FS, options []FilesOption) (text string, f *files) {
	f = &files{fsys: fsys}
	for _, o := range options {
		if o.apply != nil {
			o.apply(&f.options)
		}
	}
	return withGet(pattern), f
}

// withGet returns the pattern, with GET in front if it has no method.
func withGet(pattern string) string {
	trimmed := strings.TrimLeft(pattern, " \t")
	if i := strings.IndexAny(pattern, " \t/{"); trimmed == "" || i > 0 && (pattern[i] == ' ' || pattern[i] == '\t') {
		return pattern
	}
	return http.MethodGet + " " + trimmed
}

// mounted returns the option that mounts f on the route for which f is registered.
func (f *files) mounted() RouteOption {
	return RouteOption{func(rt *Route, _ pattern.Rules) error { return f.mount(&rt.pattern) }}
}

// mount makes f serve requests that p matches, or returns why it cannot.
func (f *files) mount(p *pattern.Pattern) error {
	if err := checkFilesPattern(p); err != nil {
		return err
	}
	if f.fsys == nil {
		return patternError(p.Text, p.PathAt, "the file system is nil; pass one, such as os.DirFS returns")
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
			return patternError(p.Text, at, "files are served for GET and HEAD only; omit the methods")
		}
		at += len(method) + len(",")
	}
	text, last := p.Text[p.PathAt:], p.Last()
	switch {
	case last.Kind == pattern.CatchAll:
		return nil
	case pattern.InnerCatchAllAt(p.Segments) >= 0:
		return patternError(p.Text, len(p.Text), "files need a pattern that ends in its only catch-all; omit what follows it")
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
