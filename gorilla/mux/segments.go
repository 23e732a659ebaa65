package mux

import (
	"math/bits"
	"strings"

	"github.com/muxwell/muxwell/internal/urlpath"
)

// Segments are those of a path.
type segments struct {
	path   string
	rooted bool             // the path begins with a slash
	clean  bool             // and it has no "." and "..", and no empty segment except the last
	number int              // up to maxDepth+1, which means any larger number
	ends   [maxDepth]uint32 // of the first ones
}

// split sets s to the segments of a path.
func (s *segments) split(path string) {
	s.path, s.number, s.rooted = path, 0, path != "" && path[0] == '/'
	s.clean = s.rooted
	if !s.rooted {
		return
	}
	if len(path) > 64 {
		s.splitLong()
		return
	}
	slashes := slashMap(path)
	s.clean = slashes&(slashes<<1) == 0
	for slashes &^= 1; ; slashes &= slashes - 1 {
		stop := len(path)
		if slashes != 0 {
			stop = bits.TrailingZeros64(slashes)
		}
		s.add(stop)
		if slashes == 0 {
			return
		}
	}
}

// splitLong is split for a path that is too long for a bitmap.
func (s *segments) splitLong() {
	for start := 1; ; {
		stop := strings.IndexByte(s.path[start:], '/')
		if stop < 0 {
			s.add(len(s.path))
			return
		}
		if stop == 0 {
			s.clean = false
		}
		start += stop
		s.add(start)
		start++
	}
}

// add adds the segment that ends at stop.
func (s *segments) add(stop int) {
	if s.number < maxDepth {
		s.ends[s.number] = uint32(stop)
	}
	s.number = min(s.number+1, maxDepth+1)
	// "." and ".." end in a dot.
	if s.path[stop-1] == '.' && (s.path[stop-2] == '/' || s.path[stop-2] == '.' && s.path[stop-3] == '/') {
		s.clean = false
	}
}

// at returns a segment.
func (s *segments) at(i int) string {
	start, end := s.bounds(i)
	return s.path[start:end]
}

// bounds returns where a segment begins and ends.
func (s *segments) bounds(i int) (start, end int) {
	start = 1
	if i > 0 {
		start = int(s.ends[i-1]) + 1
	}
	return start, int(s.ends[i])
}

// slashMap returns a bitmap of the slashes of a path of up to 64 bytes.
func slashMap(path string) (m uint64) {
	n := len(path)
	switch {
	case n >= 8:
		for i := 0; i < n-8; i += 8 {
			m |= urlpath.SlashBits(load64(path[i:])) << i
		}
		return m | urlpath.SlashBits(load64(path[n-8:]))<<(n-8)
	case n >= 4:
		return urlpath.SlashBits(uint64(load32(path))) | urlpath.SlashBits(uint64(load32(path[n-4:])))<<(n-4)
	}
	for i := range n {
		if path[i] == '/' {
			m |= 1 << i
		}
	}
	return m
}
