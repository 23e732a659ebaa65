package main

import (
	"bufio"
	"context"
	"fmt"
	"hash/fnv"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
)

func init() {
	register.DoFn2x0[[]byte, func(int, string)](&shardsFn{})
	register.DoFn1x2[string, int, string](&shardFn{})
	register.DoFn3x1[context.Context, int, func(*string) bool, error](&writeFn{})
	register.Emitter2[int, string]()
	register.Iter1[string]()
}

// write writes elements of any number of lines to a file, or to the given number of files.
// Unlike package textio, it writes a file also if there are no lines.
func write(s beam.Scope, name string, shards int, lines beam.PCollection) {
	s = s.Scope("Write")
	all := beam.Flatten(s, beam.ParDo(s, &shardsFn{shards}, beam.Impulse(s)), beam.ParDo(s, &shardFn{shards}, lines))
	beam.ParDo0(s, &writeFn{name, shards}, beam.GroupByKey(s, all))
}

// shardsFn emits an empty line for each file, which is not written.
type shardsFn struct{ Shards int }

// ProcessElement emits them.
func (fn *shardsFn) ProcessElement(_ []byte, emit func(int, string)) {
	for i := range fn.Shards {
		emit(i, "")
	}
}

// shardFn assigns lines to files.
type shardFn struct{ Shards int }

// ProcessElement returns a line with the number of its file.
func (fn *shardFn) ProcessElement(line string) (int, string) {
	h := fnv.New64a()
	h.Write([]byte(line))
	return int(h.Sum64() % uint64(fn.Shards)), line
}

// writeFn writes files.
type writeFn struct {
	Name   string
	Shards int
}

// ProcessElement writes a file.
func (fn *writeFn) ProcessElement(ctx context.Context, shard int, next func(*string) bool) error {
	name := shardName(fn.Name, shard, fn.Shards)
	fs, err := filesystem.New(ctx, name)
	if err != nil {
		return err
	}
	defer fs.Close()
	f, err := fs.OpenWrite(ctx, name)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 1<<20)
	for line := ""; next(&line); {
		if w.WriteString(line); line != "" && !strings.HasSuffix(line, "\n") {
			w.WriteByte('\n')
		}
	}
	err = w.Flush()
	if closed := f.Close(); err == nil {
		err = closed
	}
	return err
}

// shardName returns the name of one of several files: out-00000-of-00004.jsonl for out.jsonl.
func shardName(name string, shard, shards int) string {
	if shards == 1 {
		return name
	}
	stem, ext := cutExtension(name)
	return fmt.Sprintf("%s-%05d-of-%05d%s", stem, shard, shards, ext)
}

// cutExtension splits a name before the last dot in its last element.
func cutExtension(name string) (stem, ext string) {
	if i := strings.LastIndexByte(name, '.'); i > strings.LastIndexByte(name, '/')+1 {
		return name[:i], name[i:]
	}
	return name, ""
}
