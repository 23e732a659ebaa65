package conformance

import (
	"flag"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/muxwell/muxwell/gorilla/conformance/internal/generate"
	"github.com/muxwell/muxwell/gorilla/conformance/internal/oracle"
	"github.com/muxwell/muxwell/gorilla/conformance/internal/program"
	"github.com/muxwell/muxwell/gorilla/conformance/internal/subject"
	"github.com/muxwell/muxwell/gorilla/mux"
	"github.com/muxwell/muxwell/internal/tests/long"
)

var (
	seedFlag = flag.Uint64("seed", 1, "first seed of TestConformance")
	goalFlag = flag.Int("requests", 0, "number of requests that TestConformance compares; 0 for what package long says")
	allFlag  = flag.Bool("all", false, "let TestConformance go on after a difference")
)

// fewRequests are as many as the tests other than TestConformance compare.
const fewRequests = 10_000

// A comparison runs programs on gorilla/mux and on another machine.
type comparison struct {
	machine func(rules) program.Machine
	agree   func(r rules, op program.Op, want, got program.Seen) bool
}

var (
	// toSubject compares gorilla/mux with the package under test.
	toSubject = comparison{func(rules) program.Machine { return subject.New() }, rules.agree}
	// toItself compares gorilla/mux with itself, to check what does the comparing.
	toItself = comparison{
		func(r rules) program.Machine { return newOracle(r) },
		func(_ rules, _ program.Op, want, got program.Seen) bool { return want == got },
	}
)

func newOracle(r rules) *oracle.Machine {
	m := oracle.New()
	m.WrapHandlers = r.wrap
	return m
}

// A difference is a program whose last op has different results in the two packages.
type difference struct {
	program   program.Program
	rules     rules
	want, got program.Seen
}

// run runs a program on both and returns the first difference, or nil. It hands what
// gorilla/mux shows to note.
func (c comparison) run(p program.Program, r rules, note func(program.Op, program.Seen)) *difference {
	left, right := newOracle(r), c.machine(r)
	for i, op := range p {
		want, got := left.Do(op), right.Do(op)
		if !c.agree(r, op, want, got) {
			return &difference{p[:i+1], r, want, got}
		}
		if note != nil {
			note(op, want)
		}
	}
	return nil
}

// shrunk returns a difference with as few ops as can be found.
func (c comparison) shrunk(d *difference) *difference {
	p := program.Shrink(d.program, func(p program.Program) bool { return c.run(p, d.rules, nil) != nil })
	return c.run(p, d.rules, nil)
}

func (d *difference) String() string {
	return fmt.Sprintf("%s\ngorilla/mux:\n%s\nthe other:\n%s", d.program, indent(d.want), indent(d.got))
}

func indent(s program.Seen) string {
	return "\t" + strings.ReplaceAll(fmt.Sprintf("%+v", s), "\n", "\n\t")
}

// random runs programs from seed on, until as many requests as goal are compared.
func (c comparison) random(t *testing.T, seed uint64, goal int) *coverage {
	t.Helper()
	t.Logf("from seed %d", seed)
	cov := newCoverage()
	failures := map[string]int{}
	for ; cov.served() < goal; seed++ {
		src := generate.Seeded(seed)
		p := generate.Program(src, generate.Some(src))
		cov.program(p)
		d := c.run(p, rulesFor(p), cov.note)
		if d == nil {
			continue
		}
		d = c.shrunk(d)
		if !*allFlag {
			t.Fatalf("-seed %d:\n%v", seed, d)
		}
		last := d.program[len(d.program)-1]
		if kind := fmt.Sprint(last.Call, len(d.program)); failures[kind] < 3 {
			t.Errorf("-seed %d:\n%v", seed, d)
			failures[kind]++
		}
	}
	return cov
}

// TestConformance compares the packages on programs made at random, and checks that
// the programs reach what they are made to reach.
func TestConformance(t *testing.T) {
	goal := *goalFlag
	if goal <= 0 {
		goal = long.Rounds(t, "requests", 50_000, 100_000, 500_000)
	}
	toSubject.random(t, *seedFlag, goal).check(t)
}

// TestConformanceFoldingCase has both packages compile regular expressions by a
// function that ignores case.
func TestConformanceFoldingCase(t *testing.T) {
	fold := func(expr string) (*regexp.Regexp, error) { return regexp.Compile("(?i)" + expr) }
	one, other := oracle.SetCompileFunc(fold), subject.SetCompileFunc(fold)
	t.Cleanup(func() {
		oracle.SetCompileFunc(one)
		subject.SetCompileFunc(other)
	})
	toSubject.random(t, *seedFlag, fewRequests)
}

// TestConformanceInRequest has the package under test deliver the variables in requests.
// The programs have none of what that changes: writes to variables, and routers that are the
// handler of a route.
func TestConformanceInRequest(t *testing.T) {
	old := subject.SetNewRouter(func() *mux.Router { return mux.NewRouter().VarsInRequest(true) })
	t.Cleanup(func() { subject.SetNewRouter(old) })
	requests, seed := 0, *seedFlag
	for ; requests < long.Rounds(t, "requests", 10_000, 50_000, 200_000); seed++ {
		src := generate.Seeded(seed)
		p := slices.DeleteFunc(generate.Program(src, generate.Some(src)), func(op program.Op) bool {
			return op.Call == program.Mount || op.Call == program.Use && slices.Contains(op.Nums, 3)
		})
		if d := toSubject.run(p, rulesFor(p), func(op program.Op, _ program.Seen) {
			if op.Call == program.ServeHTTP {
				requests++
			}
		}); d != nil {
			t.Fatalf("-seed %d:\n%v", seed, toSubject.shrunk(d))
		}
	}
}

// TestComparison checks that gorilla/mux shows no difference from itself.
func TestComparison(t *testing.T) {
	toItself.random(t, *seedFlag, fewRequests)
}

// FuzzConformance compares the packages on programs made of the fuzzer's bytes.
func FuzzConformance(f *testing.F) {
	for seed := range uint64(8) {
		src := generate.Seeded(seed)
		text := make([]byte, 100*(seed+1))
		for i := range text {
			text[i] = byte(src.IntN(256))
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		src := &generate.Bytes{Text: text}
		p := generate.Program(src, generate.Options{Routes: 4, Requests: 4, Phases: 2})
		if d := toSubject.run(p, rulesFor(p), nil); d != nil {
			t.Fatal(toSubject.shrunk(d))
		}
	})
}
