// Package mediatype reads media types, and the quality values that an Accept header
// gives them (RFC 9110 §8.3.1 and §12.5.1). It reads them in place, without
// allocating, and does not bound how much it reads: callers do.
package mediatype
