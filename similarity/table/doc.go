// Package table reads and writes files of rows: CSV, JSONL and Parquet, plain or compressed.
//
//	name, file ─► Open ─► File.Next ─► Decoder.Decode      values of columns
//	                                     Writer.Write ─► file
//
// CSV is that of RFC 4180 in UTF-8, with or without a byte order mark. Its first row is the
// header. JSONL has a JSON object (RFC 8259) in each line. The columns of a Parquet file must
// be flat. Files may be compressed by gzip or zstd, whatever their names are.
//
// Reading a file takes two steps. [File.Next] returns records one after the other, as bytes.
// A [Decoder] finds the values of columns in a record; several of them may work at the same
// time, one for each goroutine. A record that is not a row of its format is rejected with a
// reason, and the next one begins with the next line: one mistake costs one row. All bytes of
// CSV and JSONL are in one of the records.
package table
