// Package urlpath analyzes the text of a URL's path: where its segments are, whether it
// is clean, and how it is escaped and unescaped. It does not know patterns and
// requests.
//
// A path of up to [MaxShort] bytes has a bitmap of its slashes, one bit for each byte,
// so that the ends of its segments are found without reading the text again. The bitmap
// of a longer path is 0, and the path is searched instead. A path begins with a slash,
// so no other path has the bitmap 0.
//
// No function keeps or changes its arguments, and only functions that return a text
// other than their argument allocate.
package urlpath
