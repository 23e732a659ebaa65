//go:build !purego

package join

import "github.com/muxwell/muxwell/similarity/score"

//go:generate go run ../../tools/similarityasm -out products_amd64.s -stubs stubs_amd64.go -pkg join

// instructions are those of products: generic, or those that package score uses.
var instructions = score.Instructions()

func reaching(r *row, rows *[Tile]row, nonzero [][]int16, least int32) uint32 {
	switch instructions {
	case avx512:
		return reachingAVX512(r, rows, least)
	case avx2:
		return reachingAVX2(r, rows, least)
	}
	return reachingGeneric(r, rows, nonzero, least)
}

func both(counts1, counts2, squared1, squared2 *row) (product, common1, common2 int32) {
	switch instructions {
	case avx512:
		return bothAVX512(counts1, counts2, squared1, squared2)
	case avx2:
		return bothAVX2(counts1, counts2, squared1, squared2)
	}
	return bothGeneric(counts1, counts2, squared1, squared2)
}
