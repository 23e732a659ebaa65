package explorer

import (
	"cmp"
	"slices"
	"strings"
)

// A node is a place in the tree of routes, which are sorted by host, then by the
// segments of their paths. A node without routes that has one child is one with
// it:
//
//	/users            2 routes
//	├─ /{id}          1 route
//	└─ /{id}/posts/   1 route
type node struct {
	Label    string           // what it adds to the node above it
	Prefix   string           // the labels from the root on
	Routes   []*route         // that end here
	Children []*node          // by label
	Count    int              // of the routes here and below
	byLabel  map[string]*node // Children, as the tree is made
}

// newTree returns the root of the tree of routes.
func newTree(routes []*route) *node {
	root := new(node)
	for _, r := range routes {
		at := root
		at.Count++
		for _, label := range r.labels() {
			at = at.child(label)
			at.Count++
		}
		at.Routes = append(at.Routes, r)
	}
	for _, child := range root.Children {
		child.finish()
	}
	root.sort()
	return root
}

// child returns the child with a label, which it makes if there is none.
func (n *node) child(label string) *node {
	if child := n.byLabel[label]; child != nil {
		return child
	}
	if n.byLabel == nil {
		n.byLabel = map[string]*node{}
	}
	child := &node{Label: label, Prefix: n.Prefix + label}
	n.byLabel[label] = child
	n.Children = append(n.Children, child)
	return child
}

// labels returns the labels of the nodes on the way to a route: its host, if there
// is one, and the segments of its path.
func (r *route) labels() []string {
	labels := segments(r.Path)
	if r.Host != "" {
		labels = slices.Insert(labels, 0, r.Host)
	}
	return labels
}

// finish unites nodes with their only child, and sorts.
func (n *node) finish() {
	for len(n.Routes) == 0 && len(n.Children) == 1 {
		child := n.Children[0]
		n.Label, n.Prefix, n.Routes, n.Children = n.Label+child.Label, child.Prefix, child.Routes, child.Children
	}
	for _, child := range n.Children {
		child.finish()
	}
	n.sort()
}

func (n *node) sort() {
	slices.SortFunc(n.Children, func(a, b *node) int { return cmp.Compare(a.Label, b.Label) })
}

// isBelow reports whether the node of a route is the one with the prefix, or below
// it.
func (r *route) isBelow(prefix string) bool {
	if prefix == "" {
		return true
	}
	ok := true
	for _, label := range r.labels() {
		if prefix == "" || !ok {
			break
		}
		prefix, ok = strings.CutPrefix(prefix, label)
	}
	return prefix == "" && ok
}
