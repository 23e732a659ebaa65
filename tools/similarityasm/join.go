package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

const (
	rowBytes   = 512 * 2 // those of package join
	tileRows   = 32
	groupRows  = 4 // rows at a time
	groupCount = tileRows / groupRows
)

func join() {
	reachingAVX512()
	reachingAVX2()
	bothAVX512()
	bothAVX2()
}

// reaching writes a function that is reachingGeneric. Its body adds the products with four rows
// up, in as many sums of 32 bits as there are.
func reaching(name, doc string, prepare func(r Register) (body func(rows Register) [groupRows]VecVirtual)) {
	define(name, "func(r *[512]int16, rows *[32][512]int16, least int32) uint32", doc)
	r, rows := Load(Param("r"), GP64()), Load(Param("rows"), GP64())
	below, limit, mask, groups := Load(Param("least"), GP32()), XMM(), GP32(), GP64()
	DECL(below)
	VMOVD(below, limit)
	VPBROADCASTD(limit, limit)
	body := prepare(r)
	XORL(mask, mask)
	MOVQ(U32(groupCount), groups)
	Label("loop")
	sum := addUp(body(rows))
	bits := GP32()
	VPCMPGTD(limit, sum, sum)
	VMOVMSKPS(sum, bits)
	SHLL(Imm(32-groupRows), bits)
	SHRL(Imm(groupRows), mask)
	ORL(bits, mask)
	ADDQ(U32(groupRows*rowBytes), rows)
	DECQ(groups)
	JNZ(LabelRef("loop"))
	VZEROUPPER()
	Store(mask, ReturnIndex(0))
	RET()
}

// addUp returns the sums of the lanes of four vectors.
func addUp(v [groupRows]VecVirtual) VecVirtual {
	for i := range v {
		if v[i].Size() == 64 {
			high := YMM()
			VEXTRACTI64X4(Imm(1), v[i], high)
			VPADDD(v[i].AsY(), high, high)
			v[i] = high
		}
	}
	low, high, sum, half := YMM(), YMM(), YMM(), XMM()
	VPHADDD(v[1], v[0], low)
	VPHADDD(v[3], v[2], high)
	VPHADDD(high, low, sum)
	VEXTRACTI128(Imm(1), sum, half)
	VPADDD(sum.AsX(), half, half)
	return half
}

func reachingAVX512() {
	reaching("reachingAVX512", "reachingAVX512 is reachingGeneric with AVX-512.", func(r Register) func(Register) [groupRows]VecVirtual {
		// The other registers remain for the instructions that have no more than sixteen.
		row := [rowBytes / 64]Register{Z16, Z17, Z18, Z19, Z20, Z21, Z22, Z23, Z24, Z25, Z26, Z27, Z28, Z29, Z30, Z31}
		for i := range row {
			VMOVDQU64(Mem{Base: r, Disp: 64 * i}, row[i])
		}
		return func(rows Register) (sums [groupRows]VecVirtual) {
			for k := range sums {
				sums[k] = ZMM()
				VPMADDWD(Mem{Base: rows, Disp: rowBytes * k}, row[0], sums[k])
			}
			for i := 1; i < len(row); i++ {
				for k := range sums {
					products := ZMM()
					VPMADDWD(Mem{Base: rows, Disp: rowBytes*k + 64*i}, row[i], products)
					VPADDD(products, sums[k], sums[k])
				}
			}
			return sums
		}
	})
}

func reachingAVX2() {
	reaching("reachingAVX2", "reachingAVX2 is reachingGeneric with AVX2.", func(r Register) func(Register) [groupRows]VecVirtual {
		return func(rows Register) (sums [groupRows]VecVirtual) {
			for i := range rowBytes / 32 {
				part := YMM()
				VMOVDQU(Mem{Base: r, Disp: 32 * i}, part)
				for k := range sums {
					products := YMM()
					VPMADDWD(Mem{Base: rows, Disp: rowBytes*k + 32*i}, part, products)
					if i == 0 {
						sums[k] = products
					} else {
						VPADDD(products, sums[k], sums[k])
					}
				}
			}
			return sums
		}
	})
}

// both writes a function that is bothGeneric. Its body adds up products in sums of 32 bits, and
// what is common in sums of 16 bits.
func both(name, doc string, body func(counts1, counts2, squared1, squared2 Mem) [groupRows]VecVirtual) {
	define(name, "func(counts1, counts2, squared1, squared2 *[512]int16) (product, common1, common2 int32)", doc)
	at := func(name string) Mem { return Mem{Base: Load(Param(name), GP64())} }
	sum := addUp(body(at("counts1"), at("counts2"), at("squared1"), at("squared2")))
	for i := range 3 {
		x := GP32()
		VPEXTRD(U8(i), sum, x)
		Store(x, ReturnIndex(i))
	}
	VZEROUPPER()
	RET()
}

func bothAVX512() {
	both("bothAVX512", "bothAVX512 is bothGeneric with AVX-512.", func(counts1, counts2, squared1, squared2 Mem) [groupRows]VecVirtual {
		product, common1, common2 := ZMM(), ZMM(), ZMM()
		for _, v := range []VecVirtual{product, common1, common2} {
			VPXORQ(v, v, v)
		}
		for i := range rowBytes / 64 {
			x, y, k := ZMM(), ZMM(), K()
			VMOVDQU64(counts1.Offset(64*i), x)
			VPMADDWD(counts2.Offset(64*i), x, x)
			VPADDD(x, product, product)
			x = ZMM()
			VMOVDQU64(squared1.Offset(64*i), x)
			VMOVDQU64(squared2.Offset(64*i), y)
			VPTESTMW(y, y, k)
			VPADDW(x, common1, k, common1)
			k = K()
			VPTESTMW(x, x, k)
			VPADDW(y, common2, k, common2)
		}
		ones := fill16(1, ZMM())
		VPMADDWD(ones, common1, common1)
		VPMADDWD(ones, common2, common2)
		return [groupRows]VecVirtual{product, common1, common2, common2}
	})
}

func bothAVX2() {
	both("bothAVX2", "bothAVX2 is bothGeneric with AVX2.", func(counts1, counts2, squared1, squared2 Mem) [groupRows]VecVirtual {
		product, common1, common2, zero := YMM(), YMM(), YMM(), YMM()
		for _, v := range []VecVirtual{product, common1, common2, zero} {
			VPXOR(v, v, v)
		}
		for i := range rowBytes / 32 {
			x, y, none := YMM(), YMM(), YMM()
			VMOVDQU(counts1.Offset(32*i), x)
			VPMADDWD(counts2.Offset(32*i), x, x)
			VPADDD(x, product, product)
			x = YMM()
			VMOVDQU(squared1.Offset(32*i), x)
			VMOVDQU(squared2.Offset(32*i), y)
			VPCMPEQW(zero, y, none)
			VPANDN(x, none, none)
			VPADDW(none, common1, common1)
			none = YMM()
			VPCMPEQW(zero, x, none)
			VPANDN(y, none, none)
			VPADDW(none, common2, common2)
		}
		ones := fill16(1, YMM())
		VPMADDWD(ones, common1, common1)
		VPMADDWD(ones, common2, common2)
		return [groupRows]VecVirtual{product, common1, common2, common2}
	})
}

// fill16 returns v, all of whose words of 16 bits are x.
func fill16(x uint32, v VecVirtual) VecVirtual {
	r, low := GP32(), XMM()
	MOVL(U32(x), r)
	VMOVD(r, low)
	VPBROADCASTW(low, v)
	return v
}
