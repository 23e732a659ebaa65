package routing

import (
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
)

// Of the sets of methods that paths may have few occur, and each again and again.
// A table keeps those that it has named in an Allow header.

// A methodSet is a set of methods in the form in which answers name it.
type methodSet struct {
	bits    uint64 // of hostTables.methods
	methods []string
	header  string
}

// methodSets are the sets that have occurred. The list is replaced, never changed,
// since others may read it.
type methodSets struct{ known atomic.Pointer[[]methodSet] }

// mostMethodSets is the maximum number of sets that are kept.
const mostMethodSets = 64

// allowance returns the methods of a set of h and the Allow header that names them. The
// caller must not modify the methods.
func (h *hostTables) allowance(set uint64, options bool) (methods []string, header string) {
	if set == 0 {
		return nil, ""
	}
	known := h.allowed.known.Load()
	if known != nil {
		for i := range *known {
			if s := &(*known)[i]; s.bits == set {
				return s.methods, s.header
			}
		}
	}
	for i, m := range h.methods {
		if set>>i&1 != 0 {
			methods = append(methods, m)
		}
	}
	methods, header = allowance(methods, options)
	var list []methodSet
	if known != nil {
		list = *known
	}
	if len(list) < mostMethodSets {
		list = append(slices.Clip(list), methodSet{set, methods, header})
		h.allowed.known.CompareAndSwap(known, &list) // if another goroutine was faster, the next call tries again
	}
	return methods, header
}

// allowance returns the allowed methods and the Allow header, given the methods that
// entries name.
func allowance(named []string, options bool) (methods []string, header string) {
	if len(named) == 0 {
		return nil, ""
	}
	methods = named
	if slices.Contains(methods, http.MethodGet) {
		methods = append(methods, http.MethodHead)
	}
	if options {
		methods = append(methods, http.MethodOptions)
	}
	slices.Sort(methods)
	methods = slices.Compact(methods)
	return methods, strings.Join(methods, ", ")
}
