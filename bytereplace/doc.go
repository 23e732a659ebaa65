// Package bytereplace replaces single bytes of a text by another byte or by
// nothing, in one pass:
//
//	var normalise = bytereplace.Must(bytereplace.Build(
//		bytereplace.LowerASCII(),
//		bytereplace.Keep(`\w\s`),         // delete everything but [0-9A-Za-z_] and white space
//		bytereplace.Map(`\t\n\f\r`, ` `), // any white space is a blank
//	))
//
//	normalise.Replace("Hello,\tWorld!") // "hello world"
//
// [New] takes pairs of old and new, like [strings.NewReplacer]. [Build] takes
// steps over classes of bytes, and folds them into one. Whatever a [Replacer]
// was made from, it is a table with one entry for each of the 256 bytes, and
// each byte of a text is looked up once. Texts are bytes: they need not be
// UTF-8, and a character of several bytes is several bytes.
//
// # How it is fast
//
// The loops are chosen when the table is built.
//
//   - The prefix that stays as it is: if few bytes change, package bytes looks
//     for them; if those that change are near one another, as A-Z or \t\n\r
//     are, eight bytes are compared at once in a word; otherwise eight are
//     looked up between two branches. A text without a change is returned
//     without being copied.
//   - A table that deletes nothing is applied without branches, eight bytes a
//     turn. If it flips the same bits of a run, such as bit 5 of A-Z, it works
//     on words.
//   - A table that deletes writes each byte, deleted or not, and moves on by 0
//     or 1: dst[n] = result[c]; n += kept[c]. No branch depends on the text, so
//     a messy text takes no longer than a tidy one.
//   - If the bytes that change are near one another, words without them are
//     passed over, as long as there are enough of them to pay.
//
// Use [strings.Replacer] for texts of several bytes, old or new.
package bytereplace
