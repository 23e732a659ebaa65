// Package batch is the command that compares the texts of each row of a CSV file.
//
//	similarity batch pairs.csv
//
// [Main] runs it. It reads pairs.csv and writes pairs.similarity.csv, with two more
// columns. If there are rows that cannot be compared, it also writes pairs.rejected.csv.
//
// # The input
//
// The input is CSV as defined by RFC 4180, in UTF-8, with or without a byte order mark. Lines
// end with "\n" or "\r\n". The first row is the header. It has the columns text1 and text2,
// and may have others. Quoted fields may contain line breaks and separators. Blank lines are
// not rows. The flag -comma sets another separator.
//
// # The outputs
//
// A row of the output is the row of the input, byte for byte, followed by the columns
// similarity, from 0 to 1 with up to three decimals, and interpretation. Package score
// defines both. Rows have the order and the line endings of the input. The byte order mark is
// kept.
//
// A row is rejected if it has more or fewer fields than the header, if its quotes do not
// conform to RFC 4180, if it is not UTF-8, or if it is larger than -max-record. Rejected rows
// are written byte for byte and in order, after the header, together with the blank lines
// after them. So the file can be an input again once they are fixed. They are reported by
// line on stderr, the first twenty unless -reports is set.
//
// Every row of the input is in one of the two outputs.
//
// # Where an invalid row ends
//
// A row with valid quotes ends where RFC 4180 defines, and is accepted or rejected as a
// whole. If the quotes are invalid, the row is its first line, and the next row begins with
// the next line. Quotes are invalid if a field has a quote but does not begin with one, if
// text follows the quote that closes a field, if the input ends within a quoted field, or if
// a row with quoted line breaks exceeds -max-record. So an unclosed quote costs one row and
// not those after it. If a row of several lines has invalid quotes, each line counts as a
// row, and most likely is rejected too. A stray quote that another quote happens to close
// before a separator or a line's end joins rows to one row. No reader can distinguish that
// from a text of several lines.
//
// # The path of a row
//
//	split.go ─► chunk.go ─► compare.go ─► pipeline.go ─► outputs.go
//
// Memory is bounded: there are two more chunks than workers, of about 128 KiB each. A larger
// row makes a larger chunk, so with large rows, memory depends on -max-record and -workers.
package batch
