package source

import (
	"encoding/json"
	"fmt"
	"strings"
)

// An outline is what an OpenAPI file says about paths, and nothing else: most of
// such a file is about bodies, and faults there, or references to other files, do
// not keep anyone from comparing routers. It is read in the order of the file, with
// line numbers, from JSON or YAML:
//
//	openapi: 3.1.0                       openapi: 3.1.0
//	info: {title: Shop, version: "1"}
//	paths:                               paths:
//	  /users/{id}:                         /users/{id}:
//	    get:                                 get: {}
//	      operationId: user
//	      responses: …
//	components: …
//
// A node is a value of it: an object if fields is not nil, a list if isList, else a
// text, which numbers and the like are turned into.
type node struct {
	line     int
	text     string
	isNull   bool
	isList   bool
	elements []*node
	names    []string // of the fields, in the order of the file
	fields   map[string]*node
}

// A shape determines which parts of a file are in its outline. An empty shape is a text.
type shape struct {
	fields map[string]*shape // of an object
	others *shape            // of an object: what the fields are that are not named
	each   *shape            // of a list: what the elements are
}

func (s *shape) isObject() bool { return s.fields != nil || s.others != nil }

// field returns the shape of a field, or nil for an ignored field, such as an extension.
func (s *shape) field(name string) *shape {
	if f := s.fields[name]; f != nil || strings.HasPrefix(name, "x-") {
		return f
	}
	return s.others
}

// fileShape is the shape of an OpenAPI file.
var fileShape = func() *shape {
	text := &shape{}
	servers := &shape{each: &shape{fields: map[string]*shape{
		"url":       text,
		"variables": {others: &shape{fields: map[string]*shape{"default": text}}},
	}}}
	operation := &shape{fields: map[string]*shape{"servers": servers}}
	item := &shape{fields: map[string]*shape{
		"$ref": text, "servers": servers, "additionalOperations": {others: operation},
	}}
	for _, method := range methods {
		item.fields[strings.ToLower(method)] = operation
	}
	return &shape{fields: map[string]*shape{
		"openapi": text, "servers": servers,
		"swagger": text, "basePath": text, // of Swagger 2.0
		"paths":      {others: item},
		"components": {fields: map[string]*shape{"pathItems": {others: item}}},
	}}
}()

// get returns the node at the end of a path of fields, or nil.
func (n *node) get(names ...string) *node {
	for _, name := range names {
		if n == nil {
			return nil
		}
		n = n.fields[name]
	}
	return n
}

// order returns the names of the fields in the order of the file.
func (n *node) order() []string {
	if n == nil {
		return nil
	}
	return n.names
}

// MarshalJSON returns the node as JSON.
func (n *node) MarshalJSON() ([]byte, error) {
	switch {
	case n.fields != nil:
		return json.Marshal(n.fields)
	case n.isList:
		return json.Marshal(append([]*node{}, n.elements...))
	}
	return json.Marshal(n.text)
}

// An outliner reads an outline and records warnings.
type outliner struct {
	name     string // of the file
	warnings []string
}

func (o *outliner) warn(line int, format string, args ...any) {
	o.warnings = append(o.warnings, fmt.Sprintf("%s:%d: %s", o.name, line, fmt.Sprintf(format, args...)))
}

// put makes a value a field of an object, unless that is there already or the value
// does not have the shape. What is null is empty.
func (o *outliner) put(object *node, name string, value *node, s *shape) {
	if object.fields[name] != nil {
		o.warn(value.line, "%q occurs twice; the first one is used", name)
		return
	}
	if o.fits(name, value, s) {
		object.names = append(object.names, name)
		object.fields[name] = value
	}
}

// fits reports whether a value has a shape, or is null and so gets it.
func (o *outliner) fits(name string, value *node, s *shape) bool {
	want := ""
	switch {
	case s.isObject() && value.isNull:
		value.fields = make(map[string]*node)
	case s.isObject() && value.fields == nil:
		want = "an object"
	case s.each != nil && value.isNull:
		value.isList = true
	case s.each != nil && !value.isList:
		want = "a list"
	case !s.isObject() && s.each == nil && (value.isList || value.fields != nil):
		want = "a text"
	}
	if want != "" {
		o.warn(value.line, "%q is not %s and is ignored", name, want)
	}
	return want == ""
}
