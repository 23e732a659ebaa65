package explorer

import (
	"cmp"
	"slices"
	"strings"

	"github.com/muxwell/muxwell/internal/routepage"
)

// A column is a column of the table, by which it can be sorted.
type column struct {
	Label   string
	Key     string
	Numeric bool
	Sorted  string // ascending, descending or none, as aria-sort has it
	Link    string // to the table sorted by it, or the other way round if it is
	compare func(a, b *route) int
}

// columns returns the columns of the table, those of statistics if live is set.
func columns(live bool) []column {
	by := func(text func(*route) string) func(a, b *route) int {
		return func(a, b *route) int { return strings.Compare(text(a), text(b)) }
	}
	all := []column{
		{Label: "Methods", Key: "methods", compare: by((*route).MethodText)},
		{Label: "Pattern", Key: "path", compare: func(a, b *route) int {
			return cmp.Or(strings.Compare(a.Host, b.Host), strings.Compare(a.Path, b.Path))
		}},
		{Label: "Name", Key: "name", compare: by(func(r *route) string { return r.Name })},
	}
	if live {
		all = append(all,
			column{Label: "Requests", Key: "requests", Numeric: true, compare: func(a, b *route) int { return cmp.Compare(a.Stats.Requests, b.Stats.Requests) }},
			column{Label: "p50", Key: "p50", Numeric: true, compare: func(a, b *route) int { return cmp.Compare(a.Stats.P50, b.Stats.P50) }},
			column{Label: "p99", Key: "p99", Numeric: true, compare: func(a, b *route) int { return cmp.Compare(a.Stats.P99, b.Stats.P99) }})
	}
	return append(all,
		column{Label: "Middleware", Key: "middleware", compare: by(func(r *route) string { return strings.Join(r.Middleware, " ") })},
		column{Label: "Source", Key: "source", compare: bySource})
}

// bySource orders routes by file, then by line as a number.
func bySource(a, b *route) int {
	fileA, lineA := cutLine(a.Source)
	fileB, lineB := cutLine(b.Source)
	return cmp.Or(strings.Compare(fileA, fileB), cmp.Compare(len(lineA), len(lineB)), strings.Compare(lineA, lineB))
}

func cutLine(source string) (file, line string) {
	at := strings.LastIndexByte(source, ':') + 1
	return source[:at], source[at:]
}

// list sets the rows of the table: a page of the routes in the order asked for.
func (p *pageData) list(routes []*route) {
	key, down := strings.CutPrefix(p.State.Sort, "-")
	p.Columns = columns(p.Other != nil)
	for i := range p.Columns {
		c := &p.Columns[i]
		c.Sorted = "none"
		first := c.Key
		if c.Numeric {
			first = "-" + c.Key // the largest are what one looks for
		}
		to := p.State
		to.Page, to.Sort = 0, first
		if c.Key == key {
			c.Sorted = "ascending"
			if down {
				c.Sorted = "descending"
			}
			sortRoutes(routes, c.compare, down)
			if to.Sort == p.State.Sort {
				to.Sort = turned(first)
			}
		}
		c.Link = to.Link()
	}
	p.turnTo(routes)
}

// turned returns a sort with the order turned round.
func turned(sort string) string {
	if key, down := strings.CutPrefix(sort, "-"); down {
		return key
	}
	return "-" + sort
}

func sortRoutes(routes []*route, compare func(a, b *route) int, down bool) {
	slices.SortStableFunc(routes, func(a, b *route) int {
		if down {
			a, b = b, a
		}
		return compare(a, b)
	})
}

// turnTo sets the rows of the page that is asked for, or of the last one there is.
func (p *pageData) turnTo(routes []*route) {
	p.Window = routepage.NewWindow(len(routes), p.State.Page, func(page int) string {
		s := p.State
		s.Page = page
		return s.Link()
	})
	p.State.Page = p.Window.Page
	p.Rows = routes[p.Window.First-1 : p.Window.Last]
}

// A treeItem is a node of the tree as the page shows it.
type treeItem struct {
	*node
	Here  []*route    // the first of its routes
	Items []*treeItem // the first of its children
	More  int         // how many of both are left out
	Link  string      // to where they are: the branch, or of a large one the table
	Open  bool
}

// IsBranch reports whether the item is shown as its label with its routes and what is
// below it. Otherwise it is a single route, which is shown with the label.
func (item *treeItem) IsBranch() bool {
	return len(item.Here) > 1 || len(item.Items) > 0 || item.More > 0
}

// newTreeItem returns the root of the tree of routes, of which what is nearest to it
// comes first, and what has no room is linked to.
func newTreeItem(routes []*route, s pageState) *treeItem {
	root := &treeItem{node: newTree(routes)}
	open := len(routes) <= 100 || s.Query != ""
	room := maxItems
	for level := []*treeItem{root}; len(level) > 0; {
		var below []*treeItem
		for _, item := range level {
			item.Here = item.Routes[:min(len(item.Routes), max(room, 1))]
			room = max(room-len(item.Here), 0)
			shown := item.Children[:min(len(item.Children), room)]
			room -= len(shown)
			for _, child := range shown {
				next := &treeItem{node: child, Open: open}
				item.Items = append(item.Items, next)
				below = append(below, next)
			}
			item.More = len(item.Routes) - len(item.Here) + len(item.Children) - len(shown)
			if item.More > 0 {
				item.Link = item.branchLink(s)
			}
		}
		level = below
	}
	return root
}

// branchLink returns the link to the branch, as a table if a tree has no room for its
// beginning.
func (item *treeItem) branchLink(s pageState) string {
	s.Page = 0
	if item.Prefix == s.Under || len(item.Here) < len(item.Routes) {
		s.View = "table"
	}
	s.Under = item.Prefix
	return s.Link()
}
