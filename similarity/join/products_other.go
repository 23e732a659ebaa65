//go:build !amd64 || purego

package join

const instructions = generic

func reaching(r *row, rows *[Tile]row, nonzero [][]int16, least int32) uint32 {
	return reachingGeneric(r, rows, nonzero, least)
}

func both(counts1, counts2, squared1, squared2 *row) (product, common1, common2 int32) {
	return bothGeneric(counts1, counts2, squared1, squared2)
}
