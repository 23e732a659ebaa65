package explorer

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode"
)

// An OpenAPI description knows less than a mux. What it cannot say stands in
// extensions, so that nothing is lost:
//
//	/docs/, /docs/{path...}       a parameter that x-muxwell-catch-all marks, since one of OpenAPI holds no slash
//	/users/{id}, /users/{name}    one path, with the parameter names of the first
//	two routes for one operation  the first, with the patterns of the others in x-muxwell-also
//	PROPFIND /dav                 x-muxwell-methods
//	a route for every method      the five methods of most APIs, with x-muxwell-any-method
//	matchers                      parameters and media types where they are such, and all in x-muxwell-matchers

// openDoc is a description of an API by OpenAPI 3.1. All names follow it.
type openDoc struct {
	OpenAPI string               `json:"openapi"`
	Info    openInfo             `json:"info"`
	Paths   map[string]*openPath `json:"paths"`
}

type openInfo struct {
	Title       string `json:"title"`
	Version     string `json:"version"`
	Description string `json:"description"`
}

type openPath struct {
	Get     *operation            `json:"get,omitempty"`
	Put     *operation            `json:"put,omitempty"`
	Post    *operation            `json:"post,omitempty"`
	Delete  *operation            `json:"delete,omitempty"`
	Options *operation            `json:"options,omitempty"`
	Head    *operation            `json:"head,omitempty"`
	Patch   *operation            `json:"patch,omitempty"`
	Trace   *operation            `json:"trace,omitempty"`
	Others  map[string]*operation `json:"x-muxwell-methods,omitempty"`
}

type operation struct {
	OperationID string                  `json:"operationId"`
	Servers     []openServer            `json:"servers,omitempty"`
	Parameters  []openParam             `json:"parameters,omitempty"`
	RequestBody *openContent            `json:"requestBody,omitempty"`
	Responses   map[string]*openContent `json:"responses"`
	Pattern     string                  `json:"x-muxwell-pattern"`
	AnyMethod   bool                    `json:"x-muxwell-any-method,omitempty"`
	Matchers    []string                `json:"x-muxwell-matchers,omitempty"`
	Also        []string                `json:"x-muxwell-also,omitempty"`
}

// openContent is a response or the body of a request.
type openContent struct {
	Description string              `json:"description,omitempty"`
	Content     map[string]struct{} `json:"content,omitempty"`
}

type openParam struct {
	Name     string  `json:"name"`
	In       string  `json:"in"`
	Required bool    `json:"required"`
	Schema   *schema `json:"schema"`
	CatchAll bool    `json:"x-muxwell-catch-all,omitempty"`
}

// anyMethods are the operations that a route for every method is shown as.
var anyMethods = []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete}

// openAPI returns a skeleton of an OpenAPI 3.1 description of the routes of a view.
func openAPI(v *view) []byte {
	d := &describer{
		doc: openDoc{
			OpenAPI: "3.1.0",
			Info:    openInfo{v.Title, "0.0.0", "A skeleton, made of the routes of the program. It says nothing of bodies and answers."},
			Paths:   map[string]*openPath{},
		},
		templates: map[string]urlTemplate{},
		ids:       map[string]bool{},
	}
	for _, named := range []bool{true, false} { // a route with methods wins over one without
		for i := range v.Routes {
			if r := &v.Routes[i]; (len(r.Methods) > 0) == named {
				d.add(r)
			}
		}
	}
	return encodeJSON(d.doc)
}

// A describer makes a description of one route after another.
type describer struct {
	doc       openDoc
	templates map[string]urlTemplate // by shape, of the first route with it
	ids       map[string]bool        // those that are given
}

// add adds the operations of a route.
func (d *describer) add(r *route) {
	t := newTemplate(r)
	if first, ok := d.templates[t.shape]; ok {
		t = t.renamed(first)
	} else {
		d.templates[t.shape] = t
	}
	path := d.doc.Paths[t.text]
	if path == nil {
		path = new(openPath)
		d.doc.Paths[t.text] = path
	}
	methods := r.Methods
	if len(methods) == 0 {
		methods = anyMethods
	}
	for _, method := range methods {
		if there := path.operation(method); there != nil {
			there.Also = append(there.Also, strings.Join(append([]string{r.Pattern}, r.Matchers...), " "))
			continue
		}
		op := newOperation(r, t)
		op.OperationID = d.id(r, method, t.text, len(methods) > 1)
		path.set(method, op)
	}
}

// id returns an identifier that no other operation has: the route's name, or one
// made of method and path.
func (d *describer) id(r *route, method, path string, several bool) string {
	id := strings.ToLower(method) + camel(path)
	if r.Name != "" {
		id = r.Name
		if several {
			id += "_" + strings.ToLower(method)
		}
	}
	unique := id
	for n := 2; d.ids[unique]; n++ {
		unique = fmt.Sprintf("%s_%d", id, n)
	}
	d.ids[unique] = true
	return unique
}

// camel returns the words of a path as one, UsersIdPosts of /users/{id}/posts.
func camel(path string) string {
	if plain, err := url.PathUnescape(path); err == nil {
		path = plain
	}
	var b strings.Builder
	for _, word := range strings.FieldsFunc(path, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		runes := []rune(word)
		b.WriteString(string(unicode.ToUpper(runes[0])) + string(runes[1:]))
	}
	if b.Len() == 0 {
		return "Root"
	}
	return b.String()
}

// newOperation returns the operation of a route, without its identifier.
func newOperation(r *route, t urlTemplate) *operation {
	op := &operation{
		Parameters: slices.Clone(t.params),
		Responses:  map[string]*openContent{"default": {Description: "not described"}},
		Pattern:    r.Pattern,
		AnyMethod:  len(r.Methods) == 0,
		Matchers:   r.Matchers,
	}
	if r.Host != "" {
		op.Servers = []openServer{newServer(r.Host)}
	}
	for _, m := range r.Matchers {
		op.ask(m)
	}
	return op
}

// slot returns where a path has the operation of a method, or nil if OpenAPI does
// not know that.
func (p *openPath) slot(method string) **operation {
	switch method {
	case http.MethodGet:
		return &p.Get
	case http.MethodPut:
		return &p.Put
	case http.MethodPost:
		return &p.Post
	case http.MethodDelete:
		return &p.Delete
	case http.MethodOptions:
		return &p.Options
	case http.MethodHead:
		return &p.Head
	case http.MethodPatch:
		return &p.Patch
	case http.MethodTrace:
		return &p.Trace
	}
	return nil
}

func (p *openPath) operation(method string) *operation {
	if slot := p.slot(method); slot != nil {
		return *slot
	}
	return p.Others[method]
}

func (p *openPath) set(method string, op *operation) {
	if slot := p.slot(method); slot != nil {
		*slot = op
		return
	}
	if p.Others == nil {
		p.Others = map[string]*operation{}
	}
	p.Others[method] = op
}
