package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

const window = 2048 // that of package score

func score() {
	masksAVX512()
	masksAVX2()
	spreadAVX512()
	spreadAVX2()
	skipAVX512()
	skipAVX2()
}

// fill returns v, all of whose bytes are b.
func fill(b byte, v VecVirtual) VecVirtual {
	r, x := GP32(), XMM()
	MOVL(U32(b), r)
	VMOVD(r, x) // MOVD would wait for the other bits of vectors
	VPBROADCASTB(x, v)
	return v
}

// A span is the bytes from a first one to a last one, for one subtraction and one
// comparison without sign.
type span struct{ first, length VecVirtual }

// masks writes a function that is swarMasks. Its body computes, for 64 bytes of the text, which
// are of words and which are white space.
func masks(name, doc string, newVector func() VecVirtual, body func(text Register, c constants) (words, space Register)) {
	define(name, fmt.Sprintf("func(text []byte, words, space *[%d]uint64)", window/64), doc)
	text, words, space := Load(Param("text").Base(), GP64()), Load(Param("words"), GP64()), Load(Param("space"), GP64())
	blocks, most := Load(Param("text").Len(), GP64()), GP64()
	SHRQ(Imm(6), blocks)
	MOVQ(U32(window/64), most)
	CMPQ(blocks, most)
	CMOVQGT(most, blocks)
	c := newConstants(newVector)
	Label("loop")
	TESTQ(blocks, blocks)
	JZ(LabelRef("done"))
	w, s := body(text, c)
	MOVQ(w, Mem{Base: words})
	MOVQ(s, Mem{Base: space})
	ADDQ(Imm(64), text)
	ADDQ(Imm(8), words)
	ADDQ(Imm(8), space)
	DECQ(blocks)
	JMP(LabelRef("loop"))
	Label("done")
	VZEROUPPER()
	RET()
}

// constants are vectors of the same bytes.
type constants struct {
	blank, underscore, vtab VecVirtual // a blank is the bit of lower-case letters too
	letters, digits, breaks span
}

func newConstants(v func() VecVirtual) constants {
	return constants{
		fill(' ', v()), fill('_', v()), fill('\v', v()),
		span{fill('a', v()), fill('z'-'a', v())},
		span{fill('0', v()), fill('9'-'0', v())},
		span{fill('\t', v()), fill('\r'-'\t', v())},
	}
}

// The comparisons of VPCMPUB.
const (
	equal       = Imm8(0)
	atMost      = Imm8(2)
	different   = Imm8(4)
	lanes32     = 16 // in 512 bits
	bytesOfLane = 4
)

// Imm8 is an operand.
type Imm8 = U8

func masksAVX512() {
	newVector := func() VecVirtual { return ZMM() }
	masks("masksAVX512", "masksAVX512 is swarMasks with AVX-512.", newVector, func(text Register, c constants) (words, space Register) {
		x, lower := ZMM(), ZMM()
		VMOVDQU8(Mem{Base: text}, x)
		VPORQ(c.blank, x, lower)
		in := func(s span, x VecVirtual) Register {
			d, k := ZMM(), K()
			VPSUBB(s.first, x, d)
			VPCMPUB(atMost, s.length, d, k)
			return k
		}
		w := in(c.letters, lower)
		k := in(c.digits, x)
		KORQ(k, w, w)
		VPCMPUB(equal, c.underscore, x, k)
		KORQ(k, w, w)
		words, space = GP64(), GP64()
		KMOVQ(w, words)
		VPCMPUB(different, c.vtab, x, in(c.breaks, x), k)
		s := K()
		VPCMPUB(equal, c.blank, x, s)
		KORQ(k, s, s)
		KMOVQ(s, space)
		return words, space
	})
}

func masksAVX2() {
	newVector := func() VecVirtual { return YMM() }
	masks("masksAVX2", "masksAVX2 is swarMasks with AVX2.", newVector, func(text Register, c constants) (words, space Register) {
		half := func(at int) (words, space Register) {
			x, w, d, m := YMM(), YMM(), YMM(), YMM()
			VMOVDQU(Mem{Base: text, Disp: at}, x)
			in := func(s span, x, to VecVirtual) {
				VPSUBB(s.first, x, d)
				VPMINUB(s.length, d, m)
				VPCMPEQB(m, d, to)
			}
			VPOR(c.blank, x, w)
			in(c.letters, w, w)
			in(c.digits, x, m)
			VPOR(m, w, w)
			VPCMPEQB(c.underscore, x, m)
			VPOR(m, w, w)
			words, space = GP32(), GP32()
			VPMOVMSKB(w, words)
			in(c.breaks, x, w)
			VPCMPEQB(c.vtab, x, m)
			VPANDN(w, m, w)
			VPCMPEQB(c.blank, x, m)
			VPOR(m, w, w)
			VPMOVMSKB(w, space)
			return words, space
		}
		join := func(low, high Register) Register {
			SHLQ(Imm(32), high.(GPVirtual).As64())
			ORQ(low.(GPVirtual).As64(), high.(GPVirtual).As64())
			return high.(GPVirtual).As64()
		}
		w1, s1 := half(0)
		w2, s2 := half(32)
		return join(w1, w2), join(s1, s2)
	})
}

const spreadSignature = "func(to *[64]uint32, turns uint64, base uint32)"

func spreadAVX512() {
	lanes := GLOBL("lanes", attr.RODATA|attr.NOPTR)
	for i := range lanes32 {
		DATA(i*bytesOfLane, U32(i))
	}
	define("spreadAVX512", spreadSignature, "spreadAVX512 is swarSpread with AVX-512.")
	to, turns := Load(Param("to"), GP64()), Load(Param("turns"), GP64())
	base, at, next := Load(Param("base"), GP32()), ZMM(), ZMM()
	sixteen, found, n, k := GP32(), ZMM(), GP64(), K()
	VPBROADCASTD(base, at)
	VPADDD(lanes, at, at)
	MOVL(U32(lanes32), sixteen)
	VPBROADCASTD(sixteen, next)
	for i := range 64 / lanes32 {
		KMOVW(turns.(GPVirtual).As32(), k)
		VPCOMPRESSD_Z(at, k, found)
		VMOVDQU32(found, Mem{Base: to})
		if i == 64/lanes32-1 {
			break
		}
		MOVWQZX(turns.(GPVirtual).As16(), n)
		POPCNTQ(n, n)
		LEAQ(Mem{Base: to, Index: n, Scale: bytesOfLane}, to)
		SHRQ(Imm(lanes32), turns)
		VPADDD(next, at, at)
	}
	VZEROUPPER()
	RET()
}

// spreadAVX2 needs BMI1, which every processor with AVX2 has.
func spreadAVX2() {
	const step = 8
	define("spreadAVX2", spreadSignature, "spreadAVX2 is swarSpread with BMI1.")
	to, turns := Load(Param("to"), GP64()), Load(Param("turns"), GP64())
	base, at := Load(Param("base"), GP32()), GP64()
	Label("loop")
	TESTQ(turns, turns)
	JZ(LabelRef("done"))
	for i := range step {
		TZCNTQ(turns, at)
		ADDL(base, at.As32())
		MOVL(at.As32(), Mem{Base: to, Disp: i * bytesOfLane})
		BLSRQ(turns, turns)
	}
	ADDQ(Imm(step*bytesOfLane), to)
	JMP(LabelRef("loop"))
	Label("done")
	RET()
}

// skip writes a function that is swarSkip and takes size bytes at a time. Its body computes
// which of them are plain, and jumps to "next" if all are.
func skip(name, doc string, size int, prepare func() (body func(at Mem) (plain GPVirtual))) {
	define(name, "func(b []byte, i int) int", doc)
	b, end, i := Load(Param("b").Base(), GP64()), Load(Param("b").Len(), GP64()), Load(Param("i"), GP64())
	SUBQ(U8(size), end)
	body := prepare()
	JMP(LabelRef("test"))
	Label("next")
	ADDQ(U8(size), i)
	Label("test")
	CMPQ(i, end)
	JGT(LabelRef("done"))
	plain := body(Mem{Base: b, Index: i, Scale: 1})
	NOTQ(plain)
	TZCNTQ(plain, plain)
	ADDQ(plain, i)
	Label("done")
	VZEROUPPER()
	Store(i, ReturnIndex(0))
	RET()
}

func skipAVX512() {
	skip("skipAVX512", "skipAVX512 is swarSkip with AVX-512.", 64, func() func(Mem) GPVirtual {
		quote, slash, blank, length := fill('"', ZMM()), fill('\\', ZMM()), fill(' ', ZMM()), fill(0x7f-' ', ZMM())
		return func(at Mem) GPVirtual {
			x, d, k, plain := ZMM(), ZMM(), K(), GP64()
			VMOVDQU8(at, x)
			VPSUBB(blank, x, d)
			VPCMPUB(atMost, length, d, k)
			VPCMPUB(different, quote, x, k, k)
			VPCMPUB(different, slash, x, k, k)
			KORTESTQ(k, k)
			JCS(LabelRef("next")) // all ones
			KMOVQ(k, plain)
			return plain
		}
	})
}

func skipAVX2() {
	skip("skipAVX2", "skipAVX2 is swarSkip with AVX2.", 32, func() func(Mem) GPVirtual {
		quote, slash, control := fill('"', YMM()), fill('\\', YMM()), fill(' '-1, YMM())
		return func(at Mem) GPVirtual {
			x, stop, other, plain := YMM(), YMM(), YMM(), GP64()
			VMOVDQU(at, x)
			VPCMPEQB(quote, x, stop)
			VPCMPEQB(slash, x, other)
			VPOR(other, stop, stop)
			VPCMPGTB(control, x, other) // with sign: bytes outside of ASCII are negative
			VPANDN(other, stop, stop)
			VPMOVMSKB(stop, plain.As32())
			CMPL(plain.As32(), I32(-1))
			JEQ(LabelRef("next"))
			return plain
		}
	})
}
