package router

import "testing"

// TestFloor checks that every stack has a floor, which answers each request with
// nothing and allocates nothing.
func TestFloor(t *testing.T) {
	for _, s := range new(probe).stacks(t) {
		floor, err := Floor(s.Name())
		if err != nil {
			t.Fatal(err)
		}
		q := sample(t)
		if got := floor.Reply(q[0]); floor.Name() != s.Name() || got.Status != 200 || got.Body != "" {
			t.Errorf("the floor of %s is that of %s and answers %+v, want 200 and nothing", s.Name(), floor.Name(), got)
		}
		pass := floor.Passes(q)
		pass(10)
		if n := testing.AllocsPerRun(100, func() { pass(1) }); n != 0 {
			t.Errorf("the floor of %s allocates %v times in a pass, want 0", s.Name(), n)
		}
	}
	if _, err := Floor("nothing"); err == nil {
		t.Error("there is a floor of a stack that there is not")
	}
}
