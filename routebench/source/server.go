package source

import (
	"path"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// basePath returns the path of the first of some servers as a template without
// final slash: "/v1" of https://example.com/v1/. Variables have their defaults;
// one without stays a parameter.
func basePath(servers openapi3.Servers) string {
	if len(servers) == 0 || servers[0] == nil {
		return ""
	}
	var defaults []string
	for name, v := range servers[0].Variables {
		if v.Default != "" {
			defaults = append(defaults, "{"+name+"}", v.Default)
		}
	}
	u := strings.NewReplacer(defaults...).Replace(servers[0].URL)
	if i := strings.IndexAny(u, "?#"); i >= 0 {
		u = u[:i]
	}
	if _, behind, ok := strings.Cut(u, "://"); ok {
		u = "//" + behind
	}
	if strings.HasPrefix(u, "//") {
		slash := strings.IndexByte(u[2:], '/')
		if slash < 0 {
			return ""
		}
		u = u[2+slash:]
	}
	return strings.TrimSuffix(path.Clean("/"+u), "/")
}
