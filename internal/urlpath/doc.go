// Package urlpath has what is to be known of the text of a URL's path: where its
// segments are, whether it is clean, and how it is escaped and unescaped. It knows
// nothing of patterns and requests.
//
// A path of up to [MaxShort] bytes has a bitmap of its slashes, one bit for each
// byte, so that the ends of its segments are found without looking at the text
// again. The bitmap of a longer path is 0, and the path is searched instead. A path
// begins with a slash, so that no other path has the bitmap 0.
//
// Nothing here keeps or changes its arguments, and nothing allocates but what
// returns a text other than the one it was given.
package urlpath
