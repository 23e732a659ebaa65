// Package mediatype parses media types, and the quality values of Accept and
// Accept-Encoding headers (RFC 9110 §8.3.1, §12.5.1 and §12.5.3). It parses them in place,
// without allocating. It does not limit the length of its input; callers must.
package mediatype
