// Package batch is the command that compares the texts of each row of a CSV file:
//
//	similarity batch pairs.csv
//
// [Main] runs it. It reads pairs.csv and writes pairs.similarity.csv, with two more
// columns, and pairs.rejected.csv, if there are rows that cannot be compared.
//
// # The input
//
// CSV as RFC 4180 has it, in UTF-8, with or without a byte order mark. Lines end with
// "\n" or "\r\n". The first row is the header; it has the columns text1 and text2, and
// whatever others. Fields may be quoted, and have line breaks and separators then.
// Blank lines are no rows. Another separator is given with -comma.
//
// # The outputs
//
// A row of the output is the row of the input, byte for byte, and behind it the columns
// similarity, from 0 to 1 with up to three decimals, and interpretation. Package score
// defines both. Rows are in the order of the input, and end as they do there; the byte
// order mark is kept.
//
// A row is rejected if it has more or fewer fields than the header, if its quotes are
// not as RFC 4180 has them, if it is not UTF-8, or if it is larger than -max-record.
// Rejected rows are kept, byte for byte and in order, below the header, together with
// the blank lines behind them. So they are an input again, once they are mended. They
// are reported by line on stderr, the first twenty unless -reports says otherwise.
//
// Every row of the input is in one of the two outputs.
//
// # Where a bad row ends
//
// A row that is quoted well ends where RFC 4180 says, and is accepted or rejected as a
// whole. If quoting breaks, the row is its first line, and the next row begins with the
// next line. It breaks if a field has a quote but does not begin with one, if text
// follows the quote that closes a field, if the input ends within a quoted field, or if
// a row with quoted line breaks exceeds -max-record. So a quote that is not closed
// costs one row, not those behind it; and of a row of several lines that is quoted
// badly, each line is taken for a row, most likely to be rejected like the first. A
// stray quote that happens to be closed by another before a separator or a line's end
// makes rows one row; no reader can tell that from a text of several lines.
//
// # Going on
//
// While a run is under way, there is pairs.similarity.csv.state: a journal, in JSON,
// that says which bytes of the input are done, and how many bytes of the outputs are
// theirs. It is replaced about once a second, after the outputs have been synced to
// the disk, and removed at the end. So a file with a journal is not complete.
//
// A run that was interrupted, killed, or stopped by a full disk is continued by the
// same command with -resume. What the outputs have behind the journal's position is
// cut off, and the outputs become, byte for byte, those of a run without a break. With
// -resume the run is begun if there is none. A run is not continued if the size, the
// time or the first mebibyte of the input have changed, if one of the outputs has
// become shorter, or if -words, -comma, -max-record or -rejected differ; -workers may.
//
// Without -resume or -force nothing is overwritten: that an output exists is an error.
// On systems with flock(2), two runs cannot write one output at once. If the input or
// the output is no regular file, but a pipe for instance, there is no journal and the
// run cannot be continued.
//
// # The way of a row
//
//	split.go ─► chunk.go ─► compare.go ─► pipeline.go ─► outputs.go
//
// Memory is bounded: there are chunks of about 128 KiB, as many as workers and two. A
// larger row makes a larger chunk, so where rows are large, -max-record and -workers
// say how much memory it takes.
package batch
