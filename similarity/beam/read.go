package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"path"
	"reflect"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/sdf"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/fileio"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/rtrackers/offsetrange"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/muxwell/muxwell/similarity/table"
)

func init() {
	register.DoFn4x1[context.Context, *sdf.LockRTracker, fileio.ReadableFile, func(row), error](&readFn{})
	register.Emitter1[row]()
	beam.RegisterType(reflect.TypeFor[row]())
}

// A row is a row of the input, or the reason why it cannot be read.
type row struct {
	File   string
	Offset int64
	JSON   []byte
	Reason string
}

// read returns the rows of the files that match patterns.
func read(s beam.Scope, patterns []string, part int64) beam.PCollection {
	s = s.Scope("Read")
	files := fileio.MatchAll(s, beam.CreateList(s, patterns), fileio.MatchEmptyDisallow())
	return beam.ParDo(s, &readFn{Part: part}, fileio.ReadMatches(s, files))
}

// readFn reads files. It is a splittable DoFn (https://s.apache.org/splittable-do-fn): a
// runner may read parts of a file on several workers. A line belongs to the part in which it
// begins. Package textio splits files in the same way, but does not tell where a line is, and
// limits neither the size of a line nor what it reads to get to a part.
//
// Files whose lines are not rows are read as a whole: CSV, in which quoted fields have line
// breaks, so that no worker could know whether a part begins within one, and compressed files.
type readFn struct {
	Part int64 // size in bytes
}

func isCSV(name string) bool   { return path.Ext(strings.TrimSuffix(name, ".gz")) == ".csv" }
func isWhole(name string) bool { return path.Ext(name) == ".gz" || isCSV(name) }

// CreateInitialRestriction returns the range of bytes in which rows begin. Of files that are
// read as a whole, it is that of the first byte.
func (fn *readFn) CreateInitialRestriction(file fileio.ReadableFile) offsetrange.Restriction {
	if isWhole(file.Metadata.Path) {
		return offsetrange.Restriction{End: 1}
	}
	return offsetrange.Restriction{End: file.Metadata.Size}
}

// SplitRestriction splits a file into parts.
func (fn *readFn) SplitRestriction(_ fileio.ReadableFile, all offsetrange.Restriction) []offsetrange.Restriction {
	return all.SizedSplits(fn.Part)
}

// RestrictionSize returns how much there is to read.
func (fn *readFn) RestrictionSize(file fileio.ReadableFile, part offsetrange.Restriction) float64 {
	if isWhole(file.Metadata.Path) {
		return float64(file.Metadata.Size)
	}
	return part.Size()
}

// CreateTracker returns a tracker of what is read.
func (fn *readFn) CreateTracker(part offsetrange.Restriction) *sdf.LockRTracker {
	return sdf.NewLockRTracker(offsetrange.NewTracker(part))
}

// ProcessElement emits the rows of a part.
func (fn *readFn) ProcessElement(ctx context.Context, rt *sdf.LockRTracker, file fileio.ReadableFile, emit func(row)) error {
	f, err := file.Open(ctx)
	if err != nil {
		return err
	}
	defer f.Close()
	parts.Inc(ctx, 1)
	name, claim := file.Metadata.Path, rt.TryClaim
	emitNamed := func(r row) {
		r.File = name
		emit(r)
	}
	if !isWhole(name) {
		return readLines(f, rt.GetRestriction().(offsetrange.Restriction).Start, claim, emitNamed)
	}
	if !rt.TryClaim(int64(0)) {
		return nil
	}
	if isCSV(name) {
		err = readCSV(ctx, f, emitNamed)
	} else {
		err = readLines(f, 0, func(any) bool { return true }, emitNamed)
	}
	rt.TryClaim(int64(1))
	return err
}

// maxLine is the size of the largest line that is read: one that has texts as large as package
// score allows.
const maxLine = 64 << 20

var byteOrderMark = []byte("\uFEFF")

// readLines emits the lines of a file that begin at start or later, while their offsets can be
// claimed.
func readLines(f io.Reader, start int64, claim func(any) bool, emit func(row)) error {
	at := max(0, start-1) // the last byte before the part may end a line
	if err := skip(f, at); err != nil {
		return err
	}
	r := bufio.NewReaderSize(f, 1<<18)
	if start > 0 {
		_, size, err := readLine(r, 0)
		at += size
		if err != nil {
			return atEnd(err, at, claim)
		}
	}
	for claim(at) {
		line, size, err := readLine(r, maxLine)
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if at == 0 {
			line = bytes.TrimPrefix(line, byteOrderMark)
		}
		switch {
		case size > maxLine:
			emit(row{Offset: at, Reason: "the line is longer than 64 MiB"})
		case len(bytes.TrimSpace(line)) > 0:
			emit(row{Offset: at, JSON: line})
		}
		at += size
		if err != nil {
			return atEnd(err, at, claim)
		}
	}
	return nil
}

// atEnd claims all of a part if the error is that the file ends.
func atEnd(err error, at int64, claim func(any) bool) error {
	if !errors.Is(err, io.EOF) {
		return err
	}
	claim(at)
	return nil
}

// skip skips n bytes.
func skip(f io.Reader, n int64) error {
	if s, ok := f.(io.Seeker); ok {
		_, err := s.Seek(n, io.SeekStart)
		return err
	}
	_, err := io.CopyN(io.Discard, f, n)
	return err
}

// readLine reads a line, of which it returns up to limit bytes, and the size of all. With the
// error, there may be a last line.
func readLine(r *bufio.Reader, limit int64) (line []byte, size int64, err error) {
	for {
		some, err := r.ReadSlice('\n')
		if size += int64(len(some)); size <= limit {
			line = append(line, some...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, size, err
		}
	}
}

// readCSV emits the rows of a CSV file as JSON objects, whose keys are in the header.
func readCSV(ctx context.Context, f io.Reader, emit func(row)) error {
	in := &reader{r: f}
	t, err := table.Open(ctx, "-", in, table.Options{Format: table.CSV})
	var d *table.Decoder
	if err == nil {
		d, err = t.NewDecoder(t.Columns, nil)
	}
	switch {
	case in.err != nil:
		return in.err
	case err != nil:
		emit(row{Reason: "the header is not valid, so the file is not read: " + strings.TrimPrefix(err.Error(), "standard input: ")})
		return nil
	}
	for {
		record, err := t.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		switch record.Kind {
		case table.Bad:
			emit(row{Offset: record.Offset, Reason: record.Reason})
		case table.Row:
			values, reason := d.Decode(record)
			if reason != "" {
				emit(row{Offset: record.Offset, Reason: reason})
				continue
			}
			emit(row{Offset: record.Offset, JSON: object(t.Columns, values)})
		}
	}
}

// A reader keeps its error, unless it is io.EOF.
type reader struct {
	r   io.Reader
	err error
}

func (r *reader) Read(b []byte) (int, error) {
	n, err := r.r.Read(b)
	if !errors.Is(err, io.EOF) {
		r.err = err
	}
	return n, err
}

// object returns a JSON object.
func object(keys []string, values []table.Value) []byte {
	b := []byte{'{'}
	for i, value := range values {
		if i > 0 {
			b = append(b, ',')
		}
		b = table.AppendJSON(append(table.AppendJSON(b, keys[i]), ':'), value.Text)
	}
	return append(b, '}')
}

// encode returns JSON of a value that has some.
func encode(value any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		panic(err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
