package registration

import "golang.org/x/tools/go/ssa"

// Together reports whether both routes are surely registered in one execution, if one of them
// is: the calls that lead to them are in the same function, where one is before or after the
// other on all paths, or in functions that always run.
func Together(a, b *Route) bool {
	fa, fb := a.frames(), b.frames()
	for len(fa) > 0 && len(fb) > 0 && fa[0] == fb[0] {
		fa, fb = fa[1:], fb[1:]
	}
	if len(fa) == 0 || len(fb) == 0 {
		return false
	}
	if fa[0].Parent() != fb[0].Parent() {
		return initial(fa[0].Parent()) && initial(fb[0].Parent()) && allAlways(fa) && allAlways(fb)
	}
	return ordered(fa[0], fb[0]) && allAlways(fa[1:]) && allAlways(fb[1:])
}

// Always reports whether the route is registered whenever the function runs in which the
// outermost call to it is.
func (r *Route) Always() bool { return allAlways(r.frames()) }

// frames returns the instructions that lead to the registration, outermost first.
func (r *Route) frames() []ssa.Instruction {
	if r.instr == nil {
		return nil
	}
	frames := []ssa.Instruction{r.instr}
	for c := r.ctx; c != nil && c.call != nil; c = c.caller {
		frames = append([]ssa.Instruction{c.call}, frames...)
	}
	return frames
}

// initial reports whether the function runs when its package is initialized.
func initial(fn *ssa.Function) bool {
	return fn.Parent() == nil && fn.Signature.Recv() == nil && len(fn.Name()) >= 4 && fn.Name()[:4] == "init" && (fn.Name() == "init" || fn.Name()[4] == '#')
}

func allAlways(frames []ssa.Instruction) bool {
	for _, i := range frames {
		if !always(i) {
			return false
		}
	}
	return true
}

// always reports whether each execution of the function that returns executes i.
func always(i ssa.Instruction) bool {
	entry := i.Parent().Blocks[0]
	return i.Block() == entry || avoids(entry, i.Block()) == blocked
}

// ordered reports whether an execution that executes one of two instructions of a function also
// executes the other.
func ordered(a, b ssa.Instruction) bool {
	if a.Block() == b.Block() || a.Block().Dominates(b.Block()) || b.Block().Dominates(a.Block()) {
		return true
	}
	return avoids(a.Block(), b.Block()) == blocked || avoids(b.Block(), a.Block()) == blocked
}

type outcome uint8

const (
	unrelated outcome = iota // the other block cannot be reached
	avoided                  // the function can return without it
	blocked                  // it is on each path to a return
)

// avoids returns how the paths from one block to a return relate to another block.
func avoids(from, other *ssa.BasicBlock) outcome {
	seen := make(map[*ssa.BasicBlock]bool)
	reached, returned := false, false
	var walk func(*ssa.BasicBlock)
	walk = func(b *ssa.BasicBlock) {
		if b == other {
			reached = true
			return
		}
		if seen[b] {
			return
		}
		seen[b] = true
		if _, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok {
			returned = true
		}
		for _, s := range b.Succs {
			walk(s)
		}
	}
	walk(from)
	switch {
	case !reached:
		return unrelated
	case returned:
		return avoided
	}
	return blocked
}
