package source

import (
	"fmt"
	"strings"

	"gopkg.in/yaml.v3"
)

// A yamlOutliner converts the result of the YAML package to an outline.
type yamlOutliner struct{ *outliner }

// readYAML returns the outline of a YAML file, or the error with its line.
func (o *outliner) readYAML(data []byte) (*node, error) {
	var document yaml.Node
	if err := yaml.Unmarshal(data, &document); err != nil {
		return nil, fmt.Errorf("%s: %s", o.name, strings.TrimPrefix(err.Error(), "yaml: "))
	}
	if len(document.Content) == 0 {
		return &node{line: 1, isNull: true}, nil
	}
	y := &yamlOutliner{outliner: o}
	return y.value(document.Content[0], fileShape), nil
}

// value returns the part of a value that is in the outline. A shape is finite, so this ends
// even if aliases lead in a circle.
func (y *yamlOutliner) value(from *yaml.Node, s *shape) *node {
	from = target(from)
	n := &node{line: from.Line}
	switch from.Kind {
	case yaml.MappingNode:
		n.fields = make(map[string]*node)
		y.members(n, from, s, make(map[*yaml.Node]bool))
	case yaml.SequenceNode:
		n.isList = true
		for _, element := range from.Content {
			if s.each == nil {
				break
			}
			if value := y.value(element, s.each); y.fits("element", value, s.each) {
				n.elements = append(n.elements, value)
			}
		}
	default:
		n.text, n.isNull = from.Value, from.ShortTag() == "!!null"
	}
	return n
}

// target returns the node that an alias refers to.
func target(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

// members puts the members of a mapping into an object, and behind them those that
// merge keys, <<, stand for, where the object does not have them. merged has what
// such keys have led to; it is not looked at again, since it has nothing new.
func (y *yamlOutliner) members(n *node, from *yaml.Node, s *shape, merged map[*yaml.Node]bool) {
	var merges []*yaml.Node
	for i := 0; i+1 < len(from.Content); i += 2 {
		key, value := target(from.Content[i]), from.Content[i+1]
		if key.ShortTag() == "!!merge" {
			merges = append(merges, value)
			continue
		}
		field := s.field(key.Value)
		if field == nil || key.Kind != yaml.ScalarNode || merged[from] && n.fields[key.Value] != nil {
			continue
		}
		child := y.value(value, field)
		child.line = key.Line
		y.put(n, key.Value, child, field)
	}
	for _, m := range merges {
		y.merge(n, target(m), s, merged)
	}
}

// merge puts what a merge key refers to, a mapping or a list of them, into an
// object.
func (y *yamlOutliner) merge(n *node, from *yaml.Node, s *shape, merged map[*yaml.Node]bool) {
	if merged[from] {
		return
	}
	merged[from] = true
	switch from.Kind {
	case yaml.MappingNode:
		y.members(n, from, s, merged)
	case yaml.SequenceNode:
		for _, element := range from.Content {
			y.merge(n, target(element), s, merged)
		}
	}
}
