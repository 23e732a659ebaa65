package humamuxwell

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/muxwell/muxwell/internal/constraint"
)

// newSchema returns the schema of the values that match a constraint, which is written
// as text; "" is none.
func newSchema(text string) *huma.Schema {
	b := constraint.Find(text)
	switch {
	case text == "":
		return &huma.Schema{Type: huma.TypeString}
	case b != nil:
		s := &huma.Schema{Type: b.Type, Format: b.Format, Pattern: b.Pattern()}
		if b.Minimum != nil {
			minimum := float64(*b.Minimum)
			s.Minimum = &minimum
		}
		return s
	case constraint.IsName(text):
		return &huma.Schema{Type: huma.TypeString, Extensions: map[string]any{"x-muxwell-constraint": text}}
	}
	alternatives := strings.Split(text, "|")
	if slices.ContainsFunc(alternatives, func(s string) bool { return s == "" || regexp.QuoteMeta(s) != s }) {
		return &huma.Schema{Type: huma.TypeString, Pattern: "^(?:" + text + ")$"}
	}
	s := &huma.Schema{Type: huma.TypeString}
	for _, value := range alternatives {
		s.Enum = append(s.Enum, value)
	}
	return s
}

// refine returns the schema of a field of the input with what that of the constraint
// adds to it.
func refine(field, added *huma.Schema) *huma.Schema {
	if field == nil {
		return added
	}
	s := *field
	switch {
	case s.Ref != "":
	case s.Type == huma.TypeString && added.Type == huma.TypeInteger:
		if s.Format == "" && s.Pattern == "" && s.Enum == nil && s.MinLength == nil && s.MaxLength == nil {
			s.Type, s.Minimum = added.Type, added.Minimum
		}
	case s.Type == huma.TypeInteger && added.Type == huma.TypeInteger:
		if s.Minimum == nil && s.ExclusiveMinimum == nil {
			s.Minimum = added.Minimum
		}
	case s.Type == huma.TypeInteger && s.Enum == nil:
		s.Enum = integers(added.Enum)
	case s.Type == huma.TypeString:
		if s.Format == "" {
			s.Format = added.Format
		}
		if s.Pattern == "" {
			s.Pattern = added.Pattern
		}
		if s.Enum == nil {
			s.Enum = added.Enum
		}
		if s.Extensions == nil {
			s.Extensions = added.Extensions
		}
	}
	return &s
}

// integers returns the values of texts, or nil if one is not an integer.
func integers(texts []any) []any {
	var values []any
	for _, text := range texts {
		n, err := strconv.Atoi(text.(string))
		if err != nil {
			return nil
		}
		values = append(values, n)
	}
	return values
}
