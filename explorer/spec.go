package explorer

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/muxwell/muxwell/internal/routelist"
)

// A document is decoded once, as maps and slices: a page then reads the operation that
// it shows, and what is of another type than OpenAPI says counts as missing. Nothing of
// the document can therefore break a page.

// Spec lets the explorer show the operations of an OpenAPI 3.0 or 3.1 document: routes
// link to a page of parameters, bodies, examples, responses and, without [ReadOnly],
// "Try it". The api.OpenAPI() of huma, an openapi3.T of kin-openapi, and a
// [json.RawMessage] are such documents. openapi.json is then this document.
//
// An operation belongs to the routes that have its method and its path, behind the base
// path of a server or not, without the names and the constraints of parameters; or to
// the route that is named as its operationId, if the route's path ends in its path.
// Operations without a route are listed too. References must be local.
//
// MarshalJSON is called when the document is first needed and again when the routes of
// the mux have changed, so that operations that were registered with them appear. It is
// not called by two goroutines at once, but nothing else may change the document
// meanwhile: MarshalJSON of huma and of kin-openapi only read. If it fails or panics, or
// if its result is not an OpenAPI 3 document, the page has the reason, and openapi.json
// is a 500 with it.
func Spec(document json.Marshaler) Option {
	return Option{func(h *handler) { h.spec = &specSource{marshaler: document} }}
}

// ReadOnly leaves out "Try it", with which the reader of a page sends a request of a
// [Spec] to the origin of the page, with the reader's cookies.
func ReadOnly() Option {
	return Option{func(h *handler) { h.readOnly = true }}
}

// A specSource has the specification that was read last.
type specSource struct {
	marshaler json.Marshaler
	mu        sync.Mutex
	version   string
	current   *specification
}

// at returns the specification for the routes of a view. The error says why there is
// none.
func (s *specSource) at(v *view, version string) (*specification, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current != nil && s.version == version {
		return s.current, nil
	}
	doc, err := readDocument(s.marshaler)
	if err != nil {
		return nil, fmt.Errorf("the OpenAPI document cannot be read: %w", err)
	}
	s.current, s.version = newSpecification(doc, v), version
	return s.current, nil
}

// An object is an object of JSON.
type object = map[string]any

// A document is an OpenAPI document. It does not change.
type document struct {
	text       []byte
	root       object
	operations []*specOperation // by path and method
	byShape    map[string][]*specOperation
	byID       map[string]*specOperation
	base       string     // the path of the first server
	bases      []basePath // of all, the longest first
}

// A specOperation is an operation of a document.
type specOperation struct {
	Method, Path string
	ID, Summary  string
	Deprecated   bool
	Tags         []string
	shape        string // of the path, as that of a urlTemplate
	item, self   object
}

// A basePath is the path of a server's URL.
type basePath struct {
	text  string // with the defaults of variables
	shape string
}

// specMethods are the operations of a path in a document, in the order of a page.
var specMethods = []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions, http.MethodTrace}

func readDocument(m json.Marshaler) (*document, error) {
	text, err := marshal(m)
	if err != nil {
		return nil, err
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	d := &document{text: text, byShape: map[string][]*specOperation{}, byID: map[string]*specOperation{}}
	var root any
	if err := decoder.Decode(&root); err != nil {
		return nil, err
	}
	if _, err := decoder.Token(); err != io.EOF {
		return nil, errors.New("text follows the JSON")
	}
	d.root, _ = root.(object)
	if version := stringOf(d.root, "openapi"); !strings.HasPrefix(version, "3.") {
		return nil, fmt.Errorf(`"openapi" is %q; use a document of OpenAPI 3.0 or 3.1`, abridge(version))
	}
	d.readOperations()
	d.readBases()
	return d, nil
}

// marshal returns the text of a document, also if the program's code panics.
func marshal(m json.Marshaler) (text []byte, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("MarshalJSON panicked: %s", abridge(fmt.Sprint(p)))
		}
	}()
	text, err = m.MarshalJSON()
	return bytes.Clone(text), err
}

func (d *document) readOperations() {
	paths := objectOf(d.root, "paths")
	for _, path := range sortedKeys(paths) {
		if !strings.HasPrefix(path, "/") || len(path) > maxText {
			continue // an extension, or none that a link can have
		}
		item, _ := d.resolve(paths[path])
		_, shape := templateOf(path)
		for _, method := range specMethods {
			self, ok := item[strings.ToLower(method)].(object)
			if !ok {
				continue
			}
			op := &specOperation{
				Method: method, Path: path, ID: stringOf(self, "operationId"), Summary: stringOf(self, "summary"),
				Deprecated: isTrue(self, "deprecated"), Tags: stringsOf(self, "tags"), shape: shape, item: item, self: self,
			}
			d.operations = append(d.operations, op)
			d.byShape[shape] = append(d.byShape[shape], op)
			if op.ID != "" {
				d.byID[op.ID] = op
			}
		}
	}
}

// templateOf returns the path of a document with its literal text escaped and without
// the constraints that some libraries leave in it, and its shape.
func templateOf(path string) (text, shape string) {
	for _, p := range routelist.Pieces(path) {
		if p.Param && strings.HasSuffix(p.Text, "}") {
			name, _ := splitParam(p.Text)
			text, shape = text+"{"+strings.TrimSuffix(name, "...")+"}", shape+"{}"
			continue
		}
		literal := escapeLiteral(p.Text)
		text, shape = text+literal, shape+literal
	}
	return text, shape
}

func (d *document) readBases() {
	for _, v := range listOf(d.root, "servers") {
		server, _ := v.(object)
		url := stringOf(server, "url")
		filled := url
		for name, variable := range objectOf(server, "variables") {
			variable, _ := variable.(object)
			filled = strings.ReplaceAll(filled, "{"+name+"}", stringOf(variable, "default"))
		}
		text, shape := templateOf(pathOfURL(filled))
		_, open := templateOf(pathOfURL(url))
		if d.bases == nil {
			d.base = text
		}
		d.bases = append(d.bases, basePath{text, shape}, basePath{text, open})
	}
	if d.bases == nil {
		d.bases = []basePath{{}}
	}
	slices.SortStableFunc(d.bases, func(a, b basePath) int { return len(b.shape) - len(a.shape) })
}

// pathOfURL returns the path of a server's URL without a final slash.
func pathOfURL(url string) string {
	_, after, absolute := strings.Cut(url, "//")
	if absolute {
		slash := strings.IndexByte(after, '/')
		if slash < 0 {
			return ""
		}
		url = after[slash:]
	}
	url, _, _ = strings.Cut(url, "?")
	if !strings.HasPrefix(url, "/") {
		return ""
	}
	return strings.TrimRight(url, "/")
}

// maxHops is the length of the longest chain of references that is followed.
const maxHops = 16

// resolve returns the object that v is or refers to, and the name that the last
// reference ends with. The object is nil if there is none.
func (d *document) resolve(v any) (o object, name string) {
	for range maxHops {
		o, _ = v.(object)
		ref, ok := o["$ref"].(string)
		if !ok {
			return o, name
		}
		v, name = d.at(ref), ref[strings.LastIndexByte(ref, '/')+1:]
	}
	return nil, name
}

// at returns the value at a local reference, which is a JSON pointer (RFC 6901) in a
// fragment.
func (d *document) at(ref string) any {
	pointer, ok := strings.CutPrefix(ref, "#/")
	if !ok {
		return nil
	}
	var v any = d.root
	for token := range strings.SplitSeq(pointer, "/") {
		token = unescapePointer(token)
		switch at := v.(type) {
		case object:
			v = at[token]
		case []any:
			v = elementAt(at, token)
		default:
			return nil
		}
	}
	return v
}
