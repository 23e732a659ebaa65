// Package table reads and writes files of rows: CSV, JSONL and Parquet, plain or compressed.
//
//	name, file ─► Open ─► File.Next ─► Decoder.Decode      values of columns
//	                                     Writer.Write ─► file
//
// CSV is that of RFC 4180 in UTF-8, with or without a byte order mark. Its first row is the
// header. JSONL has a JSON object (RFC 8259) in each line. Files may be compressed by gzip or
// zstd, whatever their names are.
//
// The values of Parquet are those of its logical types. Numbers, booleans and decimals are what
// they are in JSON, and NaN and infinite numbers are text. Dates and times are text in the
// formats of RFC 3339, without a zone where the type has none. Lists, maps and groups are JSON.
// All else is text, and a row in which it is not UTF-8 is rejected.
//
// Reading a file takes two steps. [File.Next] returns records one after the other, as bytes.
// A [Decoder] finds the values of columns in a record; several of them may work at the same
// time, one for each goroutine. A record that is not a row of its format is rejected with a
// reason, and the next one begins with the next line: one mistake costs one row. All bytes of
// CSV and JSONL are in one of the records.
package table
