package explorer

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// How much of a document a page shows. Schemas can be recursive, and documents can be
// made to be large: what has no room is left out, and the page says so.
const (
	maxDepth = 8        // of schemas in each other
	maxNodes = 600      // schemas, parameters and so on of a page
	maxTexts = 96 << 10 // bytes of texts of a page
	maxEach  = 100      // parameters, responses, media types or properties of one thing
	maxText  = 4 << 10  // bytes of a description
)

// A specReader makes what a page shows of a document. It counts what it has made.
type specReader struct {
	doc   *document
	nodes int
	texts int
}

// text returns a text of the document, cut if it or the page is too long.
func (r *specReader) text(s string, most int) string {
	most = max(0, min(most, maxTexts-r.texts))
	r.texts += min(len(s), most)
	s = strings.ToValidUTF8(s, "\ufffd")
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}

// isFull counts one thing that the page shows, and reports whether it was the last.
func (r *specReader) isFull() bool {
	r.nodes++
	return r.nodes > maxNodes
}

// A schemaNode is a schema as the page shows it.
type schemaNode struct {
	Name        string // of the property, or what the schema is to the one around it
	Group       bool   // whether Name is words, such as "one of", not a property's name
	Required    bool
	Type        string
	Ref         string // the name of the component
	Notes       []string
	Description string
	Nodes       []*schemaNode
	Cut         string // why Nodes are not all
}

// schema returns the node of a schema. refs are the components that it is in.
func (r *specReader) schema(name string, v any, refs []string) *schemaNode {
	n := &schemaNode{Name: r.text(name, 200)}
	if r.isFull() {
		n.Cut = "more is not shown"
		return n
	}
	if allowed, ok := v.(bool); ok {
		n.Type = map[bool]string{true: "any", false: "nothing"}[allowed]
		return n
	}
	s, ref := r.doc.resolve(v)
	self, _ := v.(object)
	n.Ref = r.text(ref, 200)
	if s == nil {
		n.Type = "any"
		if self["$ref"] != nil {
			n.Cut = "the reference leads nowhere in this document"
		}
		return n
	}
	n.Type = r.text(typeOf(s), 200)
	n.Description = r.text(firstNonEmpty(stringOf(self, "description"), stringOf(s, "description")), maxText)
	if ref != "" && slices.Contains(refs, ref) {
		n.Cut = "recursive"
		return n
	}
	n.Notes = r.notes(s)
	if ref != "" {
		refs = append(slices.Clip(refs), ref)
	} else {
		refs = append(slices.Clip(refs), "") // counts for the depth
	}
	r.children(n, s, refs)
	if items, ok := s["items"]; ok {
		item := r.schema("", items, refs)
		n.Type = r.text(strings.Replace(n.Type, "array", "array of "+firstNonEmpty(item.Ref, item.Type), 1), 400)
		n.Notes = append(n.Notes, eachOf(item.Notes)...)
		n.Nodes = append(n.Nodes, item.Nodes...)
		n.Cut = firstNonEmpty(n.Cut, item.Cut)
	}
	return n
}

func eachOf(notes []string) []string {
	if len(notes) == 0 {
		return nil
	}
	return []string{"each: " + strings.Join(notes, ", ")}
}

// children adds what is in a schema, as far as there is room.
func (r *specReader) children(n *schemaNode, s object, refs []string) {
	add := func(to *schemaNode, name string, v any) *schemaNode {
		if len(refs) > maxDepth || r.nodes >= maxNodes || len(to.Nodes) >= maxEach {
			n.Cut = "more is not shown"
			return nil
		}
		child := r.schema(name, v, refs)
		to.Nodes = append(to.Nodes, child)
		return child
	}
	required := stringsOf(s, "required")
	properties := objectOf(s, "properties")
	for _, name := range sortedKeys(properties) {
		if child := add(n, name, properties[name]); child != nil {
			child.Required = slices.Contains(required, name)
		}
	}
	for _, key := range []string{"additionalProperties", "not"} {
		if v, ok := s[key].(object); ok {
			if child := add(n, map[string]string{"additionalProperties": "any other name", "not": "not"}[key], v); child != nil {
				child.Group = true
			}
		}
	}
	for _, kind := range []struct{ key, words string }{{"allOf", "all of"}, {"oneOf", "one of"}, {"anyOf", "any of"}, {"prefixItems", "elements"}} {
		all := listOf(s, kind.key)
		if len(all) == 0 || r.nodes >= maxNodes {
			continue
		}
		r.nodes++
		group := &schemaNode{Name: kind.words, Group: true}
		n.Nodes = append(n.Nodes, group)
		for _, v := range all {
			add(group, "", v)
		}
	}
}

// typeOf returns the type of a schema in words, as of 3.0 and as of 3.1.
func typeOf(s object) string {
	types := stringsOf(s, "type")
	if one := stringOf(s, "type"); one != "" {
		types = []string{one}
	}
	if len(types) == 0 {
		for _, kind := range []struct{ key, name string }{{"properties", "object"}, {"additionalProperties", "object"}, {"items", "array"}, {"prefixItems", "array"}} {
			if s[kind.key] != nil {
				types = []string{kind.name}
				break
			}
		}
	}
	if len(types) == 0 && s["allOf"] == nil && s["oneOf"] == nil && s["anyOf"] == nil {
		types = []string{"any"}
	}
	if isTrue(s, "nullable") {
		types = append(types, "null")
	}
	return strings.Join(types, " or ")
}

// schemaNotes are the keywords that a note shows with their values.
var schemaNotes = []struct{ key, words string }{
	{"format", ""},
	{"const", "is "},
	{"minimum", "≥ "},
	{"exclusiveMinimum", "> "},
	{"maximum", "≤ "},
	{"exclusiveMaximum", "< "},
	{"multipleOf", "multiple of "},
	{"minLength", "min length "},
	{"maxLength", "max length "},
	{"pattern", "matches "},
	{"minItems", "min items "},
	{"maxItems", "max items "},
	{"minProperties", "min properties "},
	{"maxProperties", "max properties "},
	{"contentMediaType", ""},
	{"contentEncoding", ""},
	{"default", "default "},
	{"x-muxwell-constraint", "constraint "},
}

// notes returns what constrains the values of a schema.
func (r *specReader) notes(s object) []string {
	var notes []string
	note := func(text string) { notes = append(notes, r.text(text, 200)) }
	for _, kind := range schemaNotes {
		switch v := s[kind.key].(type) {
		case nil, bool: // a bool of 3.0 is with the minimum or the maximum
		case string:
			if kind.key == "default" || kind.key == "const" {
				v = fmt.Sprintf("%q", v)
			}
			note(kind.words + v)
		default:
			words := kind.words
			if kind.key == "minimum" && isTrue(s, "exclusiveMinimum") {
				words = "> "
			} else if kind.key == "maximum" && isTrue(s, "exclusiveMaximum") {
				words = "< "
			}
			note(words + jsonText(v, ""))
		}
		if v, ok := s[kind.key].(bool); ok && (kind.key == "default" || kind.key == "const") {
			note(fmt.Sprint(kind.words, v))
		}
	}
	if values := listOf(s, "enum"); len(values) > 0 {
		var texts []string
		for _, v := range values[:min(len(values), 20)] {
			texts = append(texts, jsonText(v, ""))
		}
		if len(values) > 20 {
			texts = append(texts, "…")
		}
		notes = append(notes, r.text("one of "+strings.Join(texts, ", "), 1000))
	}
	for _, kind := range []struct{ key, words string }{{"uniqueItems", "unique items"}, {"readOnly", "read-only"}, {"writeOnly", "write-only"}, {"deprecated", "deprecated"}} {
		if isTrue(s, kind.key) {
			note(kind.words)
		}
	}
	if s["additionalProperties"] == false {
		note("no other properties")
	}
	return notes
}

// jsonText returns a value as JSON.
func jsonText(v any, indent string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	if err := e.Encode(v); err != nil {
		return ""
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func firstNonEmpty(texts ...string) string {
	for _, s := range texts {
		if s != "" {
			return s
		}
	}
	return ""
}
