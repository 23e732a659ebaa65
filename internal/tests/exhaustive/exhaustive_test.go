package exhaustive

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/internal/naive"
)

var (
	all   = flag.Bool("all", false, "compare all sets of patterns, not a sample")
	shard = flag.String("shard", "0/1", "with -all, which part of the sets: i/n")
)

// spaces are what is compared.
var spaces = []struct {
	name                string
	letters             alphabet
	k                   int // patterns in a set
	patternLen, pathLen int
	sample              int // without -all, one of so many sets
}{
	{"pairs", prefixed, 2, 3, 4, 809},
	{"triples", prefixed, 3, 2, 3, 1009},
	{"triples of numbers", numbers, 3, 2, 3, 1009},
}

// TestExhaustive compares each set of patterns, for each path and method.
func TestExhaustive(t *testing.T) {
	part, parts := 0, 1
	if _, err := fmt.Sscanf(*shard, "%d/%d", &part, &parts); err != nil || part < 0 || part >= parts {
		t.Fatalf("-shard %s: want i/n with 0 <= i < n", *shard)
	}
	for _, space := range spaces {
		t.Run(space.name, func(t *testing.T) {
			d := newDomain(space.letters, space.patternLen, space.pathLen)
			orbits := d.orbits(space.k)
			var some []orbit
			for i, o := range orbits {
				if *all && i%parts == part || !*all && i%space.sample == space.sample/2 {
					some = append(some, o)
				}
			}
			c := compareAll(t, d, some)
			t.Logf("%d patterns, %d paths; %d of %d orbits, which stand for %d sets; %d sets are refused as duplicates", len(d.patterns), len(d.paths), c.orbits, len(orbits), c.sets, c.duplicates)
			t.Logf("%d requests, which stand for %d; by status: %v", c.requests, c.standsFor, c.statuses)
			t.Logf("%d requests also to http.ServeMux, to which %d sets can be given; it refuses %d of these", c.serveMuxRequests, c.serveMuxes, c.conflicts)
			t.Log(c.took.Round(time.Second))
			if parts > 1 {
				return
			}
			for _, status := range []int{200, 307, 404, 405} {
				if c.statuses[status] == 0 {
					t.Errorf("no request is answered with %d", status)
				}
			}
			if c.serveMuxRequests == 0 {
				t.Error("nothing is compared with http.ServeMux")
			}
		})
	}
}

// A count says what was compared.
type count struct {
	orbits, sets, duplicates int         // sets and duplicates count images too
	requests, standsFor      int         // requests that were sent, and all that these are like
	statuses                 map[int]int // of the requests
	serveMuxes, conflicts    int         // sets in the language of http.ServeMux, and those that it refuses, duplicates too
	serveMuxRequests         int
	took                     time.Duration
}

func (c *count) add(o *count) {
	c.orbits += o.orbits
	c.sets += o.sets
	c.duplicates += o.duplicates
	c.requests += o.requests
	c.standsFor += o.standsFor
	c.serveMuxes += o.serveMuxes
	c.conflicts += o.conflicts
	c.serveMuxRequests += o.serveMuxRequests
	for status, n := range o.statuses {
		c.statuses[status] += n
	}
}

// compareAll compares orbits on all processors.
func compareAll(t *testing.T, d *domain, orbits []orbit) *count {
	defer debug.SetGCPercent(debug.SetGCPercent(800)) // there is little to keep
	start := time.Now()
	var next, done, failed atomic.Int64
	var mu sync.Mutex
	total := &count{statuses: make(map[int]int)}
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			w := newWorker(d)
			for failed.Load() < 10 {
				i := int(next.Add(1)) - 1
				if i >= len(orbits) {
					break
				}
				if err := w.compare(orbits[i]); err != nil {
					failed.Add(1)
					t.Error(err)
				}
				done.Add(1)
			}
			mu.Lock()
			defer mu.Unlock()
			total.add(&w.count)
		})
	}
	stop := make(chan struct{})
	if *all {
		go showProgress(t.Name(), &done, len(orbits), stop)
	}
	workers.Wait()
	close(stop)
	total.took = time.Since(start)
	return total
}

// showProgress draws a bar on standard error.
func showProgress(name string, done *atomic.Int64, of int, stop <-chan struct{}) {
	const width = 40
	start, tick := time.Now(), time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		n := int(done.Load())
		full := width * n / max(of, 1)
		left := "?"
		if n > 0 {
			left = (time.Since(start) * time.Duration(of-n) / time.Duration(n)).Round(time.Second).String()
		}
		fmt.Fprintf(os.Stderr, "\r%s [%s%s] %d/%d, %s left   ", name, strings.Repeat("#", full), strings.Repeat(".", width-full), n, of, left)
		select {
		case <-tick.C:
		case <-stop:
			fmt.Fprintln(os.Stderr)
			return
		}
	}
}

// A worker sends requests to muxes and looks at the answers.
type worker struct {
	domain   *domain
	handlers []http.Handler // that set served to their number
	served   int
	request  *http.Request
	response response
	expected [2][]naive.Reply // by clean path: to it, and to others that are cleaned to it
	count    count
}

func newWorker(d *domain) *worker {
	w := &worker{
		domain:   d,
		request:  &http.Request{URL: new(url.URL), Host: "h", Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: http.Header{}},
		response: response{header: make(http.Header)},
		expected: [2][]naive.Reply{make([]naive.Reply, len(d.cleans)), make([]naive.Reply, len(d.cleans))},
		count:    count{statuses: make(map[int]int)},
	}
	for i := range 3 {
		w.handlers = append(w.handlers, http.HandlerFunc(func(http.ResponseWriter, *http.Request) { w.served = i }))
	}
	return w
}

// A response keeps the status and the header.
type response struct {
	status int
	header http.Header
}

func (r *response) Header() http.Header         { return r.header }
func (r *response) WriteHeader(status int)      { r.status = status }
func (r *response) Write(b []byte) (int, error) { return len(b), nil }

func (r *response) first(key string) string {
	if len(r.header) == 0 {
		return ""
	}
	if lines := r.header[key]; len(lines) > 0 {
		return lines[0]
	}
	return ""
}

// mux registers a set of patterns in a Mux.
func (w *worker) mux(set []int, options ...muxwell.Option) (*muxwell.Mux, error) {
	m := muxwell.New(options...)
	for i, at := range set {
		if _, err := m.Add(w.domain.patterns[at].text, w.handlers[i]); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// serveMux registers a set of patterns in an http.ServeMux, or returns nil if that
// refuses them.
func (w *worker) serveMux(set []int) (m *http.ServeMux) {
	defer func() {
		if recover() != nil {
			m = nil
		}
	}()
	m = http.NewServeMux()
	for i, at := range set {
		m.Handle(w.domain.patterns[at].text, w.handlers[i])
	}
	return m
}

// compare compares the answers of a set of patterns.
func (w *worker) compare(o orbit) error {
	d, set := w.domain, o.set
	w.count.orbits++
	w.count.sets += o.size
	m, err := w.mux(set)
	var plain *http.ServeMux
	if d.plain(set) {
		plain = w.serveMux(set)
		w.count.serveMuxes += o.size
		if plain == nil {
			w.count.conflicts += o.size
		}
		if _, err := w.mux(set, muxwell.StrictConflicts()); (err == nil) != (plain != nil) {
			return fmt.Errorf("%q: StrictConflicts: %v; http.ServeMux accepts it: %t", w.texts(set), err, plain != nil)
		}
	}
	if conflict := (*muxwell.ConflictError)(nil); d.duplicates(set) != (err != nil) || err != nil && !errors.As(err, &conflict) {
		return fmt.Errorf("%q: registered with error %v; duplicates: %t", w.texts(set), err, d.duplicates(set))
	}
	if err != nil {
		w.count.duplicates += o.size
		return nil
	}
	methods, paths := d.methods(set), d.pathsFor(set)
	for _, method := range methods {
		for clean := range d.cleans {
			w.expected[0][clean] = d.expect(set, method, clean, true)
			w.expected[1][clean] = d.expect(set, method, clean, false)
		}
		for _, path := range paths {
			clean := d.clean[path]
			want := &w.expected[1][clean]
			if d.isClean[path] {
				want = &w.expected[0][clean]
			}
			w.count.statuses[want.Status]++
			if err := w.check(m, "muxwell", set, method, path, want); err != nil {
				return err
			}
			if plain == nil {
				continue
			}
			if err := w.check(plain, "http.ServeMux", set, method, path, want); err != nil {
				return err
			}
		}
	}
	n := len(methods) * len(paths)
	w.count.requests += n
	w.count.standsFor += len(requestMethods) * len(d.paths) * o.size
	if plain != nil {
		w.count.serveMuxRequests += n
	}
	return nil
}

func (w *worker) texts(set []int) (texts []string) {
	for _, at := range set {
		texts = append(texts, w.domain.patterns[at].text)
	}
	return texts
}

// send sends a request for a path.
func (w *worker) send(m http.Handler, method string, path int) {
	r := w.request
	r.Method, r.URL.Path, r.Pattern = method, w.domain.paths[path], ""
	r.RequestURI = r.URL.Path
	if len(w.response.header) > 0 {
		clear(w.response.header)
	}
	w.response.status, w.served = http.StatusOK, -1
	m.ServeHTTP(&w.response, r)
}

// check sends a request and compares all that can be seen of the answer.
func (w *worker) check(m http.Handler, name string, set []int, method string, path int, want *naive.Reply) error {
	w.send(m, method, path)
	ok := w.response.status == want.Status && w.request.Pattern == want.Pattern &&
		w.response.first("Location") == want.Location && w.response.first("Allow") == want.Allow && (w.served >= 0) == (want.Status == http.StatusOK)
	if ok && w.served >= 0 {
		p := &w.domain.patterns[set[w.served]]
		ok = p.text == want.Pattern && len(p.names) == len(want.Values)
		for i := 0; ok && i < len(p.names); i++ {
			ok = w.request.PathValue(p.names[i]) == want.Values[i]
		}
	}
	if !ok {
		return fmt.Errorf("%s with %q: %s %s: got %+v, want %+v", name, w.texts(set), method, w.domain.paths[path], w.reply(set), *want)
	}
	return nil
}

// reply returns what can be seen of the last answer.
func (w *worker) reply(set []int) naive.Reply {
	r := naive.Reply{Status: w.response.status, Pattern: w.request.Pattern, Location: w.response.first("Location"), Allow: w.response.first("Allow")}
	if w.served >= 0 {
		for _, name := range w.domain.patterns[set[w.served]].names {
			r.Values = append(r.Values, w.request.PathValue(name))
		}
	}
	return r
}

// TestTables: the tables of a domain say what the naive matcher says without them.
func TestTables(t *testing.T) {
	for _, space := range spaces {
		d := newDomain(space.letters, space.patternLen, space.pathLen)
		w := newWorker(d)
		orbits, compared := d.orbits(space.k), 0
		for i := 3; i < len(orbits); i += len(orbits) / 24 {
			set := orbits[i].set
			if d.duplicates(set) {
				continue
			}
			var m naive.Mux
			for _, text := range w.texts(set) {
				p, err := naive.Parse(text)
				if err != nil {
					t.Fatal(err)
				}
				m = append(m, p)
			}
			for path := i % 7; path < len(d.paths); path += 7 {
				for _, method := range requestMethods {
					got := d.expect(set, d.likeMethod(set, method), d.clean[path], d.isClean[path])
					if want := m.Answer(method, d.paths[path]); fmt.Sprint(got) != fmt.Sprint(want) {
						t.Fatalf("%q: %s %s: by the tables %+v, without %+v", w.texts(set), method, d.paths[path], got, want)
					}
					compared++
				}
			}
		}
		if compared < 3000 {
			t.Errorf("%s: only %d requests", space.name, compared)
		}
	}
}

// TestSymmetries: what is left out is like what is compared. Orbits are of the
// right number, a set of patterns answers as its image under the exchange of the
// literals does, whatever the order of registration, and methods that no pattern
// names are answered alike.
func TestSymmetries(t *testing.T) {
	for _, space := range spaces {
		d := newDomain(space.letters, space.patternLen, space.pathLen)
		orbits := d.orbits(space.k)
		sets, all := 0, 1
		for _, o := range orbits {
			sets += o.size
		}
		for i := range space.k {
			all = all * (len(d.patterns) - i) / (i + 1)
		}
		if sets != all {
			t.Errorf("%s: the orbits have %d sets, want %d", space.name, sets, all)
		}
		at := make(map[string]int)
		for i, path := range d.paths {
			at[path] = i
		}
		exchanged := map[string]string{space.letters.literals[0]: space.letters.literals[1], space.letters.literals[1]: space.letters.literals[0]}
		compared, w, src := 0, newWorker(d), rand.New(rand.NewPCG(1, 2))
		for i := 5; i < len(orbits); i += len(orbits) / 24 {
			set := orbits[i].set
			reordered, image := slices.Clone(set), make([]int, len(set))
			src.Shuffle(len(set), func(i, j int) { reordered[i], reordered[j] = reordered[j], reordered[i] })
			for i, at := range set {
				image[i] = d.swapped[at]
			}
			m, err := w.mux(set)
			again, againErr := w.mux(reordered)
			other, otherErr := w.mux(image)
			if (err == nil) != (againErr == nil) || (err == nil) != (otherErr == nil) {
				t.Fatalf("%q: %v; registered in the order %q: %v; with the literals exchanged: %v", w.texts(set), err, w.texts(reordered), againErr, otherErr)
			}
			if err != nil {
				continue
			}
			reply := func(m http.Handler, set []int, method string, path int) naive.Reply {
				w.send(m, method, path)
				return w.reply(set)
			}
			same := func(what string, method string, path int, got, want naive.Reply) {
				t.Helper()
				if fmt.Sprint(got) != fmt.Sprint(want) {
					t.Fatalf("%q: %s %s: %+v, %s %+v", w.texts(set), method, d.paths[path], want, what, got)
				}
			}
			like := make(map[string]string)
			for _, text := range space.letters.texts() {
				like[text] = d.likeText(set, text)
			}
			for path := i % 5; path < len(d.paths); path += 5 {
				for _, method := range requestMethods {
					want := reply(m, set, method, path)
					same(fmt.Sprintf("registered in the order %q", w.texts(reordered)), method, path, reply(again, reordered, method, path), want)
					same("with the method that represents it", method, path, reply(m, set, d.likeMethod(set, method), path), want)
					swapped := reply(other, image, method, d.swappedPath[path])
					swapped.Pattern = space.letters.swap(swapped.Pattern)
					same("with the literals exchanged", method, path, renamed(swapped, exchanged), want)
					same("with the texts that stand for others", method, path, reply(m, set, method, at[rename(d.paths[path], like)]), renamed(want, like))
					compared++
				}
			}
		}
		if compared < 3000 {
			t.Errorf("%s: only %d requests", space.name, compared)
		}
	}
}

// renamed returns a reply with other texts for some.
func renamed(r naive.Reply, names map[string]string) naive.Reply {
	r.Location = rename(r.Location, names)
	for i, value := range r.Values {
		r.Values[i] = rename(value, names)
	}
	return r
}

// TestAlphabet: each pattern matches a path.
func TestAlphabet(t *testing.T) {
	for _, space := range spaces {
		d := newDomain(space.letters, space.patternLen, space.pathLen)
		for _, p := range d.patterns {
			if !slices.Contains(d.match[p.form], true) {
				t.Errorf("%s: no path for %s", space.name, p.text)
			}
		}
	}
}
