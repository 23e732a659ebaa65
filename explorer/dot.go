package explorer

import (
	"fmt"
	"strings"

	"github.com/muxwell/muxwell/internal/text"
)

// dot returns the tree of a view as a graph in the language of Graphviz.
func dot(v *view) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "digraph routes {\n\trankdir=LR\n\tlabel=%s\n\tnode [shape=plaintext, fontname=\"monospace\"]\n", dotString(v.Title))
	g := grapher{out: &b}
	root := newTree(v.pointers())
	root.Label = "routes"
	g.node(root)
	b.WriteString("}\n")
	return []byte(b.String())
}

// pointers returns the routes by reference.
func (v *view) pointers() []*route {
	all := make([]*route, len(v.Routes))
	for i := range v.Routes {
		all[i] = &v.Routes[i]
	}
	return all
}

// A grapher writes a tree as nodes and edges.
type grapher struct {
	out   *strings.Builder
	nodes int
}

// node writes a node with all below it, and returns its number.
func (g *grapher) node(n *node) int {
	number := g.nodes
	g.nodes++
	fmt.Fprintf(g.out, "\tn%d [label=%s]\n", number, dotString(n.Label))
	for _, r := range n.Routes {
		label := r.MethodText()
		if r.Name != "" {
			label += " " + r.Name
		}
		for _, m := range r.Matchers {
			label += " " + m
		}
		fmt.Fprintf(g.out, "\tr%d [shape=box, label=%s, tooltip=%s]\n\tn%d -> r%d\n",
			r.ID, dotString(label), dotString(r.Pattern), number, r.ID)
	}
	for _, child := range n.Children {
		fmt.Fprintf(g.out, "\tn%d -> n%d\n", number, g.node(child))
	}
	return number
}

// dotString returns a text as a quoted string that Graphviz shows as it is: there a
// backslash escapes and & begins an entity.
func dotString(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "&", "&amp;").Replace(text.Printable(s, "")) + `"`
}
