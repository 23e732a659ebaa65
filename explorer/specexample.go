package explorer

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// An exampleView is a value that the page shows, and that "Try it" begins with.
type exampleView struct {
	Name      string
	Text      string
	Generated bool // made from the schema, not from the document
}

// maxExample is the size of the largest example that is shown; one that is cut would be
// invalid.
const maxExample = 16 << 10

// A direction is the keyword of the properties that a generated example leaves out.
type direction string

const (
	ofRequest  direction = "readOnly"
	ofResponse direction = "writeOnly"
)

// examples returns the examples of a parameter, header or media type, or one that is
// generated.
func (r *specReader) examples(o object, mediaType string, to direction) []exampleView {
	var all []exampleView
	if v, ok := o["example"]; ok {
		all = r.addExample(all, "", v, mediaType)
	}
	named := objectOf(o, "examples")
	for _, name := range sortedKeys(named)[:min(len(named), 10)] {
		example, _ := r.doc.resolve(named[name])
		if v, ok := example["value"]; ok {
			all = r.addExample(all, name, v, mediaType)
		}
	}
	schema, ok := o["schema"]
	if len(all) > 0 || !ok {
		return all
	}
	g := generator{doc: r.doc, to: to}
	if all = r.addExample(nil, "", g.value(schema, nil), mediaType); len(all) > 0 {
		all[0].Generated = !g.given
	}
	return all
}

func (r *specReader) addExample(all []exampleView, name string, v any, mediaType string) []exampleView {
	text := exampleText(v, mediaType)
	if text == "" {
		return all
	}
	if len(text) > min(maxExample, maxTexts-r.texts) {
		text = ""
	}
	r.texts += len(text)
	return append(all, exampleView{Name: r.text(name, 200), Text: strings.ToValidUTF8(text, "\ufffd")})
}

// exampleText returns a value as a body of a media type, or as the value of a parameter
// if that is "".
func exampleText(v any, mediaType string) string {
	base, _, _ := strings.Cut(mediaType, ";")
	switch fields, isObject := v.(object); {
	case v == nil && mediaType == "":
		return ""
	case base == "application/x-www-form-urlencoded" && isObject:
		form := url.Values{}
		for name, value := range fields {
			form.Set(name, exampleText(value, ""))
		}
		return form.Encode()
	case isJSON(base):
		if !isShallow(v, 32) {
			return jsonText(v, "") // indented, it would be as large as the square of its depth
		}
		return jsonText(v, "  ")
	}
	switch v := v.(type) {
	case string:
		return v
	case []any:
		if mediaType == "" {
			var texts []string
			for _, each := range v[:min(len(v), 20)] {
				texts = append(texts, exampleText(each, ""))
			}
			return strings.Join(texts, ",")
		}
	}
	return jsonText(v, "")
}

func isJSON(mediaType string) bool {
	return mediaType == "application/json" || strings.HasSuffix(mediaType, "+json")
}

// isShallow reports whether a value of JSON has at most depth levels.
func isShallow(v any, depth int) bool {
	if depth < 0 {
		return false
	}
	switch v := v.(type) {
	case []any:
		return !slices.ContainsFunc(v, func(each any) bool { return !isShallow(each, depth-1) })
	case object:
		for _, each := range v {
			if !isShallow(each, depth-1) {
				return false
			}
		}
	}
	return true
}

// A generator makes a value that a schema could have. It does not look for one that
// satisfies patterns or several schemas at once.
type generator struct {
	doc   *document
	to    direction
	nodes int
	given bool // whether the whole value is an example of the document
}

// value returns a value of a schema, nil if there is none. refs are the components that
// the schema is in.
func (g *generator) value(v any, refs []string) any {
	s, ref := g.doc.resolve(v)
	if g.nodes++; g.nodes > maxNodes || len(refs) > maxDepth || ref != "" && slices.Contains(refs, ref) {
		return nil
	}
	for i, key := range []string{"example", "examples", "const", "default", "enum"} {
		given := s[key]
		if all, ok := given.([]any); ok && (key == "examples" || key == "enum") {
			given = elementAt(all, "0")
		}
		if given != nil {
			g.given = len(refs) == 0 && i < 2
			return given
		}
	}
	refs = append(slices.Clip(refs), ref)
	kind, _, _ := strings.Cut(strings.TrimPrefix(typeOf(s), "null or "), " or ")
	switch {
	case kind == "object" || kind == "" && s["allOf"] != nil:
		return g.object(s, refs)
	case kind == "array":
		if item := g.value(s["items"], refs); item != nil {
			return []any{item}
		}
		return []any{}
	case kind == "string":
		return sampleString(s)
	case kind == "integer" || kind == "number":
		return sampleNumber(s)
	case kind == "boolean":
		return true
	}
	for _, key := range []string{"oneOf", "anyOf"} {
		for _, one := range listOf(s, key) {
			if value := g.value(one, refs); value != nil {
				return value
			}
		}
	}
	return nil
}

func (g *generator) object(s object, refs []string) any {
	value := object{}
	for _, part := range listOf(s, "allOf") {
		fields, _ := g.value(part, refs).(object)
		maps.Copy(value, fields)
	}
	properties := objectOf(s, "properties")
	for _, name := range sortedKeys(properties)[:min(len(properties), maxEach)] {
		if property, _ := g.doc.resolve(properties[name]); isTrue(property, string(g.to)) {
			continue
		}
		if v := g.value(properties[name], refs); v != nil {
			value[name] = v
		}
	}
	for _, key := range []string{"oneOf", "anyOf"} {
		if all := listOf(s, key); len(all) > 0 {
			fields, _ := g.value(all[0], refs).(object)
			maps.Copy(value, fields)
		}
	}
	return value
}

// samples are strings of the formats.
var samples = map[string]string{
	"date": "2024-01-31", "date-time": "2024-01-31T12:00:00Z", "time": "12:00:00Z", "duration": "PT1H", "email": "user@example.com",
	"hostname": "example.com", "ipv4": "192.0.2.1", "ipv6": "2001:db8::1", "uri": "https://example.com/", "uri-reference": "/", "uuid": "123e4567-e89b-42d3-a456-426614174000",
	"byte": "AA==",
}

func sampleString(s object) string {
	if sample, ok := samples[stringOf(s, "format")]; ok {
		return sample
	}
	sample := "string"
	if most, err := strconv.Atoi(fmt.Sprint(s["maxLength"])); err == nil && most >= 0 && most < len(sample) {
		sample = sample[:most]
	}
	if least, err := strconv.Atoi(fmt.Sprint(s["minLength"])); err == nil && least > len(sample) && least <= 1000 {
		sample += strings.Repeat("x", least-len(sample))
	}
	return sample
}

func sampleNumber(s object) any {
	n := 1.0
	if least, ok := numberOf(s, "minimum"); ok {
		n = least
		if isTrue(s, "exclusiveMinimum") {
			n++
		}
	} else if least, ok := numberOf(s, "exclusiveMinimum"); ok {
		n = least + 1
	} else if most, ok := numberOf(s, "maximum"); ok && most < n {
		n = most
	}
	return json.Number(strconv.FormatFloat(n, 'f', -1, 64))
}

func numberOf(o object, key string) (float64, bool) {
	n, _ := o[key].(json.Number)
	f, err := n.Float64()
	return f, err == nil
}
