package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/muxwell/muxwell/internal/wholefile"
	"github.com/muxwell/muxwell/routebench/page"
	"github.com/muxwell/muxwell/routebench/report"
	"github.com/muxwell/muxwell/routebench/result"
)

// outputs are the output files of a run.
type outputs struct{ files []*output }

// An output is an output file of a run.
type output struct {
	flag, about string
	write       func(io.Writer, *result.Run) error
	file        string // "" if it is not asked for
}

// flags defines a flag for each form.
func (o *outputs) flags(fs *flag.FlagSet) {
	o.files = []*output{
		{flag: "html", about: "write a page with charts to this `file`", write: page.Write},
		{flag: "markdown", about: "write tables for a README to this `file`", write: report.Markdown},
		{flag: "json", about: "write all results to this `file`, for -from", write: result.WriteJSON},
		{flag: "csv", about: "write the figures to this `file`, for spreadsheets", write: result.WriteCSV},
		{flag: "bench", about: "write the samples to this `file`, for benchstat", write: result.WriteBenchfmt},
	}
	for _, f := range o.files {
		fs.StringVar(&f.file, f.flag, "", f.about)
	}
}

// has reports whether a flag names an output.
func (o *outputs) has(flag string) bool {
	return slices.ContainsFunc(o.files, func(f *output) bool { return f.flag == flag })
}

// check checks, before a run takes minutes, that the files can be written and are not among
// the files that are read, which read has by the names of their flags. It does not change
// the files.
func (o *outputs) check(read map[string]string) error {
	names := map[string]string{}
	for flag, file := range read {
		if file != "" && file != "-" {
			names[filepath.Clean(file)] = flag
		}
	}
	for _, f := range o.files {
		if f.file == "" {
			continue
		}
		if other, ok := names[filepath.Clean(f.file)]; ok {
			return fmt.Errorf("-%s and -%s name the same file, %s", other, f.flag, f.file)
		}
		names[filepath.Clean(f.file)] = f.flag
		_, statErr := os.Stat(f.file)
		file, err := os.OpenFile(f.file, os.O_WRONLY|os.O_CREATE, 0o666)
		if err != nil {
			return fmt.Errorf("-%s: %w", f.flag, err)
		}
		file.Close()
		if os.IsNotExist(statErr) {
			os.Remove(f.file)
		}
	}
	return nil
}

// write writes the files, each completely or not at all, and returns the names of those
// that it wrote. If one fails, it still writes the others.
func (o *outputs) write(run *result.Run) (written []string, err error) {
	for _, f := range o.files {
		if f.file == "" {
			continue
		}
		write := func(file *os.File) error { return f.write(file, run) }
		if failed := wholefile.Write(f.file, write); failed != nil {
			err = errors.Join(err, fmt.Errorf("-%s: %w", f.flag, failed))
			continue
		}
		written = append(written, f.file)
	}
	return written, err
}
