package soak

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestFindsFaults injects an error around the program and requires that it is found.
func TestFindsFaults(t *testing.T) {
	wrap := func(f func(next http.Handler, w http.ResponseWriter, r *http.Request)) func(http.Handler) http.Handler {
		return func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { f(next, w, r) })
		}
	}
	tests := []struct {
		name string
		only []string // kinds of traffic
		want string   // the kind of fault, and a part of its text
		text string
		wrap func(next http.Handler, w http.ResponseWriter, r *http.Request)
	}{
		{
			"a request is handled twice",
			[]string{"HTTP/1.1"},
			"exactly once", "its handler ran 2 times",
			func(next http.Handler, w http.ResponseWriter, r *http.Request) {
				next.ServeHTTP(httptest.NewRecorder(), r.Clone(r.Context()))
				next.ServeHTTP(w, r)
			},
		},
		{
			"a request is not handled",
			[]string{"pipelined requests"},
			"exactly once", "its handler ran 0 times",
			func(_ http.Handler, w http.ResponseWriter, r *http.Request) {
				w.Header().Set(idHeader, r.Header.Get(idHeader))
			},
		},
		{
			"an answer is another request's",
			[]string{"HTTP/2"},
			"HTTP/2", "the answer is that of request",
			func(next http.Handler, w http.ResponseWriter, r *http.Request) {
				next.ServeHTTP(renamed{w}, r)
			},
		},
		{
			"an answer is longer than its handler made it",
			[]string{"h2c"},
			"h2c", "\"GET /plainmore\"",
			func(next http.Handler, w http.ResponseWriter, r *http.Request) {
				next.ServeHTTP(w, r)
				_, _ = io.WriteString(w, "more")
			},
		},
		{
			"a body that was cut off looks whole",
			[]string{"aborted bodies"},
			"aborted bodies", "looks whole",
			func(next http.Handler, w http.ResponseWriter, r *http.Request) {
				r.Body = forgiving{r.Body}
				next.ServeHTTP(w, r)
			},
		},
		{
			"an answer that breaks off looks whole",
			[]string{"panics"},
			"panics", "looks whole",
			func(next http.Handler, w http.ResponseWriter, r *http.Request) {
				defer func() { _ = recover() }()
				next.ServeHTTP(w, r)
			},
		},
		{
			"a route is served that is replaced",
			[]string{"update storm", "readers of the storm"},
			"readers of the storm", "want a generation from",
			func(next http.Handler, w http.ResponseWriter, r *http.Request) {
				if strings.HasPrefix(r.URL.Path, "/storm/") {
					w.Header().Set(idHeader, r.Header.Get(idHeader))
					_, _ = io.WriteString(w, "slot 0, generation 0")
					return
				}
				next.ServeHTTP(w, r)
			},
		},
		{
			"a limit is none",
			[]string{"rate limit"},
			"rate limit", "status 200, want 429",
			func(next http.Handler, w http.ResponseWriter, r *http.Request) {
				r.URL.RawQuery = "key=" + r.Header.Get(idHeader)
				next.ServeHTTP(w, r)
			},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Setenv("TMPDIR", t.TempDir())
			r, err := Run(Options{Wrap: wrap(test.wrap), Only: test.only})
			if err != nil {
				t.Fatal(err)
			}
			found := slices.ContainsFunc(r.Faults, func(s string) bool {
				return strings.HasPrefix(s, test.want+": ") && strings.Contains(s, test.text)
			})
			if !found {
				t.Errorf("the faults found:\n%s\n\nwant %s: … %s …", strings.Join(r.Faults, "\n"), test.want, test.text)
			}
		})
	}
}

// renamed sets another id.
type renamed struct{ http.ResponseWriter }

func (r renamed) WriteHeader(status int) {
	r.Header().Set(idHeader, "soak-0")
	r.ResponseWriter.WriteHeader(status)
}

func (r renamed) Write(p []byte) (int, error) {
	r.Header().Set(idHeader, "soak-0")
	return r.ResponseWriter.Write(p)
}

// forgiving is a body whose end always looks right.
type forgiving struct{ io.ReadCloser }

func (f forgiving) Read(p []byte) (int, error) {
	n, err := f.ReadCloser.Read(p)
	if err != nil {
		err = io.EOF
	}
	return n, err
}

// TestHoldings leaves behind what must be given back.
func TestHoldings(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	before := holdings()
	stop := make(chan struct{})
	defer close(stop)
	go func() { <-stop }()
	file, err := os.Create(filepath.Join(os.TempDir(), "left.txt"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close() //nolint:errcheck // nothing is written

	f := newFaults()
	before.compare(f, 0)
	want := []string{"goroutines: ", "temporary files: "}
	if _, err := os.Stat("/proc/self/fd"); err == nil {
		want = slices.Insert(want, 1, "open files: ")
	}
	got := f.list()
	same := slices.EqualFunc(got, want, strings.HasPrefix)
	if !same {
		t.Errorf("faults %q, want those that begin with %q", got, want)
	}

	f = newFaults()
	holdings().compare(f, time.Second)
	if got := f.list(); len(got) > 0 {
		t.Errorf("with nothing left behind: %q", got)
	}
}

// TestFlat judges the live memory of runs.
func TestFlat(t *testing.T) {
	heap := func(f func(i int) uint64) *watch {
		w := &watch{}
		for i := range samples {
			w.heap = append(w.heap, f(i)<<20)
		}
		return w
	}
	tests := []struct {
		name  string
		w     *watch
		grows bool
	}{
		{"flat", heap(func(int) uint64 { return 20 }), false},
		{"grows", heap(func(i int) uint64 { return 20 + uint64(i) }), true},
		{"grows at the beginning only", heap(func(i int) uint64 { return min(20+8*uint64(i), 52) }), false},
		{"a peak", heap(func(i int) uint64 { return 20 + 80*uint64(i/30%2*(i%2)) }), false},
		{"too few samples", &watch{heap: []uint64{1, 1 << 40}}, false},
	}
	for _, test := range tests {
		f := newFaults()
		test.w.flat(f)
		if got := len(f.list()) > 0; got != test.grows {
			t.Errorf("%s: grows %t, want %t; faults %q", test.name, got, test.grows, f.list())
		}
	}
}

// TestEnd reads what comes behind the last answer.
func TestEnd(t *testing.T) {
	for rest, want := range map[string]int{"": 0, "HTTP/1.1 200 OK\r\n\r\n": 1} {
		s := &suite{faults: newFaults()}
		s.end("x", strings.NewReader(rest))
		if got := len(s.faults.list()); got != want {
			t.Errorf("behind the last answer %q: %d faults, want %d", rest, got, want)
		}
	}
	s := &suite{faults: newFaults()}
	s.end("x", failing{})
	if got := s.faults.list(); len(got) != 1 || !strings.Contains(got[0], "does not close") {
		t.Errorf("a connection that stays open: %q", got)
	}
}

// failing is a connection that stays open.
type failing struct{}

func (failing) Read([]byte) (int, error) {
	return 0, os.ErrDeadlineExceeded
}
