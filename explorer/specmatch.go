package explorer

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// A specification is a document with what its operations have to do with the routes of
// a view. It does not change.
type specification struct {
	*document
	shown   []*specOperation                  // those that Hide does not hide
	ofRoute map[int][]*specOperation          // by the ID of the route
	routes  map[*specOperation][]servingRoute // of those that are shown
	without []*specOperation                  // those that are shown and have no route
	text    []byte                            // the document, without what is hidden
}

// A servingRoute is a route that serves an operation.
type servingRoute struct {
	id   int
	base string // what the URL has in front of the operation's path
	rest bool   // whether its last parameter may have slashes
}

func newSpecification(doc *document, v *view) *specification {
	s := &specification{document: doc, ofRoute: map[int][]*specOperation{}, routes: map[*specOperation][]servingRoute{}, text: doc.text}
	for i := range v.Routes {
		r := &v.Routes[i]
		ops, by := doc.operationsOf(r, doc.bases)
		s.serve(r, ops, by)
	}
	// The paths of servers may be stripped in front of the mux.
	served := maps.Clone(s.routes)
	for i := range v.Routes {
		r := &v.Routes[i]
		if s.ofRoute[r.ID] == nil {
			ops, by := doc.operationsOf(r, []basePath{{}})
			s.serve(r, slices.DeleteFunc(ops, func(op *specOperation) bool { return served[op] != nil }), by)
		}
	}
	hidden := doc.hiddenBy(v.hidden)
	for _, op := range doc.operations {
		switch {
		case s.routes[op] != nil:
			s.shown = append(s.shown, op)
		case !hidden(op):
			s.shown = append(s.shown, op)
			s.without = append(s.without, op)
		}
	}
	if len(s.shown) < len(doc.operations) {
		s.text = doc.textWithout(func(op *specOperation) bool { return s.routes[op] == nil && hidden(op) })
	}
	return s
}

// serve notes the operations that a route serves.
func (s *specification) serve(r *route, ops []*specOperation, by servingRoute) {
	by.id = r.ID
	if len(ops) > 0 {
		s.ofRoute[r.ID] = ops
	}
	for _, op := range ops {
		s.routes[op] = append(s.routes[op], by)
	}
}

// operationsOf returns the operations that a route serves behind one of the bases, and how.
func (d *document) operationsOf(r *route, bases []basePath) ([]*specOperation, servingRoute) {
	t := newTemplate(r)
	rest := len(t.params) > 0 && t.params[len(t.params)-1].CatchAll
	shapes := []string{t.shape}
	if strings.HasSuffix(r.Path, "/") {
		shapes = append(shapes, strings.TrimSuffix(t.shape, "{}"))
	}
	for _, shape := range shapes {
		for _, base := range bases {
			if path, ok := strings.CutPrefix(shape, base.shape); ok {
				if ops := r.served(d.byShape[path]); len(ops) > 0 {
					return ops, servingRoute{base: base.text, rest: rest}
				}
			}
		}
	}
	if op := d.byID[r.Name]; op != nil {
		if base, ok := strings.CutSuffix(t.shape, op.shape); ok && !strings.Contains(base, "{}") {
			return r.served([]*specOperation{op}), servingRoute{base: base, rest: rest}
		}
	}
	return nil, servingRoute{}
}

// served returns the operations whose methods a route serves.
func (r *route) served(ops []*specOperation) []*specOperation {
	var served []*specOperation
	for _, op := range ops {
		if len(r.Methods) == 0 || slices.Contains(r.Methods, op.Method) || op.Method == http.MethodHead && slices.Contains(r.Methods, http.MethodGet) {
			served = append(served, op)
		}
	}
	return served
}

// hiddenBy returns a function that reports whether an operation that no other route
// serves could be of a hidden one. Methods do not count: a path must not be told.
func (d *document) hiddenBy(routes []route) func(*specOperation) bool {
	named := map[*specOperation]bool{}
	var covers []*regexp.Regexp
	for i := range routes {
		if op := d.byID[routes[i].Name]; op != nil {
			named[op] = true
		}
		covers = append(covers, cover(&routes[i]))
	}
	return func(op *specOperation) bool {
		return named[op] || slices.ContainsFunc(append(slices.Clip(d.bases), basePath{}), func(b basePath) bool {
			return slices.ContainsFunc(covers, func(c *regexp.Regexp) bool { return c.MatchString(b.shape + op.shape) })
		})
	}
}

// cover returns an expression for the shapes of the paths that a route matches.
func cover(r *route) *regexp.Regexp {
	t := newTemplate(r)
	expression := regexp.QuoteMeta(t.shape)
	for _, p := range t.params {
		value := "[^/]+"
		if p.CatchAll {
			value = ".*"
		}
		expression = strings.Replace(expression, `\{\}`, value, 1)
	}
	if rest, ok := strings.CutSuffix(expression, "/.*"); ok {
		expression = rest + "(/.*)?"
	}
	return regexp.MustCompile("(?s)^" + strings.TrimSuffix(expression, "/") + "/?$")
}

// Link returns the link to the page of an operation.
func (op *specOperation) Link() string {
	return "./operation?" + url.Values{"method": {op.Method}, "path": {op.Path}}.Encode()
}

// Title returns the summary of an operation, else its operationId.
func (op *specOperation) Title() string {
	return abridge(firstNonEmpty(strings.TrimSpace(op.Summary), op.ID))
}

// Text returns what a link to an operation says.
func (op *specOperation) Text() string {
	return firstNonEmpty(op.Title(), abridge(op.Method+" "+op.Path))
}

// has reports whether an operation has all of the words, in lower case.
func (op *specOperation) has(words []string) bool {
	text := strings.ToLower(op.searchText())
	return !slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(text, word) })
}

func (op *specOperation) searchText() string {
	return strings.Join(append([]string{op.Method, op.Path, op.Summary, op.ID}, op.Tags...), "\n")
}

// find returns the operation of a method and a path that is shown, or nil.
func (s *specification) find(method, path string) *specOperation {
	for _, op := range s.shown {
		if op.Method == method && op.Path == path {
			return op
		}
	}
	return nil
}

// textWithout returns the document without the operations that are hidden, nor the
// components and tags that only they use.
func (d *document) textWithout(hidden func(*specOperation) bool) []byte {
	root, paths := maps.Clone(d.root), maps.Clone(objectOf(d.root, "paths"))
	root["paths"] = paths
	used, unused := map[string]bool{}, map[string]bool{}
	gone := map[string]int{}
	for _, op := range d.operations {
		tags := used
		if hidden(op) {
			tags = unused
			item := maps.Clone(op.item)
			if gone[op.Path] > 0 {
				item = objectOf(paths, op.Path)
			}
			delete(item, strings.ToLower(op.Method))
			paths[op.Path] = item
			gone[op.Path]++
		}
		for _, tag := range op.Tags {
			tags[tag] = true
		}
	}
	for path := range gone {
		if item := objectOf(paths, path); !slices.ContainsFunc(specMethods, func(m string) bool { return item[strings.ToLower(m)] != nil }) {
			delete(paths, path)
		}
	}
	if tags, ok := root["tags"].([]any); ok {
		root["tags"] = slices.DeleteFunc(slices.Clone(tags), func(v any) bool {
			tag, _ := v.(object)
			name := stringOf(tag, "name")
			return unused[name] && !used[name]
		})
	}
	d.keepReachable(root)
	text, err := json.Marshal(root)
	if err != nil {
		panic(err) // it was decoded from JSON
	}
	return text
}

// keepReachable takes the components from a document to which nothing refers but each
// other. Security schemes are referred to by name, and stay.
func (d *document) keepReachable(root object) {
	components := objectOf(root, "components")
	delete(root, "components")
	reached := map[string]bool{}
	var walk func(v any)
	refer := func(ref string) {
		if parts := strings.SplitN(ref, "/", 5); len(parts) == 5 {
			ref = strings.Join(parts[:4], "/") // all of a component
		}
		if !reached[ref] {
			reached[ref] = true
			walk(d.at(ref))
		}
	}
	walk = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, each := range v {
				walk(each)
			}
		case object:
			if ref, ok := v["$ref"].(string); ok {
				refer(ref)
			}
			for _, to := range objectOf(objectOf(v, "discriminator"), "mapping") {
				if name, ok := to.(string); ok {
					refer(name)
					refer("#/components/schemas/" + name)
				}
			}
			for _, each := range v {
				walk(each)
			}
		}
	}
	walk(root)
	if components == nil {
		return
	}
	names := map[string]bool{}
	for ref := range reached {
		names[unescapePointer(ref)] = true
	}
	kept := maps.Clone(components)
	for _, kind := range sortedKeys(kept) {
		entries, ok := kept[kind].(object)
		if !ok || kind == "securitySchemes" || strings.HasPrefix(kind, "x-") {
			continue
		}
		left := maps.Clone(entries)
		maps.DeleteFunc(left, func(name string, _ any) bool { return !names["#/components/"+kind+"/"+name] })
		kept[kind] = left
	}
	root["components"] = kept
}
