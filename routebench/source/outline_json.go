package source

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// A jsonOutliner reads the outline of a JSON file. What is not in the shape is
// skipped without being kept.
type jsonOutliner struct {
	*outliner
	data []byte
	dec  *json.Decoder
	at   int // the offset up to which lines have been counted
	line int
}

// readJSON returns the outline of a JSON file, or the error with its line.
func (o *outliner) readJSON(data []byte) (*node, error) {
	j := &jsonOutliner{outliner: o, data: data, dec: json.NewDecoder(bytes.NewReader(data)), line: 1}
	n, err := j.value(fileShape)
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return nil, fmt.Errorf("%s:%d: %s", o.name, j.count(), strings.TrimPrefix(err.Error(), "json: "))
	}
	return n, nil
}

// count returns the line up to which has been read.
func (j *jsonOutliner) count() int {
	if to := int(j.dec.InputOffset()); to > j.at {
		j.line += bytes.Count(j.data[j.at:to], []byte("\n"))
		j.at = to
	}
	return j.line
}

// value reads a value of which a shape is in the outline.
func (j *jsonOutliner) value(s *shape) (*node, error) {
	token, err := j.dec.Token()
	if err != nil {
		return nil, err
	}
	n := &node{line: j.count()}
	switch token {
	case json.Delim('{'):
		n.fields = make(map[string]*node)
		err = j.members(n, s)
	case json.Delim('['):
		n.isList = true
		err = j.elements(n, s)
	case nil:
		n.isNull = true
	default:
		n.text = fmt.Sprint(token)
	}
	return n, err
}

// members reads the members of an object with the brace that closes it.
func (j *jsonOutliner) members(n *node, s *shape) error {
	for j.dec.More() {
		token, err := j.dec.Token()
		if err != nil {
			return err
		}
		name, _ := token.(string)
		field := s.field(name)
		if field == nil {
			if err := j.skip(); err != nil {
				return err
			}
			continue
		}
		line := j.count()
		value, err := j.value(field)
		if err != nil {
			return err
		}
		value.line = line
		j.put(n, name, value, field)
	}
	_, err := j.dec.Token()
	return err
}

// elements reads the elements of a list with the bracket that closes it.
func (j *jsonOutliner) elements(n *node, s *shape) error {
	for j.dec.More() {
		if s.each == nil {
			if err := j.skip(); err != nil {
				return err
			}
			continue
		}
		value, err := j.value(s.each)
		if err != nil {
			return err
		}
		if j.fits("element", value, s.each) {
			n.elements = append(n.elements, value)
		}
	}
	_, err := j.dec.Token()
	return err
}

// skip reads a value that is not in the outline.
func (j *jsonOutliner) skip() error {
	var skipped json.RawMessage
	return j.dec.Decode(&skipped)
}
