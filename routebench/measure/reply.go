package measure

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"io"
	"net/http"
	"strconv"

	"github.com/muxwell/muxwell/internal/loadgen"
)

// A reply is the parsed part of an answer.
type reply struct {
	status int
	last   bool // the server closes the connection behind it
}

// readReply reads an answer to its end. It skips informational answers before it.
func readReply(r *bufio.Reader, head bool) (reply, error) {
	for {
		h, err := loadgen.ReadHeader(r)
		a := reply{h.Status, h.Last}
		if err != nil {
			return a, err
		}
		if a.status >= 100 && a.status < 200 && a.status != http.StatusSwitchingProtocols {
			continue
		}
		switch {
		case head, a.status == http.StatusNoContent, a.status == http.StatusNotModified:
			return a, nil
		case h.Chunked:
			return a, skipChunks(r)
		case h.Length >= 0:
			_, err = r.Discard(h.Length)
			return a, loadgen.Unexpected(err)
		default: // up to the end of the connection
			a.last = true
			_, err = io.Copy(io.Discard, r)
			return a, err
		}
	}
}

// skipChunks reads a chunked body up to its end, trailers included.
func skipChunks(r *bufio.Reader) error {
	for {
		line, err := loadgen.ReadLine(r)
		if err != nil {
			return err
		}
		digits, _, _ := bytes.Cut(line, []byte(";"))
		size, err := strconv.ParseUint(string(bytes.TrimSpace(digits)), 16, 31)
		if err != nil {
			return fmt.Errorf("the answer has a chunk of size %q", digits)
		}
		if size == 0 {
			break
		}
		if _, err := r.Discard(int(size)); err != nil {
			return loadgen.Unexpected(err)
		}
		if line, err = loadgen.ReadLine(r); err != nil || len(line) > 0 {
			return cmp.Or(err, fmt.Errorf("the answer has a chunk that is longer than %d bytes", size))
		}
	}
	for {
		if line, err := loadgen.ReadLine(r); err != nil || len(line) == 0 {
			return err
		}
	}
}
