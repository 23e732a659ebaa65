// Package bytereplace replaces single bytes of a text by other bytes, or deletes them, in
// one pass.
//
//	var normalise = bytereplace.Must(bytereplace.Build(
//		bytereplace.LowerASCII(),
//		bytereplace.Keep(`\w\s`),         // delete everything but [0-9A-Za-z_] and white space
//		bytereplace.Map(`\t\n\f\r`, ` `), // replace white space by spaces
//	))
//
//	normalise.Replace("Hello,\tWorld!") // "hello world"
//
// [New] takes pairs of old and new, like [strings.NewReplacer]. [Build] takes steps
// over classes of bytes, and combines them into one. In either case a [Replacer] is a
// table with one entry for each of the 256 bytes, and each byte of a text is looked up
// once. Texts are bytes: they need not be UTF-8, and a character of several bytes is
// several bytes.
//
// # How it is fast
//
// The loops are chosen when the table is built.
//
//   - Finding the first change: if few bytes change, package bytes searches for them. If the
//     bytes that change are near one another, as A-Z or \t\n\r are, eight bytes are compared
//     at once in a word. Otherwise eight bytes are looked up between two branches. A text
//     without a change is returned without being copied.
//   - A table that deletes nothing is applied without branches, eight bytes per iteration. If
//     it flips the same bits of a run, such as bit 5 of A-Z, it works on words.
//   - A table that deletes writes each byte, deleted or not, and advances by 0 or 1: dst[n] =
//     result[c]; n += kept[c]. No branch depends on the text, so the time does not depend on
//     how the deleted bytes are distributed.
//   - If the bytes that change are near one another, words without them are skipped, as long
//     as there are enough of these to be worth it.
//
// Use [strings.Replacer] for old or new texts of several bytes.
package bytereplace
