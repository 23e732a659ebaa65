package bytereplace

// A run is a range of bytes from a first to a last one, both below 0x80 or both above.
// Eight bytes in a word are tested at once: to the low seven bits of each, one sum adds
// what carries into the eighth bit from the first byte on, and another what carries
// after the last one.
type run struct {
	first uint64 // 0x80 - first, in each byte
	after uint64 // 0x7f - last, in each byte
	upper uint64 // flips the eighth bits of the word, so that 1 is the run's half
	bits  uint64 // what a byte of the run is xored with, in the lowest byte
}

const (
	eachByte = 0x0101010101010101
	eighth   = 0x80 * eachByte
)

func newRun(first, last, bits byte) run {
	r := run{
		first: uint64(0x80-first&0x7f) * eachByte,
		after: uint64(0x7f-last&0x7f) * eachByte,
		bits:  uint64(bits),
	}
	if first < 0x80 {
		r.upper = eighth
	}
	return r
}

// mask returns the word with the eighth bit of each byte of w that is in the
// run. The other bits are undefined.
func (r *run) mask(w uint64) uint64 {
	low := w &^ eighth
	return ((low + r.first) ^ (low + r.after)) & (w ^ r.upper)
}

// flip returns w with the bits of the run's bytes flipped.
func (r *run) flip(w uint64) uint64 {
	return w ^ (r.mask(w)&eighth>>7)*r.bits
}
