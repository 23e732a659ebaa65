package batch

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/muxwell/muxwell/internal/wholefile"
)

// A journal is the file next to the output that records the progress of a run. It exists
// from before the first row is written until after the last.
//
// Outputs are synced before the journal records them, and the journal is replaced by
// renaming. So at any time, outputs have at least the recorded bytes. Bytes after these are
// cut off when the run is continued.
type journal struct {
	name  string
	entry entry
}

// An entry is the content of the journal.
type entry struct {
	Version  int      `json:"version"`
	Input    identity `json:"input"`
	Settings settings `json:"settings"`
	Position position `json:"position"`
}

// journalVersion is the version of the entry.
const journalVersion = 1

// Settings are the options that the outputs depend on.
type settings struct {
	Words     string `json:"words"`
	Comma     string `json:"comma"`
	MaxRecord int    `json:"maxRecord"`
	Rejected  string `json:"rejected"` // the file, as seen from the folder of the output
}

// A position is the progress of a run: an offset in the input at which a row may begin,
// and the offsets in the outputs after the results of all rows before it.
type position struct {
	Input        int64 `json:"input"` // 0 is before the header
	Line         int   `json:"line"`  // the next, from 1
	Output       int64 `json:"output"`
	Rejected     int64 `json:"rejected"`     // bytes
	Compared     int64 `json:"compared"`     // rows
	Wordless     int64 `json:"wordless"`     // rows of these in which neither text has a word
	OtherScripts int64 `json:"otherScripts"` // rows of these with words of other scripts
	RejectedRows int64 `json:"rejectedRows"`
	AfterReject  bool  `json:"afterReject"` // the row before was rejected
}

// settings returns the settings of the options.
func (o *options) settings() settings {
	s := settings{Words: o.words.String(), Comma: string(o.comma), MaxRecord: o.limit, Rejected: o.rejected}
	if rel, err := filepath.Rel(filepath.Dir(o.out), o.rejected); err == nil {
		s.Rejected = filepath.ToSlash(rel)
	}
	return s
}

// journalName returns the name of the journal of an output.
func journalName(out string) string { return out + ".state" }

// readEntry reads the entry of a journal. It returns nil if there is no journal.
func readEntry(name string) (*entry, error) {
	data, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	e := new(entry)
	if err := json.Unmarshal(data, e); err != nil {
		return nil, fmt.Errorf("cannot read %s, the journal of the run: %w; start again with -force", name, err)
	}
	if e.Version != journalVersion {
		return nil, fmt.Errorf("%s was written by another version of this program; continue with that version, or start again with -force", name)
	}
	return e, nil
}

// check returns an error if a run with this input and these settings cannot continue the
// run of the entry.
func (e *entry) check(name string, in identity, s settings) error {
	old := e.Settings
	switch {
	case !e.Input.Modified.Equal(in.Modified) || e.Input.Size != in.Size || e.Input.Head != in.Head:
		return fmt.Errorf("cannot -resume: %s has changed since the run began; start again with -force", name)
	case old.Words != s.Words:
		return different("words", old.Words)
	case old.Comma != s.Comma:
		return different("comma", fmt.Sprintf("'%s'", old.Comma))
	case old.MaxRecord != s.MaxRecord:
		return different("max-record", fmt.Sprint(old.MaxRecord))
	case old.Rejected != s.Rejected:
		return different("rejected", fmt.Sprintf("%q, as seen from the folder of the output", old.Rejected))
	}
	return nil
}

// different returns the error for a flag that has changed.
func different(flag, was string) error {
	return fmt.Errorf("cannot -resume: the run had -%s %s; use the same value, or start again with -force", flag, was)
}

// save replaces the journal by one with a position.
func (j *journal) save(p position) error {
	j.entry.Position = p
	data, err := json.MarshalIndent(j.entry, "", "\t")
	if err != nil {
		return err
	}
	err = wholefile.Replace(j.name, func(f *os.File) error {
		if _, err := f.Write(append(data, '\n')); err != nil {
			return err
		}
		return f.Sync() // before the old one is gone
	})
	if err != nil {
		return err
	}
	syncFolder(filepath.Dir(j.name))
	return nil
}

// remove removes the journal, and leftover temporary files of killed runs.
func (j *journal) remove() error {
	wholefile.RemoveLeftovers(j.name)
	err := os.Remove(j.name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// syncFolder syncs a renaming to the disk, if the system supports that.
func syncFolder(name string) {
	if f, err := os.Open(name); err == nil {
		f.Sync()
		f.Close()
	}
}
