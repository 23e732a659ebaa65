package muxwell

import (
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/muxwell/muxwell/internal/fileserver"
	"github.com/muxwell/muxwell/internal/matcher"
	"github.com/muxwell/muxwell/internal/pattern"
)

// Files serves the files of fsys for GET and HEAD requests. The files that fsys opens
// must have a Seek method. The pattern must end in a slash or a catch-all, and the text
// that the catch-all matches is the file's name:
//
//	m.Files("/static/", os.DirFS("public"))    /static/css/site.css is public/css/site.css
//
// Requests are answered as [http.FileServerFS] does: with ranges, conditional requests
// (RFC 9110 §13 and §14) and Last-Modified, with redirects that add a directory's final
// slash and remove index.html, with 403 if fsys denies permission, and with a list of a
// directory without an index.html; [NoListing] and [FallbackPage] turn the list off.
// [CacheControl], [Immutable] and [Precompressed] are for the answers with a file.
//
// A file without a modification time, as in an embed.FS, has no Last-Modified. Files of up
// to 64 MiB have a strong ETag instead, a hash of the content, unless middleware has set
// one. It is computed when the file is first served, and again if its size changes. So a
// file system whose files change must have times. Middleware that compresses must remove
// the ETag or make it weak.
//
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
	apply func(*files) error
}

// FallbackPage answers requests that name no file with the named file and status 200,
// as single-page applications with client-side routing need. A directory without an
// index.html names no file, so none is listed. A path that [Mux.Files] rejects is still
// a 404.
//
// With the pattern "/", every path without a route is answered with the page, also below
// the prefix of a group and not in its middleware, such as GET /api/nope. To prevent that,
// list the prefix in except:
//
//	m.Files("/", dist, muxwell.FallbackPage("index.html", "api"))
//
// A path that is one of except, or is below one, does not match the route of Files, even
// if there is such a file. If no other route matches it, the answer is the mux's own 404,
// which runs in the group's middleware and calls its [Group.NotFound]. The paths in except
// are relative to the pattern's prefix, like the names of files. Case is ignored.
//
// A path whose last segment contains a dot is considered the path of a file: if that
// does not exist, the answer is the page only if the request's Accept header lists
// text/html, and 404 otherwise. So a missing script is not answered with a page.
//
// Wherever the page itself is served, Cache-Control: no-cache is added to the response,
// unless it has a Cache-Control or an option sets one for the page. So browsers may store
// the page but have to revalidate it.
//
// The name must be valid for [fs.ValidPath], and the file must exist when Files is
// called. If it is removed later, the answer is 404. The paths in except must be valid
// for fs.ValidPath.
func FallbackPage(name string, except ...string) FilesOption {
	except = slices.Clone(except)
	option := matcher.OptionText("FallbackPage", append([]string{name}, except...))
	return FilesOption{func(f *files) error {
		for _, prefix := range except {
			if !fs.ValidPath(prefix) || prefix == "." {
				return &OptionError{Option: option, Reason: fmt.Sprintf("%q is not valid; write the path that the page must not answer, without slashes at the beginning and end", prefix)}
			}
		}
		f.options.Page, f.options.Fallback = name, true
		f.page, f.except = option, except
		return nil
	}}
}

// NoListing answers requests for a directory without an index.html with 404.
func NoListing() FilesOption {
	return FilesOption{func(f *files) error {
		f.options.NoListing = true
		return nil
	}}
}

// CacheControl sets the Cache-Control header of the files whose names match a glob, which
// has the syntax of [path.Match]: the files that [fs.Glob] returns for it. So a * matches
// no slash, and *.html is only for files in the root of the file system:
//
//	muxwell.CacheControl("docs/*.html", "max-age=300")
//
// The name is that of the file that is served, which is an index.html for the path of a
// directory, and the page of [FallbackPage] for a path that names no file. For a
// precompressed file it is the name without .br, .zst or .gz.
//
// If several options match a file, the last one is used. An empty value sets no header. If
// the response has a Cache-Control already, it is left unchanged. Redirects, lists and
// errors are sent without the header; a 304 has it.
//
// Files panics with an [*OptionError] if the glob is not valid or matches no name, since it
// begins or ends with a slash, and if the value has a control character.
func CacheControl(glob, value string) FilesOption {
	return cacheControl(matcher.OptionText("CacheControl", []string{glob, value}), value, glob)
}

// Immutable sets the Cache-Control header of files whose content never changes, since
// their names have a hash of it:
//
//	muxwell.Immutable("assets/*-*.js", "assets/*-*.css")
//
// It is [CacheControl] with the value "public, max-age=31536000, immutable" (RFC 8246) for
// each glob: browsers keep such a file for a year and do not request it again. Files also
// panics with an [*OptionError] if there is no glob.
func Immutable(globs ...string) FilesOption {
	return cacheControl(matcher.OptionText("Immutable", globs), "public, max-age=31536000, immutable", globs...)
}

// cacheControl returns the option that sets Cache-Control for globs.
func cacheControl(option, value string, globs ...string) FilesOption {
	globs = slices.Clone(globs)
	return FilesOption{func(f *files) error {
		if len(globs) == 0 {
			return &OptionError{Option: option, Reason: `no glob; write one, such as "assets/*-*.js"`}
		}
		if strings.ContainsFunc(value, unicode.IsControl) {
			return &OptionError{Option: option, Reason: "the value has a control character, which no header can have; omit it"}
		}
		for _, glob := range globs {
			if _, err := path.Match(glob, ""); err != nil {
				return &OptionError{Option: option, Reason: fmt.Sprintf(`the glob %q is not valid; close its brackets, and write \\ before a character that is meant literally`, glob)}
			}
			if !fs.ValidPath(glob) {
				return &OptionError{Option: option, Reason: fmt.Sprintf("no name of a file matches the glob %q; write it from the root of the file system, without slashes at the beginning and end", glob)}
			}
			f.options.CacheControl = append(f.options.CacheControl, fileserver.CacheControl{Glob: glob, Value: value})
		}
		return nil
	}}
}

// encodings are those of [Precompressed], the best one first.
var encodings = []fileserver.Encoding{{Coding: "br", Extension: ".br"}, {Coding: "zstd", Extension: ".zst"}, {Coding: "gzip", Extension: ".gz"}}

// Precompressed serves app.js.br, app.js.zst or app.js.gz for the path of app.js to clients
// that accept the content coding br (RFC 7932), zstd (RFC 8878) or gzip (RFC 1952). It
// looks only for files with the given codings, or with any of the three if none is given.
//
// The Accept-Encoding header is read as RFC 9110 §12.5.3 says. The coding with the highest
// q is chosen, and of several the one with the smallest file. app.js itself is sent if
// there is no such file, if the header lists identity with a higher q or refuses all
// codings, even identity, or if it is missing, invalid or longer than 4,096 bytes.
//
// The response has the Content-Type of app.js and its Content-Encoding. Its Last-Modified
// or ETag, ranges and length are those of the file that is sent. Accept-Encoding is added
// to Vary, unless it is there, in all responses for a file that has a precompressed one. A
// request for a range of such a file with a date in If-Range is answered with the whole
// file, since app.js and app.js.gz may have the same date.
//
// The file app.js must exist too. The build must rewrite all of them when it changes:
// their content is not compared. A request for app.js.gz itself is answered with that
// file, as without the option, so a check on the path of app.js must cover that path too.
// If the response already has a Content-Encoding, because middleware compresses it, app.js
// is sent.
//
// Every request looks for a file with each coding, so name those that the build uses. Files
// panics with an [*OptionError] if a coding is unknown.
func Precompressed(codings ...string) FilesOption {
	codings = slices.Clone(codings)
	return FilesOption{func(f *files) error {
		f.options.Encodings = encodings
		if len(codings) == 0 {
			return nil
		}
		f.options.Encodings = nil
		for _, coding := range codings {
			i := slices.IndexFunc(encodings, func(e fileserver.Encoding) bool { return e.Coding == coding })
			if i < 0 {
				return &OptionError{Option: matcher.OptionText("Precompressed", codings), Reason: fmt.Sprintf("the coding %q is unknown; write br, zstd or gzip, or no coding for all of them", coding)}
			}
			f.options.Encodings = append(f.options.Encodings, encodings[i])
		}
		return nil
	}}
}

// files is the handler of Files. It does not change after it is mounted.
type files struct {
	fsys    fs.FS
	options fileserver.Options
	err     error              // of an option
	server  *fileserver.Server // nil before it is mounted
	strip   int                // number of segments before the pattern's catch-all
	page    string             // the FallbackPage, as a program writes it
	except  []string           // names that the route does not match, nor what is below them
}

// newFiles returns the handler of [Mux.Files], and the pattern with its method. The
// handler must be registered with its mounted option, which checks the arguments of
// newFiles.
func newFiles(pattern string, fsys fs.FS, options []FilesOption) (text string, f *files) {
	f = &files{fsys: fsys}
	for _, o := range options {
		if o.apply != nil && f.err == nil {
			f.err = o.apply(f)
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

// mounted returns the option that mounts f on the route for which f is registered, and a
// copy of it on each route that is derived from that.
func (f *files) mounted() RouteOption {
	return RouteOption{func(rt *Route, _ pattern.Rules) error {
		f := f
		if rt.isMounted() {
			copied := *f
			f = &copied
			f.strip, rt.handler = len(rt.pattern.Segments)-1, f
		} else if err := f.mount(&rt.pattern); err != nil {
			return err
		}
		if len(f.except) > 0 {
			rt.addInfo().AddFunc(f.page, "the path is one that "+f.page+" leaves out", f.matches)
		}
		return nil
	}}
}

// mount makes f serve requests that p matches, or returns why it cannot.
func (f *files) mount(p *pattern.Pattern) error {
	if err := checkFilesPattern(p); err != nil {
		return err
	}
	if f.fsys == nil {
		return patternError(p.Text, p.PathAt, "the file system is nil; pass one, such as os.DirFS returns")
	}
	if f.err != nil {
		return f.err
	}
	server, err := fileserver.New(f.fsys, f.options)
	if err != nil {
		return &OptionError{Option: f.page, Reason: err.Error()}
	}
	f.server, f.strip = server, len(p.Segments)-1
	return nil
}

// matches reports whether the path of a request is not one of f.except and not below one.
func (f *files) matches(r *http.Request) bool {
	name, _ := fileserver.NameOf(r.URL, f.strip)
	return !slices.ContainsFunc(f.except, func(prefix string) bool {
		n := len(prefix)
		return len(name) >= n && strings.EqualFold(name[:n], prefix) && (len(name) == n || name[n] == '/')
	})
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
