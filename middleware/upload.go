package middleware

import (
	"io"
	"net/http"
	"sync"
	"time"
)

// An HTTP/1 server sends no headers before it has read the rest of the request's body,
// up to 256 KB, since many clients send all of it before they read. It sends none while
// the handler waits in Read either. So an answer that must not wait for the client has
// to abandon the rest of the body, and with it the connection.

// An upload is the body of a request, which can be taken away from the handler.
type upload struct {
	io.ReadCloser

	mu    sync.Mutex // held while reading
	ended bool       // all of it was read
	over  bool       // reading must stop
}

// newUpload replaces the body of an HTTP/1 request by an upload, and returns that. It
// returns nil if the request has no body or is not over HTTP/1.
func newUpload(r *http.Request) *upload {
	if r.ProtoMajor != 1 || r.ContentLength == 0 || r.Body == nil {
		return nil
	}
	u := &upload{ReadCloser: r.Body}
	r.Body = u
	return u
}

func (u *upload) Read(p []byte) (int, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.over {
		return 0, http.ErrHandlerTimeout
	}
	n, err := u.ReadCloser.Read(p)
	u.ended = u.ended || err == io.EOF
	return n, err
}

// giveUp makes the server send what is written to w next without delay: if there is
// more of the body, reading it fails, and the connection is closed. After giveUp has
// returned, nothing below the body, such as [http.MaxBytesReader], uses w concurrently.
func (u *upload) giveUp(w http.ResponseWriter) {
	if u == nil {
		return
	}
	cut := !u.mu.TryLock() // the handler waits in Read
	if cut {
		if endReads(w) != nil {
			return // not the writer of a server
		}
		u.mu.Lock()
	}
	defer u.mu.Unlock()
	if u.ended && !cut {
		return
	}
	u.over = true
	w.Header().Set("Connection", "close")
	if !cut {
		_ = endReads(w) // nobody can handle the error
	}
}

// endReads makes the server's current and future reads from the connection fail.
func endReads(w http.ResponseWriter) error {
	return http.NewResponseController(w).SetReadDeadline(time.Now())
}
