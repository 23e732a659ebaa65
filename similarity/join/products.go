package join

// The products of sketches take most of the time. products_amd64.s has them with AVX2 and with
// AVX-512. Here they are for other processors.

// The sets of instructions, as package score names them.
const (
	generic = "generic"
	avx2    = "AVX2"
	avx512  = "AVX-512"
)

// reachingGeneric returns which rows of a tile have a product with r of least or more. Of each
// row, nonzero has the dimensions in which it is not 0.
func reachingGeneric(r *row, rows *[Tile]row, nonzero [][]int16, least int32) (mask uint32) {
	for i := range nonzero[:min(Tile, len(nonzero))] {
		other, sum := &rows[i], int32(0)
		for _, d := range nonzero[i] {
			sum += int32(r[d&(Width-1)]) * int32(other[d&(Width-1)])
		}
		if sum >= least {
			mask |= 1 << i
		}
	}
	return mask
}

// bothGeneric returns the product of the first vectors of two sketches, and the sum of each
// second vector over the dimensions in which the other is not 0.
func bothGeneric(counts1, counts2, squared1, squared2 *row) (product, common1, common2 int32) {
	for d := range Width {
		product += int32(counts1[d]) * int32(counts2[d])
		x, y := int32(squared1[d]), int32(squared2[d])
		common1 += x & some(y)
		common2 += y & some(x)
	}
	return product, common1, common2
}

// some returns a mask of all bits if x, which must not be negative, is not 0.
func some(x int32) int32 { return -x >> 31 }
