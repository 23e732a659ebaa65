// Package mediatype parses media types, and the quality values of an Accept header (RFC
// 9110 §8.3.1 and §12.5.1). It parses them in place, without allocating. It does not
// limit the length of its input; callers must.
package mediatype
