package measure

import (
	"context"
	"errors"
	"sync"
	"testing"
)

func TestMemory(t *testing.T) {
	const size = 1 << 20
	pool := sync.Pool{New: func() any { return new([size]byte) }}
	for _, tt := range []struct {
		name  string
		build func() (any, error)
		want  float64 // bytes
	}{
		{"1 MB", func() (any, error) { return make([]byte, size), nil }, size},
		{"1 MB and garbage", func() (any, error) {
			garbage := make([][]byte, 100)
			for i := range garbage {
				garbage[i] = make([]byte, size/10)
			}
			return make([]byte, size), nil
		}, size},
		{"1 MB in many pieces", func() (any, error) {
			pieces := make(map[int]*[1024]byte)
			for i := range 1024 {
				pieces[i] = new([1024]byte)
			}
			return pieces, nil
		}, size},
		{"1 MB in a pool", func() (any, error) {
			pool.Put(pool.Get())
			return nil, nil
		}, 0},
		{"nothing", func() (any, error) { return nil, nil }, 0},
	} {
		heap, load, err := Memory(t.Context(), 3, tt.build)
		if err != nil || len(heap) != 3 || len(load) != 3 {
			t.Fatalf("%s: heap %v, load %v, error %v; want 3 numbers each", tt.name, heap, load, err)
		}
		for i, got := range heap {
			if got < tt.want-size/20 || got > tt.want+size/20 {
				t.Errorf("%s: %v bytes, want about %v", tt.name, got, tt.want)
			}
			if load[i] < 0 {
				t.Errorf("%s: it took %v ns", tt.name, load[i])
			}
		}
	}
}

// What is let go of while it is built is no reason for an amount below zero.
func TestMemoryBelowZero(t *testing.T) {
	before := make([]byte, 1<<20)
	heap, _, err := Memory(t.Context(), 1, func() (any, error) {
		before = nil
		return before, nil
	})
	if err != nil || len(heap) != 1 || heap[0] != 0 {
		t.Errorf("heap %v, error %v; want 0", heap, err)
	}
}

func TestMemoryError(t *testing.T) {
	bad := errors.New("bad route")
	if _, _, err := Memory(t.Context(), 2, func() (any, error) { return nil, bad }); !errors.Is(err, bad) {
		t.Errorf("error %v, want %v", err, bad)
	}
	if _, _, err := Memory(t.Context(), 2, func() (any, error) { panic("conflict") }); err == nil || err.Error() != "it panics: conflict" {
		t.Errorf("error %v, want that it panics", err)
	}
}

func TestMemoryInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	n := 0
	heap, load, err := Memory(ctx, 5, func() (any, error) {
		if n++; n == 2 {
			cancel()
		}
		return nil, nil
	})
	if !errors.Is(err, context.Canceled) || len(heap) != 2 || len(load) != 2 {
		t.Errorf("heap %v, load %v, error %v; want 2 rounds and %v", heap, load, err, context.Canceled)
	}
}
