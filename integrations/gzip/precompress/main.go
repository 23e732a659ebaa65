// Command precompress writes app.js.gz and app.js.zst next to each file app.js of a
// directory, for the option Precompressed of Mux.Files. Run it in the build, after the
// files are written:
//
//	//go:generate go run ./precompress dist
//
// It leaves out files that compression makes less than a tenth smaller, such as images. The
// new files get the time of the file that they encode. Programs for Brotli, which
// compresses text a little better, write app.js.br.
package main

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"log"
	"os"
	"path/filepath"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: precompress DIRECTORY")
	}
	if err := compressAll(os.Args[1]); err != nil {
		log.Fatal(err)
	}
}

// encoders are the encoders of files, by the extension that they add.
var encoders = map[string]func(io.Writer) (io.WriteCloser, error){
	".gz": func(w io.Writer) (io.WriteCloser, error) { return gzip.NewWriterLevel(w, gzip.BestCompression) },
	".zst": func(w io.Writer) (io.WriteCloser, error) {
		return zstd.NewWriter(w, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithWindowSize(8<<20)) // RFC 9659: browsers read no larger one
	},
}

// compressAll compresses the files in a directory and below it.
func compressAll(dir string) error {
	return filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || filepath.Ext(name) == ".br" || encoders[filepath.Ext(name)] != nil {
			return err
		}
		return compressFile(name)
	})
}

// compressFile writes the encodings of a file that are worth it, and removes the others,
// which may be of an earlier build.
func compressFile(name string) error {
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	info, err := os.Stat(name)
	if err != nil {
		return err
	}
	for extension, encoder := range encoders {
		var encoded bytes.Buffer
		w, err := encoder(&encoded)
		if err != nil {
			return err
		}
		if _, err := w.Write(data); err != nil {
			return err
		}
		if err := w.Close(); err != nil {
			return err
		}
		if encoded.Len() > len(data)*9/10 {
			if err := os.Remove(name + extension); err != nil && !os.IsNotExist(err) {
				return err
			}
			continue
		}
		if err := os.WriteFile(name+extension, encoded.Bytes(), info.Mode().Perm()); err != nil {
			return err
		}
		if err := os.Chtimes(name+extension, info.ModTime(), info.ModTime()); err != nil {
			return fmt.Errorf("time of the encoded file: %w", err)
		}
	}
	return nil
}
