package routing

import (
	"bytes"
	"strings"

	"github.com/muxwell/muxwell/internal/hostname"
)

// A hostIndex finds the hosts with parameters that may match a host, by the labels that
// follow the last parameter: "{tenant}.example.com" by ".example.com". It has their
// positions in Tables.forms, which is in the order of precedence.
type hostIndex struct {
	byTail map[string][]int32 // positions, ascending
	depths []int              // the numbers of labels of the tails, ascending and without repetition
}

const (
	fewForms  = 4 // up to so many are tried one after another
	maxDepths = 4 // an index has tails of up to so many lengths
)

// newHostIndex returns the index of forms, or nil if they are better tried one after
// another.
func newHostIndex(forms []*hostMatch) *hostIndex {
	if len(forms) <= fewForms {
		return nil
	}
	x := &hostIndex{byTail: make(map[string][]int32)}
	var has [hostname.MaxLen + 1]bool
	for i, f := range forms {
		tail := f.form.Tail
		x.byTail[tail] = append(x.byTail[tail], int32(i))
		has[min(strings.Count(tail, "."), hostname.MaxLen)] = true
	}
	for depth, ok := range has {
		if ok {
			x.depths = append(x.depths, depth)
		}
	}
	if len(x.depths) > maxDepths {
		return nil
	}
	return x
}

// candidates returns the positions of the hosts whose tail host ends with, one list for
// each depth. host has no port.
func (x *hostIndex) candidates(host string) (lists [maxDepths][]int32) {
	var space [maxHost]byte
	name := hostname.AppendFolded(space[:0], host)
	at, dots := len(name), 0
	for i, depth := range x.depths {
		for ; dots < depth; dots++ {
			if at = bytes.LastIndexByte(name[:at], '.'); at < 0 {
				return lists
			}
		}
		lists[i] = x.byTail[string(name[at:])]
	}
	return lists
}

// A hostCursor iterates over the tables that apply to a host, in the order of
// precedence: of the host itself, of matching hosts with parameters, of every host.
type hostCursor struct {
	tables *Tables
	host   string // folded or not, without a port unless the request is a CONNECT
	plain  bool   // see hostname.IsPlain
	at     int
	listed bool               // lists is set
	lists  [maxDepths][]int32 // of the index: what is left of its candidates
}

// maxHost is the length of the longest host that is matched with parameters, a name
// with a final dot and a port. It bounds the cost.
const maxHost = hostname.MaxLen + len(".:65535")

// next returns the next tables, or nil.
func (c *hostCursor) next() *hostTables {
	t := c.tables
	if c.at == 0 {
		c.at++
		if h := t.host(c.host); h != nil {
			return h
		}
	}
	if c.at <= len(t.forms) && c.host != "" && len(c.host) <= maxHost {
		if h := c.nextForm(); h != nil {
			return h
		}
	}
	if c.at <= len(t.forms)+1 {
		c.at = len(t.forms) + 2
		return &t.anywhere
	}
	return nil
}

// nextForm is next for the hosts with parameters.
func (c *hostCursor) nextForm() *hostTables {
	t := c.tables
	if t.index != nil && strings.IndexByte(c.host, ':') < 0 {
		return c.nextIndexed()
	}
	for c.at <= len(t.forms) {
		f := t.forms[c.at-1]
		if c.at++; c.plain && f.form.MatchesPlain(c.host) || !c.plain && f.form.Matches(c.host, nil) {
			return f.tables
		}
	}
	return nil
}

// nextIndexed is nextForm by the index.
func (c *hostCursor) nextIndexed() *hostTables {
	if !c.listed {
		c.listed, c.lists = true, c.tables.index.candidates(c.host)
	}
	for {
		first := -1
		for i, list := range c.lists {
			if len(list) > 0 && (first < 0 || list[0] < c.lists[first][0]) {
				first = i
			}
		}
		if first < 0 {
			return nil
		}
		f := c.tables.forms[c.lists[first][0]]
		if c.lists[first] = c.lists[first][1:]; f.form.Matches(c.host, nil) {
			return f.tables
		}
	}
}

// host returns the tables of the host, in folded form or not, or nil.
func (t *Tables) host(h string) *hostTables {
	if len(t.hosts) == 0 || h == "" {
		return nil
	}
	if !hostname.NeedsFolding(h) {
		return t.hosts[h]
	}
	if len(h) > t.longest+len("[.]") {
		return nil // folding removes at most three bytes
	}
	var space [128]byte
	return t.hosts[string(hostname.AppendFolded(space[:0], h))]
}
