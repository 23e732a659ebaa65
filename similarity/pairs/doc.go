// Package pairs is the command that finds all pairs of similar documents.
//
//	similarity pairs -threshold 0.8 -out pairs.csv corpus.jsonl
//
// [Main] runs it. A pair has a similarity of the threshold or more. The similarity is that of
// package score, which the service and the command batch return too. The search is exact;
// package join describes it. Documents without words are in no pair, although the service
// returns 1 for two of them.
//
// # The output
//
// The output has a row for each pair, with the columns id1, id2 and similarity. The document
// id1 comes before id2 in the input. The rows have the same order in each run. IDs are copied,
// and need not be unique.
//
// # Memory, and the temporary file
//
// Documents are read once, prepared, and kept in blocks of up to 16,384. A document takes
// 2 KiB, and 24 bytes for each different word, or about 50 if that is longer than 16 bytes.
// Blocks for which -memory leaves no room are written to a temporary file, which is about as
// large as the texts. They are read again each time a block is compared with them. In addition
// to -memory, up to two blocks and the pairs that wait to be written are in memory.
//
// # Resuming
//
// The output is written to pairs.csv.partial and renamed when it is complete. Until then,
// pairs.csv.partial.json has a checkpoint: which blocks have been compared, and the size of the
// output after them. It is replaced about once a second, after the output has been synced to
// the disk. A run that was interrupted or killed is continued by the same command with -resume.
// It reads the documents again, checks by a hash that their IDs and words are the same, truncates
// the output to the size in the checkpoint, and continues. The result is byte for byte that of an
// uninterrupted run.
//
// # The path of a document
//
//	read.go ─► corpus.go ─► compare.go ─► output.go
package pairs
