package batch

import (
	"errors"
	"fmt"
	"io"
	"os"
)

// Outputs are the output and the rejected rows, with the journal of both.
//
// In a run that can be continued, the file of the rejected rows exists from the beginning,
// with the header, so that no other run uses it. It is removed at the end if no row was
// rejected. Other runs create it for the first rejected row, so that a run that is killed
// because its pipe was closed does not leave an empty file.
type outputs struct {
	head     *header
	o        *options
	out      *sink
	rejected *sink    // nil if there is no file yet
	journal  *journal // nil if the run cannot be continued
}

// openOutputs opens the outputs for a run, and returns its start: before the header, or
// the position at which an earlier run stopped. It keeps the files of an earlier run unless
// the options allow to overwrite them.
func openOutputs(o *options, in *input, head *header, stdout io.Writer) (*outputs, position, error) {
	w := &outputs{head: head, o: o}
	p, err := w.open(in, stdout)
	if err != nil {
		w.close()
		w.out.removeNew()
		w.rejected.removeNew()
		return nil, p, err
	}
	return w, p, nil
}

// open is openOutputs, which closes what is open when it fails.
func (w *outputs) open(in *input, stdout io.Writer) (p position, err error) {
	o := w.o
	if o.out == "-" {
		w.out = &sink{name: "-", w: stdout}
	} else if w.out, err = openSink(o.out); err != nil {
		return p, err
	}
	if in.file == nil || w.out.file == nil {
		if o.resume {
			return p, errors.New("-resume: the run does not read and write regular files, and cannot be continued")
		}
		return p, w.openNew(nil)
	}
	id, err := in.identity()
	if err != nil {
		return p, err
	}
	w.journal = &journal{name: journalName(o.out), entry: entry{Version: journalVersion, Input: id, Settings: o.settings()}}
	var old *entry
	if !o.force {
		if old, err = readEntry(w.journal.name); err != nil {
			return p, err
		}
	}
	if !o.resume || old == nil {
		return p, w.openNew(old)
	}
	if err := old.check(in.name, id, w.journal.entry.Settings); err != nil {
		return p, err
	}
	return old.Position, w.cut(old.Position)
}

// openNew empties the outputs, unless something would be overwritten. Empty files do not
// count: a run that was killed before it began leaves one.
func (w *outputs) openNew(old *entry) error {
	if !w.o.force {
		if err := w.checkNew(old); err != nil {
			return err
		}
	}
	if err := w.openRejected(); err != nil {
		return err
	}
	if w.journal == nil {
		return errors.Join(w.out.rewind(0), w.dropRejected())
	}
	// Before anything is overwritten: from here on there is a run to resume.
	if err := w.journal.save(position{}); err != nil {
		return err
	}
	return errors.Join(w.out.rewind(0), w.rejected.rewind(0))
}

// checkNew returns an error if a new run would overwrite something.
func (w *outputs) checkNew(old *entry) error {
	o := w.o
	switch {
	case w.out.size > 0 && old != nil:
		return fmt.Errorf("%s is from an unfinished run; continue with -resume, or start again with -force", o.out)
	case w.out.size > 0 && o.resume:
		return fmt.Errorf("%s is not from an unfinished run, because there is no %s: nothing to resume; start again with -force", o.out, journalName(o.out))
	case w.out.size > 0:
		return fmt.Errorf("%s exists; overwrite it with -force, or write to another file with -out", o.out)
	}
	if info, err := os.Stat(o.rejected); err == nil && info.Mode().IsRegular() && info.Size() > 0 {
		return o.rejectedExists()
	}
	return nil
}

// rejectedExists returns the error for a file that rejected rows would overwrite.
func (o *options) rejectedExists() error {
	return fmt.Errorf("%s exists; overwrite it with -force, or write rejected rows to another file with -rejected", o.rejected)
}

// openRejected opens the file for rejected rows.
func (w *outputs) openRejected() (err error) {
	w.rejected, err = openSink(w.o.rejected)
	return err
}

// cut truncates the outputs at a position.
func (w *outputs) cut(p position) error {
	if err := w.openRejected(); err != nil {
		return err
	}
	if w.out.size < p.Output {
		return fmt.Errorf("%s is shorter than the run left it; restore it, or start again with -force", w.out.name)
	}
	if p.Input > 0 && p.RejectedRows == 0 { // the file may have been removed at the end already
		return errors.Join(w.out.rewind(p.Output), w.rejected.rewind(0), w.rejected.write(w.head.rejected()))
	}
	if w.rejected.size < p.Rejected {
		return fmt.Errorf("%s is shorter than the run left it; restore it, or start again with -force", w.rejected.name)
	}
	return errors.Join(w.out.rewind(p.Output), w.rejected.rewind(p.Rejected))
}

// begin writes the headers, and returns the position after them.
func (w *outputs) begin(s *splitter) (position, error) {
	err := w.out.write(w.head.output(w.o.comma))
	if err == nil && w.rejected != nil {
		err = w.rejected.write(w.head.rejected())
	}
	if err != nil {
		return position{}, err
	}
	return w.position(s.offset, s.line), nil
}

// position returns the position at an offset and a line of the input.
func (w *outputs) position(offset int64, line int) position {
	p := position{Input: offset, Line: line, Output: w.out.size}
	if w.rejected != nil {
		p.Rejected = w.rejected.size
	}
	return p
}

// reject appends to the rejected rows.
func (w *outputs) reject(rows []byte) error {
	if len(rows) == 0 {
		return nil
	}
	if w.rejected == nil {
		if err := w.openRejected(); err != nil {
			return err
		}
		if w.rejected.size > 0 && !w.o.force { // it was made since the run began
			return w.o.rejectedExists()
		}
		if err := errors.Join(w.rejected.rewind(0), w.rejected.write(w.head.rejected())); err != nil {
			return err
		}
	}
	return w.rejected.write(rows)
}

// checkpoint records a position in the journal.
func (w *outputs) checkpoint(p position) error {
	if w.journal == nil {
		return nil
	}
	if err := w.sync(); err != nil {
		return err
	}
	return w.journal.save(p)
}

// finish closes the outputs of a run that is complete.
func (w *outputs) finish(p position) error {
	if err := w.sync(); err != nil {
		return err
	}
	if w.journal != nil && p.RejectedRows == 0 {
		if err := w.dropRejected(); err != nil {
			return err
		}
	}
	if w.journal != nil {
		if err := w.journal.remove(); err != nil {
			return err
		}
	}
	return w.close()
}

// dropRejected removes the file for rejected rows.
func (w *outputs) dropRejected() error {
	err := w.rejected.close()
	if err == nil && w.rejected.file != nil {
		err = os.Remove(w.rejected.name)
	}
	w.rejected = nil
	return err
}

// sync syncs the outputs to the disk.
func (w *outputs) sync() error { return errors.Join(w.out.sync(), w.rejected.sync()) }

// close closes the outputs.
func (w *outputs) close() error { return errors.Join(w.out.close(), w.rejected.close()) }
