package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// checkFiles makes sure that the files can be written, before a run takes minutes. It
// leaves them as they are.
func (o *options) checkFiles() error {
	if o.json != "" && o.markdown != "" && filepath.Clean(o.json) == filepath.Clean(o.markdown) {
		return fmt.Errorf("-json and -markdown name the same file, %s", o.json)
	}
	for flag, name := range map[string]string{"json": o.json, "markdown": o.markdown} {
		if name == "" {
			continue
		}
		_, before := os.Stat(name)
		file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE, 0o644)
		if err != nil {
			return fmt.Errorf("-%s: %w", flag, err)
		}
		file.Close()
		if errors.Is(before, os.ErrNotExist) {
			os.Remove(name)
		}
	}
	return nil
}

// report writes a result to the files of the options, and as a table to stdout. It writes
// the files first, because a pipe that is closed early ends the process.
func (o *options) report(r *result, stdout io.Writer) error {
	r.summarise()
	table := r.markdown()
	var errs []error
	if o.json != "" {
		all, err := json.MarshalIndent(r, "", "  ")
		if err == nil {
			err = os.WriteFile(o.json, append(all, '\n'), 0o644)
		}
		errs = append(errs, err)
	}
	if o.markdown != "" {
		errs = append(errs, os.WriteFile(o.markdown, []byte(table), 0o644))
	}
	_, err := io.WriteString(stdout, table)
	return errors.Join(append(errs, err)...)
}
