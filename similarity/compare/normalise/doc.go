// Package normalise has several ways to normalize a text, for benchmarks. They are those of a
// well-known comparison. Each does the first step of computing a similarity: letters are
// converted to lower case, everything is deleted except [0-9A-Za-z_] and white space, and
// white space becomes spaces.
//
//	go test -run - -bench Normalise -cpu 1 -count 10 ./normalise | tee new.txt
//	go test -tags purego -run - -bench Normalise/.*/muxwell -cpu 1 -count 10 ./normalise | tee -a new.txt
//	benchstat -col /strategy new.txt
//
// The strategies, one file each:
//
//	regexps           package regexp: others to nothing, \s+ to a space
//	re2               the same with RE2, compiled to WebAssembly (github.com/wasilibs/go-re2)
//	nested-loops      for each character, a loop over the deleted characters
//	ascii-ranges      for each byte, a switch on the ranges that are kept
//	inverted-strings  for each character of a string, a switch that tests the deleted ranges first
//	inverted-bytes    the same for bytes
//	replacer          strings.Replacer
//	bytereplace       package bytereplace
//	muxwell           package score; muxwell-purego is built without assembly
//
// PCRE2 transpiled to Go (go.elara.ws/pcre) is missing. The module proxy has no release of it,
// only the pseudo-version v0.0.0-20230805032557-4ce849193f64. That takes about three times as
// long as package regexp, and fails the race detector's pointer checks.
//
// Regular expressions replace a run of white space by one space. The other strategies replace
// each character, which is enough because a text is split at runs of spaces. Package score
// omits those at the ends. Otherwise all have the same output. Strategies for ASCII only are
// documented as such.
package normalise
