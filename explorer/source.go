package explorer

import (
	"path"
	"strings"
)

// A shortener takes from source lines what they tell of the machine that built the
// program:
//
//	github.com/acme/shop/api/users.go:12              as it is: built with -trimpath
//	/go/pkg/mod/example.com/x@v1.0.0/a.go:3           example.com/x@v1.0.0/a.go:3
//	/build/shop/api/users.go:12                       api/users.go:12
//	/build/shop/main.go:40                            main.go:40
//
// What the last two lose is the directory that all such sources have in common,
// which is the module's if a file there registers a route. If that is no more than
// "/srv/", sources from all over the machine, they keep file and directory only.
type shortener struct {
	common string // with a slash at its end
}

const modules = "/pkg/mod/"

func newShortener(sources []string) shortener {
	var s shortener
	for _, source := range sources {
		if !isAbsolute(source) || strings.Contains(source, modules) {
			continue
		}
		dir := path.Dir(source) + "/"
		if s.common == "" {
			s.common = dir
		}
		for !strings.HasPrefix(dir, s.common) {
			s.common = parent(s.common)
		}
	}
	return s
}

// parent returns the directory around a file or directory, with a slash at its end;
// "" for what has none.
func parent(dir string) string {
	return dir[:strings.LastIndexByte(strings.TrimSuffix(dir, "/"), '/')+1]
}

// short returns a source without what is to be taken from it.
func (s shortener) short(source string) string {
	if !isAbsolute(source) {
		return source
	}
	if at := strings.LastIndex(source, modules); at >= 0 {
		return source[at+len(modules):]
	}
	if strings.Count(s.common, "/") < 3 {
		return strings.TrimPrefix(source[len(parent(parent(source))):], "/")
	}
	if rest, ok := strings.CutPrefix(source, s.common); ok {
		return rest
	}
	return path.Base(parent(source)) + "/" + path.Base(source) // not one of the sources
}

// isAbsolute reports whether a source is an absolute path, of Unix or of Windows
// with the slashes that package runtime gives it.
func isAbsolute(source string) bool {
	return strings.HasPrefix(source, "/") || len(source) > 2 && source[1] == ':' && source[2] == '/'
}
