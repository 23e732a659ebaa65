package middleware

import (
	"io"
	"net/http"
	"sync"
	"time"
)

// An HTTP/1 server sends no headers before it has read what is left of the request's
// body, up to 256 KB, since many clients send all of it before they read. Nor does it
// while the handler waits in Read. So an answer that must not wait for the client has
// to give up the rest of the body, and with it the connection.

// An upload is the body of a request, which can be taken from the handler.
type upload struct {
	io.ReadCloser

	mu    sync.Mutex // held while reading
	ended bool       // all of it was read
	over  bool       // no more of it is to be read
}

// newUpload puts an upload into a request over HTTP/1 that has a body, and returns
// it, or nil.
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

// giveUp lets what is sent to w next be sent at once: if there is more of the body,
// reading it fails, and the connection ends. When it returns, nothing that stands
// under the body, as [http.MaxBytesReader], uses w behind the caller's back.
func (u *upload) giveUp(w http.ResponseWriter) {
	if u == nil {
		return
	}
	cut := !u.mu.TryLock() // the handler waits in Read
	if cut {
		if endReads(w) != nil {
			return // w is not a server's
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
		_ = endReads(w) // there is nobody to tell
	}
}

// endReads makes the server's reads from the connection fail, now and later.
func endReads(w http.ResponseWriter) error {
	return http.NewResponseController(w).SetReadDeadline(time.Now())
}
