package exhaustive

import (
	"slices"
	"strings"
	"sync"

	"github.com/muxwell/muxwell/internal/naive"
)

// A domain has all patterns up to a length and all paths up to another one, and
// what the naive matcher says of each pattern with each path.
//
// What is asked more than once is asked once: whether a pattern matches a path does
// not depend on the other patterns, and how two patterns compare neither, since
// over this alphabet nothing is left to the order of registration (else Compare
// would call rank, which panics). TestTables shows that the tables say what the
// naive matcher says without them.
type domain struct {
	letters  alphabet
	patterns []pattern
	forms    []*naive.Pattern // the paths of the patterns, without methods
	swapped  []int            // by pattern: the one with the two literals exchanged

	paths       []string // as they are sent
	clean       []int    // by path: the index in cleans
	isClean     []bool   // by path
	swappedPath []int

	used     []uint         // by path: a bit for each of letters.texts in it
	some     map[uint][]int // by a set of texts: the paths with no others
	someLock sync.Mutex

	cleans []string
	slash  []int        // by clean path: the index of the one with a slash more, or -1
	match  [][]bool     // by form and clean path
	exact  [][]bool     // the same
	values [][][]string // the same
	order  [][]int      // by two forms: naive.Compare
}

// A pattern is a form with a method, or none.
type pattern struct {
	text    string
	form    int
	methods []string
	names   []string
	plain   bool // in the language of http.ServeMux
}

// An alphabet has the literals of patterns, which must be alike to all other
// segments, and further segments of paths.
type alphabet struct {
	literals [2]string
	others   []string
}

// texts returns the texts of segments that a parameter may be.
func (a alphabet) texts() []string { return slices.Concat(a.literals[:], a.others) }

// swap returns a pattern, a path or a value with the literals exchanged.
func (a alphabet) swap(text string) string {
	return rename(text, map[string]string{a.literals[0]: a.literals[1], a.literals[1]: a.literals[0]})
}

// rename returns a pattern, a path or a value with other texts for some, also where
// p{x} has matched them.
func rename(text string, names map[string]string) string {
	segs := strings.Split(text, "/")
	for i, g := range segs {
		for from, to := range names {
			if g == from || strings.HasPrefix(from, "p") && g == from[1:] {
				segs[i] = to[len(from)-len(g):]
				break
			}
		}
	}
	return strings.Join(segs, "/")
}

var (
	// prefixed has literals that p{x} matches too. Of the further segments p3 is for
	// p{x} alone, 7 for {x:int} and c for {x}.
	prefixed = alphabet{[2]string{"p1", "p2"}, []string{"p3", "7", "c"}}
	// numbers has literals that {x:int} matches too. 3 is for {x:int} alone, pa for
	// p{x} and c for {x}.
	numbers = alphabet{[2]string{"1", "2"}, []string{"3", "pa", "c"}}
)

// patternMethods are the methods of patterns, requestMethods those of requests.
var (
	patternMethods = []string{"", "GET", "HEAD"}
	requestMethods = []string{"GET", "HEAD", "POST", "OPTIONS"}
)

// likeMethod returns the method that is sent for another one to a set of patterns.
// Methods that none of them names are alike, and HEAD is like GET where none names
// it.
func (d *domain) likeMethod(set []int, method string) string {
	names := func(method string) bool {
		return slices.ContainsFunc(set, func(at int) bool { return slices.Contains(d.patterns[at].methods, method) })
	}
	switch {
	case method == "HEAD" && !names("HEAD"):
		return "GET"
	case method != "HEAD" && method != "GET" && !names("GET"):
		return "GET"
	case method == "OPTIONS":
		return "POST"
	}
	return method
}

// likeText returns the text that is sent for another one to a set of patterns: the
// first that the same segments match.
func (d *domain) likeText(set []int, text string) string {
	matching := func(text string) (matching []bool) {
		for _, at := range set {
			for _, g := range d.forms[d.patterns[at].form].Segments {
				_, ok := naive.Match([]naive.Segment{g}, []string{text}, false)
				matching = append(matching, ok)
			}
		}
		return matching
	}
	texts := d.letters.texts()
	return texts[slices.IndexFunc(texts, func(other string) bool { return slices.Equal(matching(other), matching(text)) })]
}

// pathsFor returns the paths that are sent to a set of patterns.
func (d *domain) pathsFor(set []int) []int {
	key := bitsOf(d.letters.texts(), func(text string) bool { return d.likeText(set, text) == text })
	d.someLock.Lock()
	defer d.someLock.Unlock()
	paths, ok := d.some[key]
	if !ok {
		for path := range d.paths {
			if d.used[path]&^key == 0 {
				paths = append(paths, path)
			}
		}
		d.some[key] = paths
	}
	return paths
}

// bitsOf returns a bit for each text for which yes is true.
func bitsOf(texts []string, yes func(string) bool) (bits uint) {
	for i, text := range texts {
		if yes(text) {
			bits |= 1 << i
		}
	}
	return bits
}

// methods returns the methods that are sent to a set of patterns.
func (d *domain) methods(set []int) (methods []string) {
	for _, method := range requestMethods {
		if d.likeMethod(set, method) == method {
			methods = append(methods, method)
		}
	}
	return methods
}

func newDomain(a alphabet, patternLen, pathLen int) *domain {
	d := &domain{letters: a, some: make(map[uint][]int)}
	for n := 1; n <= patternLen; n++ {
		for _, path := range patternPaths(a, n) {
			d.addForm(path)
		}
	}
	texts := make(map[string]int)
	for i, p := range d.patterns {
		texts[p.text] = i
	}
	for _, p := range d.patterns {
		d.swapped = append(d.swapped, texts[a.swap(p.text)])
	}
	segments := append(a.texts(), "", ".", "..")
	ends := []string{""}
	for range pathLen {
		var longer []string
		for _, path := range ends {
			for _, g := range segments {
				longer = append(longer, path+"/"+g)
			}
		}
		d.paths = append(d.paths, longer...)
		ends = longer
	}
	at, cleanAt := make(map[string]int), make(map[string]int)
	for i, path := range d.paths {
		at[path] = i
		d.clean = append(d.clean, d.addClean(cleanAt, naive.Clean(path)))
		d.used = append(d.used, bitsOf(a.texts(), func(text string) bool { return slices.Contains(strings.Split(path, "/"), text) }))
		d.isClean = append(d.isClean, naive.Clean(path) == path)
	}
	for _, path := range d.paths {
		d.swappedPath = append(d.swappedPath, at[a.swap(path)])
	}
	for i := 0; i < len(d.cleans); i++ {
		other := -1
		if path := d.cleans[i]; !strings.HasSuffix(path, "/") {
			other = d.addClean(cleanAt, path+"/")
		}
		d.slash = append(d.slash, other)
	}
	d.fill()
	return d
}

// patternPaths returns the paths of all patterns of n segments, where a final slash
// counts as one.
func patternPaths(a alphabet, n int) (paths []string) {
	var add func(path string, i int, catchAll bool)
	add = func(path string, i int, catchAll bool) {
		name := string("xyz"[i])
		one := []string{a.literals[0], a.literals[1], "{" + name + "}", "{" + name + ":int}", "p{" + name + "}"}
		if i < n-1 {
			for _, g := range one {
				add(path+"/"+g, i+1, catchAll)
			}
			if !catchAll {
				add(path+"/{"+name+"...}", i+1, true)
			}
			return
		}
		last := append(one, "{$}")
		if !catchAll {
			last = append(last, "{"+name+"...}", "")
		}
		for _, g := range last {
			paths = append(paths, path+"/"+g)
		}
	}
	add("", 0, false)
	return paths
}

func (d *domain) addForm(path string) {
	form, err := naive.Parse(path)
	if err != nil {
		panic(err)
	}
	plain := !strings.Contains(path, "p{") && !strings.Contains(path, ":int") && !strings.Contains(path, "...}/")
	for _, method := range patternMethods {
		p := pattern{text: path, form: len(d.forms), names: form.Names(), plain: plain}
		if method != "" {
			p.text, p.methods = method+" "+path, []string{method}
		}
		d.patterns = append(d.patterns, p)
	}
	d.forms = append(d.forms, form)
}

func (d *domain) addClean(at map[string]int, path string) int {
	i, ok := at[path]
	if !ok {
		i = len(d.cleans)
		at[path] = i
		d.cleans = append(d.cleans, path)
	}
	return i
}

// fill asks the naive matcher for all that it says of one form with one path, and
// of two forms.
func (d *domain) fill() {
	for _, form := range d.forms {
		match, exact, values := make([]bool, len(d.cleans)), make([]bool, len(d.cleans)), make([][]string, len(d.cleans))
		for i, path := range d.cleans {
			split := strings.Split(path, "/")[1:]
			if values[i], match[i] = naive.Match(form.Segments, split, false); match[i] {
				exact[i] = naive.Exact(form.Segments, split)
			}
		}
		d.match, d.exact, d.values = append(d.match, match), append(d.exact, exact), append(d.values, values)
		var order []int
		for _, other := range d.forms {
			order = append(order, naive.Compare(form.Segments, other.Segments, func([]naive.Segment, int) int {
				panic("the order of registration decides between " + form.Text + " and " + other.Text)
			}))
		}
		d.order = append(d.order, order)
	}
}

// best returns which of a set of patterns wins for a method and a clean path, as an
// index in the set, or -1.
func (d *domain) best(set []int, method string, clean int) int {
	best, fit := -1, 0
	for i, at := range set {
		p := &d.patterns[at]
		if !d.match[p.form][clean] {
			continue
		}
		f := naive.MatchMethod(p.methods, method)
		if f == 0 {
			continue
		}
		if best >= 0 {
			if c := d.order[p.form][d.patterns[set[best]].form]; c > 0 || c == 0 && f < fit {
				continue
			}
		}
		best, fit = i, f
	}
	return best
}

// facts returns what decides the answer to a request for a clean path.
func (d *domain) facts(set []int, method string, clean int) naive.Facts {
	f := naive.Facts{Route: d.best(set, method, clean), Slash: -1}
	f.Exact = f.Route >= 0 && d.exact[d.patterns[set[f.Route]].form][clean]
	if other := d.slash[clean]; other >= 0 {
		f.Slash = d.best(set, method, other)
		f.SlashExact = f.Slash >= 0 && d.exact[d.patterns[set[f.Slash]].form][other]
	}
	return f
}

// allow returns the Allow header for a clean path, "" if no method is allowed.
func (d *domain) allow(set []int, clean int) string {
	var methods []string
	for _, at := range set {
		p := &d.patterns[at]
		if d.match[p.form][clean] || d.slash[clean] >= 0 && d.match[p.form][d.slash[clean]] {
			methods = append(methods, p.methods...)
		}
	}
	if len(methods) == 0 {
		return ""
	}
	return naive.Allow(methods)
}

// expect returns the answer to a request for a clean path, or to one for another
// path that is cleaned to it.
func (d *domain) expect(set []int, method string, clean int, isClean bool) naive.Reply {
	f := d.facts(set, method, clean)
	f.Clean = isClean
	switch f.Decide() {
	case naive.Serve:
		p := &d.patterns[set[f.Route]]
		return naive.Reply{Status: 200, Pattern: p.text, Values: d.values[p.form][clean]}
	case naive.AddSlash:
		return naive.Reply{Status: 307, Pattern: d.patterns[set[f.Slash]].text, Location: d.cleans[d.slash[clean]]}
	case naive.CleanUp:
		r := naive.Reply{Status: 307, Location: d.cleans[clean]}
		if f.Route >= 0 {
			r.Pattern = d.patterns[set[f.Route]].text
		}
		return r
	}
	if allow := d.allow(set, clean); allow != "" {
		return naive.Reply{Status: 405, Allow: allow}
	}
	return naive.Reply{Status: 404}
}

// duplicates reports whether two of a set say the same.
func (d *domain) duplicates(set []int) bool {
	for i, at := range set {
		for _, other := range set[:i] {
			p, q := d.patterns[at], d.patterns[other]
			same := (&naive.Pattern{Methods: p.methods, Segments: d.forms[p.form].Segments}).Duplicates(
				&naive.Pattern{Methods: q.methods, Segments: d.forms[q.form].Segments})
			if same {
				return true
			}
		}
	}
	return false
}

// plain reports whether http.ServeMux understands all patterns of a set.
func (d *domain) plain(set []int) bool {
	return !slices.ContainsFunc(set, func(at int) bool { return !d.patterns[at].plain })
}

// An orbit is a set of patterns that represents itself and, if that is another
// one, for its image under the exchange of the two literals. Each set is here in
// one order of registration.
type orbit struct {
	set  []int
	size int
}

// orbits returns the orbits of all sets of k patterns.
func (d *domain) orbits(k int) (orbits []orbit) {
	set, image := make([]int, k), make([]int, k)
	var add func(from, n int)
	add = func(from, n int) {
		if n == k {
			for i, at := range set {
				image[i] = d.swapped[at]
			}
			slices.Sort(image)
			switch c := slices.Compare(set, image); {
			case c == 0:
				orbits = append(orbits, orbit{slices.Clone(set), 1})
			case c < 0:
				orbits = append(orbits, orbit{slices.Clone(set), 2})
			}
			return
		}
		for at := from; at < len(d.patterns); at++ {
			set[n] = at
			add(at+1, n+1)
		}
	}
	add(0, 0)
	return orbits
}
