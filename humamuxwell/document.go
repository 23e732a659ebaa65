package humamuxwell

import (
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/muxwell/muxwell/internal/routelist"
)

// document changes the operation from the terms of its pattern to those of OpenAPI, and
// the document's copy too, which it returns: nil for an operation that is not there.
// That is op itself, unless op went through a [huma.Group] with a prefix.
func (a *adapter) document(op *huma.Operation) *huma.Operation {
	pattern := op.Path
	t := newTemplate(a.prefix + pattern)
	t.describe(op)
	if a.api == nil || op.Hidden { // another operation may be in its place
		return nil
	}
	paths := a.api.OpenAPI().Paths
	item := paths[pattern]
	if item == nil || slot(item, op.Method) == nil || *slot(item, op.Method) == nil {
		return nil
	}
	from := slot(item, op.Method)
	documented := *from
	if documented != op {
		t.describe(documented)
	}
	if t.path == pattern {
		return documented
	}
	*from = nil
	if reflect.ValueOf(*item).IsZero() {
		delete(paths, pattern)
	}
	if paths[t.path] == nil {
		paths[t.path] = new(huma.PathItem)
	}
	*slot(paths[t.path], op.Method) = documented
	return documented
}

// slot returns where an item has the operation of a method, or nil if OpenAPI does not
// know the method.
func slot(item *huma.PathItem, method string) **huma.Operation {
	switch method {
	case http.MethodGet:
		return &item.Get
	case http.MethodPost:
		return &item.Post
	case http.MethodPut:
		return &item.Put
	case http.MethodPatch:
		return &item.Patch
	case http.MethodDelete:
		return &item.Delete
	case http.MethodHead:
		return &item.Head
	case http.MethodOptions:
		return &item.Options
	case http.MethodTrace:
		return &item.Trace
	}
	return nil
}

// A template is a pattern in the terms of OpenAPI.
type template struct {
	path   string       // /pets/{id}
	server *huma.Server // of a pattern with a host
	params []*huma.Param
}

// newTemplate returns the template of a pattern without a method.
func newTemplate(pattern string) *template {
	t := new(template)
	host, path := splitHost(pattern)
	if host != "" {
		t.server = newServer(host)
	}
	for _, p := range routelist.Pieces(strings.TrimSuffix(path, "{$}")) {
		if !p.Param {
			t.path += p.Text
			continue
		}
		name, constraint, _ := strings.Cut(p.Text[1:len(p.Text)-1], ":")
		param := &huma.Param{In: "path", Required: true, Schema: newSchema(constraint)}
		var catchAll bool
		if param.Name, catchAll = strings.CutSuffix(name, "..."); catchAll {
			param.Extensions = map[string]any{"x-muxwell-catch-all": true}
		}
		t.path += "{" + param.Name + "}"
		t.params = append(t.params, param)
	}
	return t
}

// splitHost splits a pattern at the first slash outside of braces.
func splitHost(pattern string) (host, path string) {
	for _, p := range routelist.Pieces(pattern) {
		if i := strings.IndexByte(p.Text, '/'); i >= 0 && !p.Param {
			return pattern[:len(host)+i], pattern[len(host)+i:]
		}
		host += p.Text
	}
	return host, ""
}

// newServer returns the server of a pattern's host.
func newServer(host string) *huma.Server {
	s := &huma.Server{URL: "//"}
	if rest, ok := strings.CutPrefix(host, "*."); ok {
		host = "{any}." + rest
	}
	for _, p := range routelist.Pieces(host) {
		if !p.Param {
			s.URL += p.Text
			continue
		}
		name, constraint, _ := strings.Cut(p.Text[1:len(p.Text)-1], ":")
		name = strings.TrimSuffix(name, "...")
		s.URL += "{" + name + "}"
		if s.Variables == nil {
			s.Variables = make(map[string]*huma.ServerVariable)
		}
		s.Variables[name] = &huma.ServerVariable{Default: name} // OpenAPI requires a default
		if constraint != "" {
			s.Variables[name].Description = "matches " + constraint
		}
	}
	return s
}

// describe changes an operation, whose path is a pattern. Parameters and their schemas
// are copied first: huma validates with the schemas of the input.
func (t *template) describe(op *huma.Operation) {
	if op.Path != t.path {
		op.Path = t.path
		regenerate(op)
	}
	if t.server != nil && len(op.Servers) == 0 {
		op.Servers = []*huma.Server{t.server}
	}
	var others []*huma.Param // not of the path, or not known
	var known []*huma.Param
	for _, p := range op.Parameters {
		if p.In == "path" {
			known = append(known, p)
		} else {
			others = append(others, p)
		}
	}
	op.Parameters = nil
	for _, p := range t.params {
		i := slices.IndexFunc(known, func(k *huma.Param) bool { return k.Name == p.Name })
		if i < 0 {
			op.Parameters = append(op.Parameters, p)
			continue
		}
		merged := *known[i]
		merged.Schema = refine(merged.Schema, p.Schema)
		if merged.Extensions == nil {
			merged.Extensions = p.Extensions
		}
		op.Parameters = append(op.Parameters, &merged)
	}
	op.Parameters = append(op.Parameters, others...)
}

// regenerate replaces an ID and a summary that huma has made of the pattern.
func regenerate(op *huma.Operation) {
	if id, ok := op.Metadata["_convenience_id"]; ok && id == op.OperationID {
		op.OperationID = huma.GenerateOperationID(op.Method, op.Path, op.Metadata["_convenience_id_out"])
		op.Metadata["_convenience_id"] = op.OperationID
	}
	if summary, ok := op.Metadata["_convenience_summary"]; ok && summary == op.Summary {
		op.Summary = huma.GenerateSummary(op.Method, op.Path, op.Metadata["_convenience_summary_out"])
		op.Metadata["_convenience_summary"] = op.Summary
	}
}
