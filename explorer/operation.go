package explorer

import (
	"bytes"
	_ "embed"
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/muxwell/muxwell/internal/routelist"
	"github.com/muxwell/muxwell/internal/routepage"
)

//go:embed operation.html
var operationHTML string

var operationTemplate = routepage.Parse(operationHTML, template.FuncMap{"stats": statsText})

// An operationPage is what the page of an operation shows.
type operationPage struct {
	Head        routepage.Header // of the document, with its own title
	Header      routepage.Header
	Method      string
	Target      string // the path of the URL, with the base path
	ID, Summary string
	Tags        []string
	Deprecated  bool
	Description string
	Routes      []*route
	MoreRoutes  int
	Security    []string // any of which is enough
	Params      []paramView
	Body        *bodyView
	Responses   []responseView
	Credentials []paramView // that "Try it" asks for
	Try         bool
	Curl        string
	Cut         bool // whether the operation is too large for the page
}

// A paramView is a parameter, or a header of a response.
type paramView struct {
	Name, In    string
	Required    bool
	Deprecated  bool
	Description string
	Schema      *schemaNode
	Example     *exampleView
	Rest        bool // whether the value may have slashes
	List        bool // whether the value is a list, of which each element is a parameter
}

type bodyView struct {
	Required    bool
	Description string
	Media       []mediaView
}

type mediaView struct {
	Type     string
	Schema   *schemaNode
	Examples []exampleView
}

type responseView struct {
	Status      string
	Description string
	Headers     []paramView
	Media       []mediaView
}

func (h *handler) serveOperation(w http.ResponseWriter, r *http.Request) {
	if h.spec == nil {
		http.Error(w, "the explorer has no OpenAPI document", http.StatusNotFound)
		return
	}
	v := h.view()
	s, err := h.spec.at(v, v.version())
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	op := s.find(r.URL.Query().Get("method"), r.URL.Query().Get("path"))
	if op == nil {
		http.Error(w, "the OpenAPI document has no such operation", http.StatusNotFound)
		return
	}
	p := newOperationPage(s, op, v)
	p.Header = routepage.Header{Title: v.Title, Shown: len(v.Routes), Total: len(v.Routes), Links: h.pages(), Files: "./"}
	p.Head.Title = firstNonEmpty(p.Summary, p.Method+" "+p.Target) + " · " + v.Title
	p.Try = !h.readOnly && op.Method != http.MethodTrace // which browsers refuse to send
	p.Curl = p.curl(r)
	var b bytes.Buffer
	if err := operationTemplate.Execute(&b, p); err != nil {
		panic(err) // the template does not fit the data
	}
	send(w, r, http.StatusOK, "text/html; charset=utf-8", b.Bytes())
}

func newOperationPage(s *specification, op *specOperation, v *view) *operationPage {
	r := &specReader{doc: s.document}
	path, _ := templateOf(op.Path)
	p := &operationPage{
		Method: op.Method, Target: s.base + path, Deprecated: op.Deprecated, ID: r.text(op.ID, 200),
		Summary: r.text(op.Summary, 1000), Description: r.text(stringOf(op.self, "description"), maxText),
	}
	for _, tag := range op.Tags[:min(len(op.Tags), maxEach)] {
		p.Tags = append(p.Tags, r.text(tag, 100))
	}
	rest := false
	for i, by := range s.routes[op] {
		if i == 0 {
			p.Target, rest = by.base+path, by.rest
		}
		if i == maxOthers {
			p.MoreRoutes = len(s.routes[op]) - i
			break
		}
		p.Routes = append(p.Routes, &v.Routes[by.id])
	}
	p.Security, p.Credentials = r.security(op)
	p.Params = r.params(op, p.Target, rest)
	p.Body = r.body(op)
	p.Responses = r.responses(op)
	p.Cut = r.isFull()
	return p
}

// params returns the parameters of an operation: its own, those of its path, and those
// that are in the path of the URL only.
func (r *specReader) params(op *specOperation, target string, rest bool) []paramView {
	var all []paramView
	for _, v := range slices.Concat(listOf(op.self, "parameters"), listOf(op.item, "parameters")) {
		o, _ := r.doc.resolve(v)
		if r.isFull() {
			break
		}
		p := r.param(stringOf(o, "name"), o)
		p.In = r.text(stringOf(o, "in"), 20)
		ignored := p.In == "header" && slices.Contains([]string{"accept", "content-type", "authorization"}, strings.ToLower(p.Name))
		if p.Name == "" || ignored || slices.ContainsFunc(all, p.is) {
			continue
		}
		all = append(all, p)
	}
	last := ""
	for _, piece := range routelist.Pieces(target) {
		if !piece.Param {
			continue
		}
		p := paramView{Name: strings.Trim(piece.Text, "{}"), In: "path", Required: true, Schema: &schemaNode{Type: "string"}}
		if last = p.Name; !slices.ContainsFunc(all, p.is) && !r.isFull() {
			all = append(all, p)
		}
	}
	for i := range all {
		p := &all[i]
		p.Rest = p.Rest || rest && p.In == "path" && p.Name == last
	}
	order := []string{"path", "query", "header", "cookie"}
	slices.SortStableFunc(all, func(a, b paramView) int { return slices.Index(order, a.In) - slices.Index(order, b.In) })
	return all
}

func (p paramView) is(q paramView) bool { return p.Name == q.Name && p.In == q.In }

// param returns a parameter or a header.
func (r *specReader) param(name string, o object) paramView {
	p := paramView{
		Name: r.text(name, 200), Required: isTrue(o, "required"), Deprecated: isTrue(o, "deprecated"),
		Description: r.text(stringOf(o, "description"), maxText), Rest: isTrue(o, "x-muxwell-catch-all"),
	}
	schema, has := o["schema"]
	mediaType := ""
	for _, mediaType = range sortedKeys(objectOf(o, "content")) {
		if media, _ := r.doc.resolve(objectOf(o, "content")[mediaType]); !has {
			schema, has = media["schema"]
			o = media
		}
	}
	if has {
		p.Schema = r.schema("", schema, nil)
	} else {
		p.Schema = &schemaNode{Type: "any"}
	}
	if all := r.examples(o, mediaType, ofRequest); len(all) > 0 {
		p.Example = &all[0]
	}
	p.List = strings.HasPrefix(p.Schema.Type, "array") && o["explode"] != false
	return p
}

func (r *specReader) body(op *specOperation) *bodyView {
	v, ok := op.self["requestBody"]
	if !ok {
		return nil
	}
	o, _ := r.doc.resolve(v)
	return &bodyView{Required: isTrue(o, "required"), Description: r.text(stringOf(o, "description"), maxText), Media: r.media(o, ofRequest)}
}

// media returns the media types of a body, JSON first.
func (r *specReader) media(o object, to direction) []mediaView {
	content := objectOf(o, "content")
	types := sortedKeys(content)
	slices.SortStableFunc(types, func(a, b string) int {
		switch {
		case isJSON(a) == isJSON(b):
			return 0
		case isJSON(a):
			return -1
		}
		return 1
	})
	var all []mediaView
	for _, mediaType := range types[:min(len(types), maxEach)] {
		if r.isFull() {
			break
		}
		m, _ := r.doc.resolve(content[mediaType])
		view := mediaView{Type: r.text(mediaType, 200)}
		if schema, ok := m["schema"]; ok {
			view.Schema = r.schema("", schema, nil)
		}
		view.Examples = r.examples(m, mediaType, to)
		all = append(all, view)
	}
	return all
}

func (r *specReader) responses(op *specOperation) []responseView {
	var all []responseView
	responses := objectOf(op.self, "responses")
	for _, status := range sortedKeys(responses)[:min(len(responses), maxEach)] {
		if r.isFull() {
			break
		}
		o, _ := r.doc.resolve(responses[status])
		view := responseView{Status: r.text(status, 20), Description: r.text(stringOf(o, "description"), maxText), Media: r.media(o, ofResponse)}
		headers := objectOf(o, "headers")
		for _, name := range sortedKeys(headers)[:min(len(headers), maxEach)] {
			if r.isFull() {
				break
			}
			header, _ := r.doc.resolve(headers[name])
			view.Headers = append(view.Headers, r.param(name, header))
		}
		all = append(all, view)
	}
	return all
}

// security returns the alternatives of what an operation requires, and the fields that
// are needed for all of them.
func (r *specReader) security(op *specOperation) (alternatives []string, fields []paramView) {
	requirements, ok := op.self["security"].([]any)
	if !ok {
		requirements = listOf(r.doc.root, "security")
	}
	schemes := objectOf(objectOf(r.doc.root, "components"), "securitySchemes")
	for _, v := range requirements[:min(len(requirements), maxEach)] {
		requirement, _ := v.(object)
		var all []string
		for _, name := range sortedKeys(requirement)[:min(len(requirement), 10)] {
			scheme, _ := r.doc.resolve(schemes[name])
			text, field := credential(scheme)
			if scopes := stringsOf(requirement, name); len(scopes) > 0 {
				text += " with " + strings.Join(scopes, ", ")
			}
			all = append(all, r.text(name, 100)+": "+r.text(text, 400))
			field.Name, field.Description = r.text(field.Name, 100), r.text(field.Description, 100)
			if field.Name != "" && !slices.ContainsFunc(fields, field.is) {
				fields = append(fields, field)
			}
		}
		alternatives = append(alternatives, firstNonEmpty(strings.Join(all, " and "), "none"))
	}
	return alternatives, fields
}

// credential returns a security scheme in words, and the field that it is sent in.
func credential(scheme object) (text string, field paramView) {
	switch kind := stringOf(scheme, "type"); kind {
	case "apiKey":
		name, in := stringOf(scheme, "name"), stringOf(scheme, "in")
		return in + " " + name, paramView{Name: name, In: in}
	case "http":
		how := stringOf(scheme, "scheme")
		return "HTTP " + how, paramView{Name: "Authorization", In: "header", Description: strings.ToUpper(how[:min(len(how), 1)]) + how[min(len(how), 1):] + " …"}
	case "oauth2", "openIdConnect":
		return kind, paramView{Name: "Authorization", In: "header", Description: "Bearer …"}
	default:
		return firstNonEmpty(kind, "not described"), field
	}
}

// Value returns what the field of the parameter begins with: an example if there must
// be a value.
func (p paramView) Value() string {
	if p.Required && p.Example != nil {
		return p.Example.Text
	}
	return ""
}

// curl returns the request as a command for a POSIX shell, with the examples of what
// is required.
func (p *operationPage) curl(r *http.Request) string {
	origin := "http://" + r.Host
	if r.TLS != nil {
		origin = "https://" + r.Host
	}
	target, query, headers := p.Target, []string(nil), []string(nil)
	for _, param := range p.Params {
		value := param.Value()
		switch {
		case param.In == "path":
			escaped := url.PathEscape(value)
			if param.Rest {
				escaped = strings.ReplaceAll(escaped, "%2F", "/")
			}
			target = strings.ReplaceAll(target, "{"+param.Name+"}", firstNonEmpty(escaped, ":"+url.PathEscape(param.Name)))
		case value == "":
		case param.In == "query":
			values := []string{value}
			if param.List {
				values = strings.Split(value, ",")
			}
			for _, one := range values {
				query = append(query, escapeQuery(param.Name)+"="+escapeQuery(one))
			}
		case param.In == "header":
			headers = append(headers, param.Name+": "+value)
		}
	}
	if len(query) > 0 {
		target += "?" + strings.Join(query, "&")
	}
	words := []string{"curl"}
	switch p.Method {
	case http.MethodGet:
	case http.MethodHead:
		words = append(words, "-I")
	default:
		words = append(words, "-X", p.Method)
	}
	lines := []string{strings.Join(append(words, quoteShell(origin+target)), " ")}
	body := p.Sample()
	if body != nil {
		headers = append(headers, "Content-Type: "+body.Type)
	}
	for _, header := range headers {
		lines = append(lines, "-H "+quoteShell(header))
	}
	if body != nil {
		lines = append(lines, "--data-raw "+quoteShell(body.Text()))
	}
	return strings.Join(lines, " \\\n  ")
}

// Sample returns the media type of the body that "Try it" begins with; nil if there is
// no body, or none that is text.
func (p *operationPage) Sample() *mediaView {
	if p.Body == nil || p.Method == http.MethodGet || p.Method == http.MethodHead {
		return nil
	}
	for i := range p.Body.Media {
		if p.Body.Media[i].IsText() {
			return &p.Body.Media[i]
		}
	}
	return nil
}

// IsText reports whether a body of the media type can be written in a page.
func (m *mediaView) IsText() bool {
	base, _, _ := strings.Cut(m.Type, ";")
	return isJSON(base) || strings.HasPrefix(base, "text/") || strings.HasSuffix(base, "xml") || strings.HasSuffix(base, "yaml") ||
		base == "application/x-www-form-urlencoded" || base == "application/x-ndjson"
}

// Text returns the first example, or "".
func (m *mediaView) Text() string {
	if len(m.Examples) == 0 {
		return ""
	}
	return m.Examples[0].Text
}

// escapeQuery escapes as encodeURIComponent does in the page, apart from !'()*.
func escapeQuery(s string) string { return strings.ReplaceAll(url.QueryEscape(s), "+", "%20") }

// quoteShell quotes s as one word of a POSIX shell.
func quoteShell(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
