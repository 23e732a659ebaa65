// Package routers holds the adapters of all routers, one file each.
// See docs/adding-a-router.md.
package routers

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/muxwell/muxwell/internal/text"
	"github.com/muxwell/muxwell/routebench/router"
)

// all is sorted by name.
var all []router.Router

// add adds a router. The files of the routers call it when the program starts.
func add(r router.Router) {
	at, found := slices.BinarySearchFunc(all, r.Name, func(r router.Router, name string) int { return compare(r.Name, name) })
	if found {
		panic(fmt.Sprintf("routers: two routers are called %q", r.Name))
	}
	all = slices.Insert(all, at, r)
}

// compare compares names, ignoring case.
func compare(a, b string) int {
	return cmp.Or(cmp.Compare(strings.ToLower(a), strings.ToLower(b)), cmp.Compare(a, b))
}

// All returns the routers, sorted by name, with the variants of routers.
func All() []router.Router { return slices.Clone(all) }

// Find returns the routers with the given names, ignoring case, in the order of [All]. It
// returns an error for an unknown name.
func Find(names ...string) ([]router.Router, error) {
	wanted := make([]bool, len(all))
	for _, name := range names {
		i := slices.IndexFunc(all, func(r router.Router) bool { return strings.EqualFold(r.Name, name) })
		if i < 0 {
			return nil, unknown(name)
		}
		wanted[i] = true
	}
	var found []router.Router
	for i, r := range all {
		if wanted[i] {
			found = append(found, r)
		}
	}
	return found, nil
}

// unknown returns the error for a name that no router has.
func unknown(name string) error {
	var names, near []string
	for _, r := range all {
		names = append(names, r.Name)
		if text.Distance(strings.ToLower(name), strings.ToLower(r.Name)) <= max(1, len(name)/3) {
			near = append(near, r.Name)
		}
	}
	if len(near) > 0 {
		return fmt.Errorf("unknown router %q; did you mean %s?", name, strings.Join(near, " or "))
	}
	return fmt.Errorf("unknown router %q; the routers are %s", name, strings.Join(names, ", "))
}

// valueOf returns the value of a parameter, for routers that pass a map.
func valueOf[M ~map[string]string](values M, name string) string { return values[name] }

// escaped returns literal text for routers that compare paths as they were sent.
func escaped(text string) string { return (&url.URL{Path: "/" + text}).EscapedPath()[1:] }

// backslashed returns literal text for routers in which a colon is escaped by a backslash.
func backslashed(text string) string { return strings.ReplaceAll(text, ":", `\:`) }
