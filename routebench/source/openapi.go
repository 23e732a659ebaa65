package source

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/routebench/route"
)

// methods are the methods of OpenAPI, in the order of the routes of a path.
var methods = []string{
	http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete,
	http.MethodOptions, http.MethodTrace, http.MethodConnect, openapi3.MethodQuery,
}

// OpenAPI returns a route for each operation of an OpenAPI file, of version 3.0, 3.1 or
// 3.2, or of Swagger 2.0, in JSON or YAML, in the order of its paths. name is the name of
// the file in errors, in warnings and in the routes' sources, name:line.
//
// The path of the first server's URL, with the defaults of its variables, is prepended to a
// path. The servers are those of the operation, of the path, or of the file. The host is
// ignored, so the routes are for every host. Parameters have no constraints, because
// handlers check the schema. A trailing slash is not a subtree.
//
// Only paths are read. Other files are not read, and nothing is fetched. Warnings name what
// is changed or excluded, such as a path that muxwell refuses, or two paths that differ
// only in the names of parameters. It is an error if the file cannot be read, has another
// version, or has no paths.
func OpenAPI(name string, data []byte) (routes []*route.Route, warnings []string, err error) {
	a := &api{outliner: outliner{name: name}, mux: muxwell.New()}
	if err := a.read(data); err != nil {
		return nil, nil, err
	}
	a.upgrade()
	if err := a.checkVersion(); err != nil {
		return nil, nil, err
	}
	a.checkRefs()
	if err := a.load(); err != nil {
		return nil, nil, err
	}
	for _, path := range a.outline.get("paths").order() {
		a.addPath(path)
	}
	if len(a.routes) == 0 {
		return nil, a.warnings, a.noPaths()
	}
	return a.routes, a.warnings, nil
}

// An api converts an OpenAPI file to routes.
type api struct {
	outliner
	outline *node
	doc     *openapi3.T  // of the outline
	mux     *muxwell.Mux // knows which routes are there already
	routes  []*route.Route
}

// read reads the outline.
func (a *api) read(data []byte) (err error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	isJSON := bytes.HasPrefix(bytes.TrimLeft(data, " \t\r\n"), []byte("{"))
	if isJSON {
		if a.outline, err = a.readJSON(data); err == nil {
			return nil
		}
		a.warnings = nil
	}
	outline, yamlErr := a.readYAML(data)
	if yamlErr == nil {
		a.outline = outline
		return nil
	}
	if isJSON {
		return err
	}
	return yamlErr
}

// upgrade converts an outline of Swagger 2.0 to OpenAPI 3.0, which has the same paths. The
// base path becomes that of a server.
func (a *api) upgrade() {
	swagger, base := a.outline.get("swagger"), a.outline.get("basePath")
	if swagger == nil || a.outline.get("openapi") != nil || swagger.text != "2" && !strings.HasPrefix(swagger.text, "2.") {
		return
	}
	a.outline.fields["openapi"] = &node{line: swagger.line, text: "3.0.0"}
	delete(a.outline.fields, "servers") // which Swagger does not have
	if base == nil || base.text == "" {
		return
	}
	url := base.text
	if !strings.HasPrefix(url, "/") {
		a.warn(base.line, "basePath %q does not begin with a slash; it is read as if it did", url)
		url = "/" + url
	}
	server := &node{line: base.line, fields: map[string]*node{"url": {line: base.line, text: url}}}
	a.outline.fields["servers"] = &node{line: base.line, isList: true, elements: []*node{server}}
}

// checkVersion returns an error for a file with an unsupported version.
func (a *api) checkVersion() error {
	version, swagger := a.outline.get("openapi"), a.outline.get("swagger")
	switch {
	case version != nil && (version.text == "3" || strings.HasPrefix(version.text, "3.")):
		return nil
	case version != nil && version.text != "":
		return fmt.Errorf("%s: OpenAPI %s is not supported; versions 3.0 to 3.2 are", a.name, version.text)
	case swagger != nil:
		return fmt.Errorf("%s: Swagger %s is not supported; 2.0 and OpenAPI 3.0 to 3.2 are", a.name, swagger.text)
	}
	return fmt.Errorf("%s: this is not an OpenAPI file; such a file has its version at the top, such as openapi: 3.1.0", a.name)
}

// checkRefs removes the references that lead nowhere or out of the file. The others
// lead at once to where they do by way of others, which the loader does not follow.
func (a *api) checkRefs() {
	for _, way := range [][]string{{"components", "pathItems"}, {"paths"}} {
		items := a.outline.get(way...)
		for _, path := range items.order() {
			item := items.get(path)
			ref := item.get("$ref")
			if ref == nil {
				continue
			}
			if !strings.HasPrefix(ref.text, "#") {
				a.warn(ref.line, "path %s is in another file, %q; combine the files, for example with npx @redocly/cli bundle", path, ref.text)
				delete(item.fields, "$ref")
				continue
			}
			last, ok := a.follow(ref.text)
			if !ok {
				a.warn(ref.line, "path %s refers to %q, which does not exist", path, ref.text)
				delete(item.fields, "$ref")
				continue
			}
			ref.text = last
		}
	}
}

// maxRefs is how many references may lead from a path to its operations.
const maxRefs = 10

// follow returns the reference to the path item that one leads to by way of
// others, and reports false if there is none.
func (a *api) follow(ref string) (last string, ok bool) {
	for range maxRefs {
		text, err := url.PathUnescape(strings.TrimPrefix(ref, "#/"))
		if err != nil {
			return "", false
		}
		parts := strings.Split(text, "/")
		for i, part := range parts {
			parts[i] = strings.NewReplacer("~1", "/", "~0", "~").Replace(part)
		}
		isItem := len(parts) == 2 && parts[0] == "paths" || len(parts) == 3 && parts[1] == "pathItems"
		item := a.outline.get(parts...)
		if !isItem || item == nil {
			return "", false
		}
		next := item.get("$ref")
		if next == nil {
			return ref, true
		}
		ref = next.text
	}
	return "", false
}

// load reads the outline as OpenAPI, which resolves its references.
func (a *api) load() error {
	text, err := json.Marshal(a.outline)
	if err == nil {
		a.doc, err = openapi3.NewLoader().LoadFromData(text)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", a.name, err)
	}
	return nil
}

// parameters matches the parameters of a path, but for those that RFC 6570 makes a
// query or a fragment of.
var parameters = regexp.MustCompile(`\{[^{}/?#][^{}/]*\}`)

// addPath adds the operations of a path.
func (a *api) addPath(path string) {
	item := a.doc.Paths.Value(path)
	line := a.outline.get("paths", path).line
	if !strings.HasPrefix(path, "/") {
		a.warn(line, "path %q does not begin with a slash; it is read as if it did", path)
		path = "/" + path
	}
	if strings.ContainsAny(parameters.ReplaceAllString(path, ""), "?#") {
		a.warn(line, "path %s has a query or a fragment, which is not part of a path; it is ignored", path)
		return
	}
	operations := item.Operations()
	patterns := make(map[string]string) // by base path, of which there is most often one
	for _, method := range inOrder(operations) {
		base := basePath(a.servers(item, operations[method]))
		pattern, ok := patterns[base]
		if !ok {
			var changes []string
			pattern, changes = writePattern(base + path)
			patterns[base] = pattern
			for _, change := range changes {
				a.warn(line, "path %s: %s", base+path, change)
			}
		}
		a.addRoute(line, method+" "+pattern)
	}
}

// servers returns the servers of an operation.
func (a *api) servers(item *openapi3.PathItem, operation *openapi3.Operation) openapi3.Servers {
	switch {
	case operation.Servers != nil && len(*operation.Servers) > 0:
		return *operation.Servers
	case len(item.Servers) > 0:
		return item.Servers
	}
	return a.doc.Servers
}

// inOrder returns the methods of operations, those of methods first, in its order.
func inOrder(operations map[string]*openapi3.Operation) []string {
	place := func(method string) int {
		if i := slices.Index(methods, method); i >= 0 {
			return i
		}
		return len(methods)
	}
	return slices.SortedFunc(maps.Keys(operations), func(a, b string) int {
		if c := place(a) - place(b); c != 0 {
			return c
		}
		return strings.Compare(a, b)
	})
}

// addRoute adds a route, unless muxwell refuses it.
func (a *api) addRoute(line int, pattern string) {
	r, err := route.Parse(pattern)
	if err == nil {
		_, err = a.mux.Add(pattern, nowhere, muxwell.Source(a.name, line))
	}
	if err == nil {
		r.Source = fmt.Sprintf("%s:%d", a.name, line)
		a.routes = append(a.routes, r)
		return
	}
	reason := err.Error()
	if e, ok := errors.AsType[*muxwell.PatternError](err); ok {
		reason = e.Reason
	}
	if e, ok := errors.AsType[*muxwell.ConflictError](err); ok {
		reason = fmt.Sprintf("it matches the same requests as %s (%s)", e.Other, e.OtherSource)
	}
	a.warn(line, "%s is excluded: %s", pattern, reason)
}

// noPaths returns the error for a file without routes.
func (a *api) noPaths() error {
	if len(a.warnings) > 0 {
		return fmt.Errorf("%s has no usable paths: %s", a.name, a.warnings[0])
	}
	return fmt.Errorf(`%s has no paths; an OpenAPI file has its operations there, such as {"paths": {"/users/{id}": {"get": {}}}}`, a.name)
}
