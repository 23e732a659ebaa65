package routing

import (
	"cmp"
	"math"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/muxwell/muxwell/internal/hostname"
	"github.com/muxwell/muxwell/internal/pattern"
	"github.com/muxwell/muxwell/internal/trie"
	"github.com/muxwell/muxwell/internal/urlpath"
)

// Tables find the entry for a request. They are built from entries once and never
// changed.
//
//	Tables ─ host ─► hostTables ─ method ─► trie.Table ─ path ─► number
type Tables struct {
	policy   Policy
	Get      *trie.Table            // of GET requests, if neither hosts nor the case of letters matter, otherwise nil
	anywhere hostTables             // of the entries without a host
	hosts    map[string]*hostTables // of the hosts without parameters, by folded host; nil if no entry has a host
	longest  int                    // the length of the longest of hosts
	forms    []*hostMatch           // of the hosts with parameters, in the order of precedence
	index    *hostIndex             // of forms; nil if they are few
	// recheckHost is set for paths that match a catch-all, but for which an earlier
	// host may have another answer.
	recheckHost trie.Recheck
	entries     Entries
	shared      []*alternatives // by number, nil for those alone at their path; nil if no entry has matchers
	order       []uint32        // see ByPrecedence
	orderOnce   sync.Once
}

// A hostTables has a table for each method. Methods that no entry names share one, and
// so do GET and HEAD unless an entry names HEAD.
type hostTables struct {
	get     *trie.Table
	std     [standardMethods]*trie.Table // by methodIndex
	others  map[string]*trie.Table       // of other methods that routes name
	any     *trie.Table                  // of methods that no entry names
	methods []string                     // that routes name, sorted
	named   []*trie.Table                // of methods
	allowed *methodSets
	first   int64 // the first registration
	paths   pathList
}

// A hostMatch has the tables of a host with parameters.
type hostMatch struct {
	host   string
	form   *pattern.HostPattern
	tables *hostTables
}

// The methods that methodIndex knows.
const (
	methodHEAD = iota
	methodPOST
	methodPUT
	methodPATCH
	methodDELETE
	methodOPTIONS
	standardMethods
)

// methodIndex returns the index of a method in hostTables.std, or -1. The most frequent
// method, GET, has a field of its own.
func methodIndex(method string) int {
	switch method {
	case "HEAD":
		return methodHEAD
	case "POST":
		return methodPOST
	case "PUT":
		return methodPUT
	case "PATCH":
		return methodPATCH
	case "DELETE":
		return methodDELETE
	case "OPTIONS":
		return methodOPTIONS
	}
	return -1
}

// of returns the table for a method.
func (h *hostTables) of(method string) *trie.Table {
	if method == "GET" {
		return h.get
	}
	if i := methodIndex(method); i >= 0 {
		return h.std[i]
	}
	if t := h.others[method]; t != nil {
		return t
	}
	return h.any
}

// Build returns the tables of entries.
func Build(p Policy, entries Entries) *Tables {
	t := newTables(p, entries)
	sorted := t.paths()
	t.anywhere = t.buildHost(nil)
	for len(sorted) > 0 {
		host, size := sorted[0].Pattern.Host, 1
		for size < len(sorted) && sorted[size].Pattern.Host == host {
			size++
		}
		t.sharePaths(sorted[:size])
		t.setHost(sorted[0], t.buildHost(sorted[:size]))
		sorted = sorted[size:]
	}
	t.finish()
	return t
}

func newTables(p Policy, entries Entries) *Tables {
	t := &Tables{policy: p, entries: entries}
	t.recheckHost = [...]trie.Recheck{SlashRedirect: trie.Slashless, SlashStrict: trie.Never, SlashIgnore: trie.Everything}[p.Slash]
	return t
}

// comparePaths orders paths by host, then by [trie.Compare].
func comparePaths(a, b *trie.Path) int {
	if a.Pattern.Host != b.Pattern.Host {
		return strings.Compare(a.Pattern.Host, b.Pattern.Host)
	}
	return trie.Compare(a, b)
}

// compareRegistered is comparePaths, and orders the same paths by registration.
func compareRegistered(a, b *trie.Path) int {
	return cmp.Or(comparePaths(a, b), cmp.Compare(a.Index, b.Index))
}

// paths returns the paths of all entries, sorted.
func (t *Tables) paths() []*trie.Path {
	sorted := make([]*trie.Path, 0, t.entries.Len())
	for number := range uint32(t.entries.Len()) {
		if e := t.Entry(number); e != nil {
			sorted = append(sorted, &e.Path)
		}
	}
	slices.SortFunc(sorted, compareRegistered)
	return sorted
}

// entry returns the entry of a path.
func (t *Tables) entry(p *trie.Path) *Entry { return t.Entry(p.Number) }

// Policy returns the policy that t was built with.
func (t *Tables) Policy() Policy { return t.policy }

// Entry returns the entry of a number, or nil.
func (t *Tables) Entry(number uint32) *Entry { return t.entries.Entry(number) }

// Len returns the number of numbers.
func (t *Tables) Len() int { return t.entries.Len() }

// config returns how the tables for a method are built.
func (t *Tables) config(method string) trie.Config {
	return trie.Config{
		Number: func(p *trie.Path) uint32 {
			if s := t.alternatives(p.Number); s != nil && s.conditional(method) {
				return p.Number | trie.Conditional
			}
			return p.Number
		},
		Path:    func(number uint32) *trie.Path { return &t.Entry(number).Path },
		Recheck: t.recheckHost,
	}
}

// chosen returns the paths that a table for a method has, of paths in the order of
// precedence: the best of those with the same segments.
func (t *Tables) chosen(paths []*trie.Path, method string) []*trie.Path {
	chosen := make([]*trie.Path, 0, len(paths))
	for _, p := range paths {
		if p.Pattern.MethodRank(method) == 0 {
			continue
		}
		if n := len(chosen); n > 0 && trie.Compare(chosen[n-1], p) == 0 {
			if t.wins(p, chosen[n-1], method) {
				chosen[n-1] = p
			}
			continue
		}
		chosen = append(chosen, p)
	}
	return chosen
}

// wins reports whether p wins over q, which has the same segments, for a method that
// both match. If several have matchers, it does not matter which one wins here.
func (t *Tables) wins(p, q *trie.Path, method string) bool {
	if r, s := t.entry(p).Rank, t.entry(q).Rank; r != s {
		return r < s
	}
	return p.Pattern.MethodRank(method) > q.Pattern.MethodRank(method)
}

// setHost sets the tables of a host. p is one of its paths.
func (t *Tables) setHost(p *trie.Path, h hostTables) {
	form := p.Pattern.HostPattern()
	switch {
	case p.Pattern.Host == "":
		t.anywhere = h
	case form != nil:
		t.forms = append(t.forms, &hostMatch{p.Pattern.Host, form, &h})
	default:
		if t.hosts == nil {
			t.hosts = make(map[string]*hostTables)
		}
		t.hosts[p.Pattern.Host] = &h
	}
}

// finish sets the fields that follow from the tables of all hosts.
func (t *Tables) finish() {
	slices.SortFunc(t.forms, compareHosts)
	t.index = newHostIndex(t.forms)
	if t.hosts == nil && t.forms != nil {
		t.hosts = make(map[string]*hostTables)
	}
	for host := range t.hosts {
		t.longest = max(t.longest, len(host))
	}
	if t.hosts == nil && !t.policy.Fold {
		t.Get = t.anywhere.get
	}
}

// compareHosts orders hosts with parameters by precedence: more text first, then
// those without a catch-all, then those with more constraints, then by first
// registration.
func compareHosts(a, b *hostMatch) int {
	return cmp.Or(
		cmp.Compare(b.form.Literals, a.form.Literals),
		cmp.Compare(min(a.form.CatchAll, 0), min(b.form.CatchAll, 0)),
		cmp.Compare(b.form.Constraints, a.form.Constraints),
		cmp.Compare(a.tables.first, b.tables.first))
}

// buildHost returns the tables for the sorted paths of one host.
func (t *Tables) buildHost(sorted []*trie.Path) hostTables {
	h := hostTables{first: math.MaxInt64, paths: newPathList(sorted)}
	h.note()
	ranked := trie.Ranked(sorted, 0)
	h.build(func(method string) *trie.Table { return trie.Build(t.config(method), t.chosen(ranked, method)) })
	return h
}

// build sets the tables to the results of a function for the methods in h.methods, and
// for "", which is every other method.
func (h *hostTables) build(build func(method string) *trie.Table) {
	h.allowed = new(methodSets)
	h.any = build("")
	h.get = h.any
	for i := range h.std {
		h.std[i] = h.any
	}
	for _, m := range h.methods {
		t := build(m)
		h.named = append(h.named, t)
		switch i := methodIndex(m); {
		case m == "GET":
			h.get = t
			if !slices.Contains(h.methods, "HEAD") {
				h.std[methodHEAD] = t
			}
		case i >= 0:
			h.std[i] = t
		default:
			if h.others == nil {
				h.others = make(map[string]*trie.Table)
			}
			h.others[m] = t
		}
	}
}

// note sets the methods and the first registration of the paths.
func (h *hostTables) note() {
	for p := range h.paths.all {
		h.first = min(h.first, p.Index)
		for _, m := range p.Pattern.Methods {
			if !slices.Contains(h.methods, m) {
				h.methods = append(h.methods, m)
			}
		}
	}
	slices.Sort(h.methods)
}

// Find does what [trie.Table.Find] does, for the tables that apply to r.
func (t *Tables) Find(r *http.Request) (rec uint32, slashes uint64) {
	switch {
	case r.Method == "CONNECT", t.policy.Fold && urlpath.HasUpper(r.URL.Path):
		return trie.Undecided, 0
	case t.hosts == nil:
		return t.anywhere.of(r.Method).Find(r.URL.Path)
	}
	return t.findByHost(r)
}

// FindEscaped returns the number that matches a path with escaped slashes, and the path as
// it was sent. The number is [trie.Undecided] if Resolve must decide.
func (t *Tables) FindEscaped(r *http.Request) (number uint32, sent string) {
	if r.Method == "CONNECT" || t.policy.Fold || t.hosts != nil {
		return trie.Undecided, ""
	}
	table := t.anywhere.of(r.Method)
	if !table.ComparesText() {
		return trie.Undecided, ""
	}
	sent, ok := urlpath.EscapedSlashes(r.URL)
	if !ok {
		return trie.Undecided, ""
	}
	if number, _ = table.FindInTrie(sent); number == 0 || number&trie.Conditional != 0 {
		return trie.Undecided, ""
	}
	return number, sent
}

// findByHost is Find for tables that have entries with hosts.
func (t *Tables) findByHost(r *http.Request) (rec uint32, slashes uint64) {
	path, passed := r.URL.Path, false
	hosts := hostCursor{tables: t, host: r.Host, plain: hostname.IsPlain(r.Host)}
	if !hosts.plain {
		hosts.host = hostname.StripPort(r.Host)
		hosts.plain = hostname.IsPlain(hosts.host)
	}
	for h := hosts.next(); h != nil; h = hosts.next() {
		rec, slashes = h.of(r.Method).Find(path)
		if trie.IsNumber(rec) && passed && t.Entry(rec&^trie.Conditional).Pattern.Last().Kind == pattern.CatchAll && t.recheckHost.Applies(path) {
			// An earlier host may have an entry for the path with a final slash added or removed.
			return trie.Undecided, 0
		}
		if rec != 0 {
			return rec, slashes
		}
		passed = true
	}
	return 0, 0
}
