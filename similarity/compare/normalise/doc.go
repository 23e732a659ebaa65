// Package normalise has the ways of the well-known comparison to normalise a text, side
// by side, for benchmarks. Each does the first step of a text's similarity: letters are
// lowered, everything is deleted but [0-9A-Za-z_] and white space, and white space
// becomes blanks.
//
//	go test -run - -bench Normalise -cpu 1 -count 10 ./normalise | tee new.txt
//	GOEXPERIMENT=simd go test -run - -bench Normalise/.*/muxwell -cpu 1 -count 10 ./normalise | tee -a new.txt
//	benchstat -col /strategy new.txt
//
// The strategies, a file each:
//
//	regexps           package regexp: others to nothing, \s+ to a blank
//	re2               the same with RE2, compiled to WebAssembly (github.com/wasilibs/go-re2)
//	nested-loops      for each character a loop over the characters that are deleted
//	ascii-ranges      for each byte a switch on the ranges that stay
//	inverted-strings  the same, the ranges that are deleted tested first, in a string
//	inverted-bytes    the same in bytes
//	replacer          strings.Replacer
//	bytereplace       package bytereplace
//	muxwell           package score, by eight bytes; muxwell-simd by 64
//
// PCRE2 transpiled to Go (go.elara.ws/pcre) is left out: the module proxy has no release
// of it, only the pseudo-version v0.0.0-20230805032557-4ce849193f64, which took 8 to 21
// times as long as package regexp, and does not pass the race detector's checks of
// pointers.
//
// Regular expressions make one blank of a run of white space. The other strategies make
// one of each character, since a text is split at runs of blanks anyway, and package
// score leaves out those at the ends; that apart all have the same output. Those that are for ASCII say so.
package normalise
