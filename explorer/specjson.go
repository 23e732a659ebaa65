package explorer

import (
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// The functions below return a value of an object, or the zero value if there is none
// of its type.

func stringOf(o object, key string) string { s, _ := o[key].(string); return s }
func objectOf(o object, key string) object { v, _ := o[key].(object); return v }
func listOf(o object, key string) []any    { v, _ := o[key].([]any); return v }
func isTrue(o object, key string) bool     { return o[key] == true }

func stringsOf(o object, key string) []string {
	var all []string
	for _, v := range listOf(o, key) {
		if s, ok := v.(string); ok {
			all = append(all, s)
		}
	}
	return all
}

func elementAt(list []any, index string) any {
	if i, err := strconv.ParseUint(index, 10, 31); err == nil && int(i) < len(list) {
		return list[i]
	}
	return nil
}

func sortedKeys(o object) []string { return slices.Sorted(maps.Keys(o)) }

// unescapePointer returns a token of a JSON pointer in a fragment as it is in JSON.
func unescapePointer(token string) string {
	if plain, err := url.PathUnescape(token); err == nil {
		token = plain
	}
	return strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~")
}
