//go:build !muxwell_safe

package pathvalue

import (
	"net/http"
	"reflect"
	"runtime"
	"sync/atomic"
	"unsafe"
)

// This file sets the values of r.PathValue as http.ServeMux does, in the request's
// private fields
//
//	pat     *pattern  // only its segments []struct{s string; wild bool; …} are read
//	matches []string  // a value for each segment of pat that is wild and has a name
//
// It is the only file that uses package unsafe. Why that is sound: the offsets come
// from reflection on http.Request itself, once, and every field on the path must have
// the name and type above. Then a value must come back through PathValue. If any of
// that fails, in a Go release with another layout, values are set with SetPathValue.
// What is stored has the fields' own types, made by reflection or by Go code, so that
// the garbage collector sees only ordinary pointers.

// A Shape is what net/http needs to find values by name: a *http.pattern that has the
// names of parameters. It is nil if there are none, or if net/http has another layout.
type Shape = unsafe.Pointer

// A requestLayout has the positions of the private fields.
type requestLayout struct {
	pat, matches uintptr      // offsets in http.Request
	pattern      reflect.Type // http.pattern
	segments     uintptr      // offset in http.pattern
	segmentList  reflect.Type // []http.segment
	name, wild   uintptr      // offsets in http.segment
}

var layout, layoutKnown = findLayout(reflect.TypeFor[http.Request]())

func init() { layoutKnown = layoutKnown && roundTrip() }

// findLayout finds the private fields in a struct type. It returns false if it cannot.
func findLayout(request reflect.Type) (l requestLayout, ok bool) {
	pat, ok1 := request.FieldByName("pat")
	matches, ok2 := request.FieldByName("matches")
	if !ok1 || !ok2 || len(pat.Index) != 1 || len(matches.Index) != 1 ||
		pat.Type.Kind() != reflect.Pointer || pat.Type.Elem().Kind() != reflect.Struct ||
		matches.Type != reflect.TypeFor[[]string]() {
		return l, false
	}
	l.pat, l.matches, l.pattern = pat.Offset, matches.Offset, pat.Type.Elem()
	segments, ok := l.pattern.FieldByName("segments")
	if !ok || len(segments.Index) != 1 || segments.Type.Kind() != reflect.Slice || segments.Type.Elem().Kind() != reflect.Struct {
		return l, false
	}
	l.segments, l.segmentList = segments.Offset, segments.Type
	name, ok1 := segments.Type.Elem().FieldByName("s")
	wild, ok2 := segments.Type.Elem().FieldByName("wild")
	l.name, l.wild = name.Offset, wild.Offset
	return l, ok1 && name.Type == reflect.TypeFor[string]() && len(name.Index) == 1 &&
		ok2 && wild.Type == reflect.TypeFor[bool]() && len(wild.Index) == 1
}

// roundTrip reports whether values set by offset come back through PathValue, and can
// be replaced and cleared.
func roundTrip() bool {
	var r http.Request
	setFields(&r, layout.shape([]string{"a", "b-c"}), []string{"1", "2"})
	if r.PathValue("a") != "1" || r.PathValue("b-c") != "2" || r.PathValue("d") != "" {
		return false
	}
	r.SetPathValue("b-c", "3")
	r.SetPathValue("d", "4")
	if r.PathValue("b-c") != "3" || r.PathValue("d") != "4" {
		return false
	}
	setFields(&r, layout.shape([]string{"b-c"}), []string{"5"})
	if r.PathValue("a") != "" || r.PathValue("b-c") != "5" {
		return false
	}
	setFields(&r, nil, nil)
	return r.PathValue("b-c") == "" && r.PathValue("d") == "4"
}

// NewShape returns the shape of the given names.
func NewShape(names []string) Shape {
	if !layoutKnown || len(names) == 0 {
		return nil
	}
	return layout.shape(names)
}

func (l *requestLayout) shape(names []string) Shape {
	pat := reflect.New(l.pattern).UnsafePointer()
	l.setSegments(pat, l.newSegments(names))
	return pat
}

// newSegments returns a []http.segment with a wild segment for each name.
func (l *requestLayout) newSegments(names []string) reflect.Value {
	list := reflect.MakeSlice(l.segmentList, len(names), len(names))
	for i, name := range names {
		seg := list.Index(i).Addr().UnsafePointer()
		*(*string)(unsafe.Add(seg, l.name)) = name
		*(*bool)(unsafe.Add(seg, l.wild)) = true
	}
	return list
}

// setSegments sets the segments of the http.pattern at pat.
func (l *requestLayout) setSegments(pat unsafe.Pointer, list reflect.Value) {
	reflect.NewAt(l.segmentList, unsafe.Add(pat, l.segments)).Elem().Set(list)
}

// setFields sets the private fields. The request keeps vals.
func setFields(r *http.Request, shape Shape, vals []string) {
	*(*unsafe.Pointer)(unsafe.Add(unsafe.Pointer(r), layout.pat)) = shape
	*(*[]string)(unsafe.Add(unsafe.Pointer(r), layout.matches)) = vals
}

// New returns a fresh slice of n values for Set. The values are parts of a text of the
// given size: of a path, or of a host.
func New(r *http.Request, shape Shape, n, size int) []string {
	if shape == nil {
		return make([]string, n)
	}
	// Texts that were read from a connection are parts of the request line.
	return takeStrings(r, n, max(size, len(r.Method)+len(r.RequestURI)))
}

// Set sets the values of r, one for each of the names of the shape, replacing existing
// ones, and keeps vals. It returns false if there is no shape: then use SetByName.
func Set(r *http.Request, shape Shape, vals []string) bool {
	if shape == nil {
		return false
	}
	setFields(r, shape, vals)
	return true
}

// Values returns the values that r.PathValue returns for the names of the shape, and
// whether r was given values with this shape. The caller does not change them.
func Values(r *http.Request, shape Shape) ([]string, bool) {
	if shape == nil || *(*unsafe.Pointer)(unsafe.Add(unsafe.Pointer(r), layout.pat)) != shape {
		return nil, false
	}
	return *(*[]string)(unsafe.Add(unsafe.Pointer(r), layout.matches)), true
}

// SetByName sets values of r through the exported API of net/http.
func SetByName(r *http.Request, names, vals []string) {
	Clear(r)
	Add(r, names, vals)
}

// Clear removes the values that Set, or another mux, has set in r.
func Clear(r *http.Request) {
	if layoutKnown && *(*unsafe.Pointer)(unsafe.Add(unsafe.Pointer(r), layout.pat)) != nil {
		setFields(r, nil, nil)
	}
}

// A shape of NewOwned points to a struct whose first field is a pattern, as other shapes
// do, and which has its owner in addition. The address of the first segment's text, which is
// that of mark, distinguishes it from all other patterns. This segment is not wild, so
// net/http does not look at it.

var mark byte

// ownedType returns the type of the struct, struct{Pattern http.pattern; Owner any}, and
// where Owner is. It is a function, not a variable, so that programs that do not call
// NewOwned do not contain reflect.StructOf.
func ownedType() (reflect.Type, uintptr) {
	typ := reflect.StructOf([]reflect.StructField{ // which caches it
		{Name: "Pattern", Type: layout.pattern},
		{Name: "Owner", Type: reflect.TypeFor[any]()},
	})
	return typ, typ.Field(1).Offset
}

// ownerOffset is where Owner is. It is set before the first shape is made.
var ownerOffset atomic.Uintptr

// NewOwned returns a shape of the given names, possibly none. [Owner] returns owner for a
// request with the shape. The shape is nil if net/http has another layout.
func NewOwned(names []string, owner any) Shape {
	if !layoutKnown {
		return nil
	}
	typ, offset := ownedType()
	ownerOffset.Store(offset)
	list := layout.newSegments(append([]string{""}, names...))
	first := list.Index(0).Addr().UnsafePointer()
	*(*string)(unsafe.Add(first, layout.name)) = unsafe.String(&mark, 1)
	*(*bool)(unsafe.Add(first, layout.wild)) = false
	p := reflect.New(typ).UnsafePointer()
	layout.setSegments(p, list)
	*(*any)(unsafe.Add(p, offset)) = owner
	return p
}

// Owner returns the owner of the shape with which r, or the request of which it is a copy,
// was given its values. It returns nil if NewOwned did not make the shape.
func Owner(r *http.Request) any {
	if !layoutKnown {
		return nil
	}
	pat := *(*unsafe.Pointer)(unsafe.Add(unsafe.Pointer(r), layout.pat))
	if pat == nil {
		return nil
	}
	// A slice begins with a pointer to its first element. Only the length of the slice,
	// which is in its header whatever its elements are, says whether there is one.
	segments := unsafe.Add(pat, layout.segments)
	if len(*(*[]struct{})(segments)) == 0 {
		return nil
	}
	first := *(*unsafe.Pointer)(segments)
	if unsafe.StringData(*(*string)(unsafe.Add(first, layout.name))) != &mark {
		return nil
	}
	return *(*any)(unsafe.Add(pat, ownerOffset.Load()))
}

// Carries reports whether r has values that Set, or another mux, has set in it.
func Carries(r *http.Request) bool {
	return layoutKnown && len(*(*[]string)(unsafe.Add(unsafe.Pointer(r), layout.matches))) > 0
}

// The strings of a request's values come from slabs of a kilobyte. A slab is cut from
// front to back and never used twice, so a request keeps its values for as long as anyone
// keeps the request. Each shard has one slab at a time.
//
// Processors that write the same cache line slow each other down, so each processor
// should use a shard of its own. The page of memory that a request is on picks the shard.
// To allocate objects of one size, the runtime gives each processor a page, which has
// room for about thirty requests. Two processors use the same shard only while their
// pages happen to pick the same one. With eight shards per processor, a processor has a
// shard to itself more than 7 times out of 8, and picks another after about thirty
// requests. If the goroutine of a connection moves to another processor, its next request
// is allocated on a page of that one.
const (
	slabStrings = 63   // with the counter this fills the size class of 1,024 bytes
	slabLine    = 512  // longer request lines are not kept alive by a slab's other users
	pageBits    = 13   // of the runtime's pages
	minShards   = 64   // both limits are powers of two
	maxShards   = 1024 // for 128 processors and more
)

type slab struct {
	used atomic.Uint32 // strings taken; may exceed slabStrings
	vals [slabStrings]string
}

var slabs [maxShards]struct {
	current atomic.Pointer[slab]
	_       [56]byte // a cache line for each
}

// shardMask selects the bits of a page's number that are the number of a shard.
var shardMask = uintptr(shardsFor(runtime.GOMAXPROCS(0)) - 1)

// shardsFor returns the number of shards for a number of processors: a power of two.
func shardsFor(processors int) int {
	n := minShards
	for n < 8*processors && n < maxShards {
		n *= 2
	}
	return n
}

// shardOf returns the number of the shard for a request at an address.
func shardOf(address uintptr) uintptr { return address >> pageBits & shardMask % maxShards }

// takeStrings returns a fresh slice of n strings for values that are in a request line
// of the given size.
func takeStrings(r *http.Request, n, size int) []string {
	if n > slabStrings || size > slabLine {
		return make([]string, n)
	}
	shard := &slabs[shardOf(uintptr(unsafe.Pointer(r)))].current
	for {
		s := shard.Load()
		if s != nil {
			if used := int(s.used.Add(uint32(n))); used <= slabStrings {
				return s.vals[used-n : used : used]
			}
		}
		fresh := new(slab)
		fresh.used.Store(uint32(n))
		if shard.CompareAndSwap(s, fresh) {
			return fresh.vals[:n:n]
		}
	}
}

// An Identity distinguishes patterns with the same text by its position: it is the
// address of a pattern's first byte, which is never dereferenced.
type Identity = *byte

// IdentityOf returns the identity of a pattern that is not empty. Two patterns of one
// length with the same identity are one copy of one text.
func IdentityOf(pattern string) Identity { return unsafe.StringData(pattern) }
