package pairs

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// A checkpoint says what an unfinished run has done.
type checkpoint struct {
	Version   int
	Documents string // a hash of their IDs and words
	Threshold int
	Words     string
	Format    string // of the output
	Done      int    // pairs of blocks
	Output    int64  // bytes
	Found     uint64 // pairs

	Candidates uint64 // pairs that were compared by their words
}

const version = 1

// journal returns the name of the file with the checkpoint of an output.
func journal(out string) string { return partial(out) + ".json" }

// readCheckpoint returns the checkpoint of an output, or nil if there is none.
func readCheckpoint(out string) (*checkpoint, error) {
	data, err := os.ReadFile(journal(out))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	c := new(checkpoint)
	if err := json.Unmarshal(data, c); err != nil || c.Version != version {
		return nil, fmt.Errorf("%s is not of this version; start again with -force", journal(out))
	}
	return c, nil
}

// save replaces the checkpoint of an output.
func (c *checkpoint) save(out string) error {
	data, err := json.MarshalIndent(c, "", "  ")
	if err != nil {
		return err
	}
	next := journal(out) + ".new"
	f, err := os.Create(next)
	if err != nil {
		return err
	}
	_, err = f.Write(append(data, '\n'))
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(next, journal(out))
}

// continues returns an error if a run cannot continue another one.
func (c *checkpoint) continues(old *checkpoint, out string) error {
	changed := ""
	switch {
	case c.Threshold != old.Threshold:
		changed = fmt.Sprintf("it had -threshold %g", float64(old.Threshold)/1000)
	case c.Words != old.Words:
		changed = "it had -words " + old.Words
	case c.Format != old.Format:
		changed = "it wrote " + old.Format
	case c.Documents != old.Documents:
		changed = "the documents have changed"
	}
	if changed != "" {
		return fmt.Errorf("the run that began %s cannot be continued: %s; start again with -force", partial(out), changed)
	}
	if info, err := os.Stat(partial(out)); err != nil || info.Size() < old.Output {
		return fmt.Errorf("%s is shorter than the run left it; start again with -force", partial(out))
	}
	return nil
}
