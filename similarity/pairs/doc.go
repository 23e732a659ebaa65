// Package pairs is the command that finds all pairs of similar documents.
//
//	similarity pairs -threshold 0.8 -out pairs.csv corpus.jsonl
//
// [Main] runs it. A pair has a similarity of the threshold or more, and package score defines
// the similarity: it is the one that the service and the command batch return for the two
// texts. The search is exact, as package join describes. Documents without words, which the
// service would call equal, are similar to none.
//
// # The output
//
// The output has a row for each pair, with the columns id1, id2 and similarity. The document
// id1 is before id2 in the input. The rows have the same order in each run. IDs are copied,
// and need not differ.
//
// # Memory, and the temporary file
//
// Documents are read once, prepared, and kept in blocks of up to 16,384. A document takes
// 2 KiB, and 24 bytes for each different word. Blocks for which -memory leaves no room are
// written to a temporary file, with about the size of the texts, and read again each time that
// a block is compared with them. Besides, two blocks and the rows that wait to be written are in memory.
//
// # Resuming
//
// A file gets its name when it is complete. Until then it has the name pairs.csv.partial, and
// pairs.csv.partial.json says how much of it is certain and which blocks were compared. This
// is updated once a second, after the output has been synced to the disk. A run that was
// interrupted, or killed, is continued by the same command with -resume: it reads the
// documents again, checks by a hash that they have the same IDs and words, cuts off what is
// not certain, and goes on. The output is then, byte for byte, that of an uninterrupted run.
//
// # The path of a document
//
//	read.go ─► corpus.go ─► compare.go ─► output.go
package pairs
