package pages

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestChanged: a changed copy has the values of the copy of a slice, and the tables that
// it was made from keep theirs.
func TestChanged(t *testing.T) {
	for seed := range uint64(100) {
		src := rand.New(rand.NewPCG(seed, 1))
		tables, want := []Table[int]{New[int](src.IntN(100))}, [][]int{nil}
		want[0] = make([]int, tables[0].Len())
		for step := range 20 {
			from := src.IntN(len(tables))
			values := slices.Concat(want[from], make([]int, src.IntN(2)*src.IntN(70)))
			var numbers []uint32
			lowest := src.IntN(len(values) + 1) // sometimes none of the first ones changes
			for range src.IntN(4) {
				if lowest < len(values) {
					numbers = append(numbers, uint32(lowest+src.IntN(len(values)-lowest)))
				}
			}
			table := tables[from].Changed(len(values), numbers)
			for _, number := range numbers {
				values[number] = step + 1
				*table.At(number) = step + 1
			}
			tables, want = append(tables, table), append(want, values)
		}
		for i, table := range tables {
			var got []int
			for number := range uint32(table.Len()) {
				got = append(got, *table.At(number))
			}
			if !slices.Equal(got, want[i]) {
				t.Errorf("seed %d, table %d: got %v, want %v", seed, i, got, want[i])
			}
		}
	}
}

// TestChangedShares: a copy with one more value, or another one, allocates a page, not
// the table.
func TestChangedShares(t *testing.T) {
	const n = 10_000
	tables := map[string]Table[[8]int]{}
	first := New[[8]int](n)
	tables["new"] = first
	tables["moved"] = first.Changed(n, []uint32{0})
	for name, table := range tables {
		for _, number := range []uint32{n - 1, n} {
			if name == "new" && number < n {
				continue // all values move
			}
			t.Run(fmt.Sprint(name, number), func(t *testing.T) {
				var to Table[[8]int]
				if got := testing.AllocsPerRun(10, func() { to = table.Changed(n+1, []uint32{number}) }); got > 3 {
					t.Errorf("%v allocations for a change of %d, want at most 3", got, number)
				}
				if to.At(5) != table.At(5) {
					t.Error("another value is not shared")
				}
			})
		}
	}
}
