package result

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
)

// Format is the version of the format of [WriteJSON], the member "format" of the file. It
// changes when the meaning of a file changes.
const Format = 1

// A file is a run with the version of its format.
type file struct {
	Format int `json:"format"`
	*Run
}

// WriteJSON writes a run as indented JSON: the members of [Run] and "format". Times
// are in nanoseconds and sizes in bytes. A sample that is infinite or not a number
// is an error.
func WriteJSON(w io.Writer, run *Run) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "\t")
	return e.Encode(file{Format, run})
}

// ReadJSON reads a run written by [WriteJSON]. For any other file it returns an error that
// names what is invalid.
func ReadJSON(r io.Reader) (*Run, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	var version struct {
		Format *int `json:"format"`
	}
	if err := json.Unmarshal(text, &version); err != nil {
		return nil, notRun(err)
	}
	switch {
	case version.Format == nil:
		return nil, errors.New(`not a run of routebench: it has no "format"`)
	case *version.Format != Format:
		return nil, fmt.Errorf("format %d is not supported: this routebench reads format %d", *version.Format, Format)
	}
	f := file{Run: new(Run)}
	if err := json.Unmarshal(text, &f); err != nil {
		return nil, notRun(err)
	}
	if err := f.check(); err != nil {
		return nil, err
	}
	return f.Run, nil
}

// notRun returns the error for text that is not a run, with its offset.
func notRun(err error) error {
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		return fmt.Errorf("not a run of routebench: offset %d: %w", syntax.Offset, err)
	}
	return fmt.Errorf("not a run of routebench: %w", err)
}

// check returns an error if a run cannot be reported.
func (run *Run) check() error {
	if len(run.Scenarios) > 0 && len(run.Routers) == 0 {
		return errors.New("the run has scenarios, but no routers")
	}
	for i := range run.Scenarios {
		s := &run.Scenarios[i]
		switch {
		case s.Name == "":
			return fmt.Errorf("scenario %d has no name", i+1)
		case !slices.Contains([]Kind{Speed, Memory, Growth, Server}, s.Kind):
			return fmt.Errorf("scenario %q has the unknown kind %q", s.Name, s.Kind)
		}
		for j := range s.Rows {
			if err := run.checkRow(s, &s.Rows[j]); err != nil {
				return fmt.Errorf("scenario %q, router %q: %w", s.Name, s.Rows[j].Router, err)
			}
		}
	}
	return nil
}

// checkRow returns an error if a row is invalid.
func (run *Run) checkRow(s *Scenario, r *Row) error {
	known := func(x Router) bool { return x.Name == r.Router }
	switch {
	case r.Router != Floor && !slices.ContainsFunc(run.Routers, known):
		return errors.New("the run does not have this router")
	case r.CPU < 1:
		return fmt.Errorf("cpu is %d; it is GOMAXPROCS and at least 1", r.CPU)
	case r.Answered < 0 || r.Answered > s.Requests:
		return fmt.Errorf("%d requests answered of %d", r.Answered, s.Requests)
	case s.Row(r.Router, r.CPU) != r:
		return fmt.Errorf("a second row at cpu %d", r.CPU)
	}
	for unit, values := range r.Samples {
		if !slices.Contains(Units, unit) {
			return fmt.Errorf("unknown unit %q", unit)
		}
		for _, v := range values {
			if v < 0 || math.IsInf(v, 0) {
				return fmt.Errorf("a sample of %v %s", v, unit)
			}
		}
	}
	return nil
}
