// Package batch is the command that compares the texts of each row of files.
//
//	similarity batch pairs.csv
//
// [Main] runs it. It reads pairs.csv and writes pairs.similarity.csv, with two more
// columns. If there are rows that cannot be compared, it also writes pairs.rejected.csv.
//
// # The input
//
// Inputs are CSV, JSONL or Parquet, plain or compressed by gzip or zstd, as package table
// reads them. They have the columns or keys text1 and text2, and may have others. The format
// is that of -format, of the file's name, or of its content, and otherwise CSV. In JSONL and
// Parquet, both texts must be strings.
//
// # The outputs
//
// The output has the format and the compression of its name; by default the format of the
// input, uncompressed. It has the rows that were compared in the order of the input, with two
// more columns: similarity, from 0 to 1 with up to three decimals, and interpretation. Package
// score defines both.
//
// From CSV to CSV and from JSONL to JSONL, a row is the row of the input, byte for byte, and
// what is added at its end, in JSON before the closing brace. Line endings are kept, and so
// are the separator and the byte order mark of CSV. From Parquet to Parquet, all columns keep
// their types and values. Metadata is not kept: types that only Arrow knows, such as durations and
// the names of time zones, become those of Parquet.
//
// Otherwise rows are converted. CSV that is written has commas. null is an empty field in CSV,
// and a missing key in JSONL. Package table describes how Parquet is converted. In Parquet that
// is written, the columns of CSV and JSONL are strings, and a JSON value that is not a string is
// its JSON text. If JSONL is converted, the columns are the keys of the first row that can be
// compared, and rows with other keys are rejected. Of Parquet that is written, up to 64 MiB are
// in memory.
//
// By default there is an output for each input. With -out, there is one for all of them. Then
// they must have the same format, CSV the same columns, and Parquet the same columns and types.
//
// # Rejected rows
//
// A row is rejected if it is not valid in its format or not UTF-8, if it is larger than
// -max-record, if it has more or fewer fields than the header, if a text is missing, or if it
// has a key that the output adds. Rejected rows are written byte for byte and in order, for
// CSV after the header, together with the blank lines after them. So the file can be an input
// again once they are fixed. Those of Parquet are Parquet, with the same columns. Rejected rows
// are reported by line on stderr, the first twenty unless -reports is set.
//
// Every row of the input is in one of the two outputs.
//
// # Where an invalid row ends
//
// A row of CSV with valid quotes ends where RFC 4180 defines, and is accepted or rejected as a
// whole. If the quotes are invalid, the row is its first line, and the next row begins with
// the next line. Quotes are invalid if a field has a quote but does not begin with one, if
// text follows the quote that closes a field, if the input ends within a quoted field, or if
// a row with quoted line breaks exceeds -max-record. So an unclosed quote costs one row and
// not those after it. If a row of several lines has invalid quotes, each line counts as a
// row, and most likely is rejected too. A stray quote that another quote happens to close
// before a separator or a line's end joins rows to one row. No reader can distinguish that
// from a text of several lines.
//
// # Files
//
// Outputs are written to files with .partial after their names, and renamed when they are
// complete. After an error or Ctrl-C they are removed. Without -force, an existing output is
// an error. Outputs that are not regular files, such as pipes, are written directly.
//
// # The path of a row
//
//	package table ─► chunk.go ─► compare.go ─► pipeline.go ─► outputs.go
//
// Memory is bounded: there are two more chunks than workers, of about 128 KiB each. A larger
// row makes a larger chunk, so with large rows, memory depends on -max-record and -workers.
package batch
