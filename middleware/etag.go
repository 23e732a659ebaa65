package middleware

import (
	"crypto/sha256"
	"encoding/base64"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// ETagOptions are the options of [ETag].
type ETagOptions struct {
	// MaxBytes is the length of the longest body that is buffered. If it is 0, it is 1
	// MiB.
	MaxBytes int
}

// ETag adds an entity tag, a hash of the body, to answers. It answers 304 without a
// body to clients that already have it: their If-None-Match lists it (RFC 9110
// §13.1.2), compared weakly, or is *. It saves bandwidth, not the handler's work. o may
// be nil.
//
// ETag buffers the body until the handler returns. It does so only for answers with
// status 200 to GET and HEAD. It stops buffering and sends what it has when the handler
// writes more than MaxBytes or flushes. It does not buffer at all if the handler sets
// Etag, Trailer or Cache-Control: no-store, or if the request asks to switch to another
// protocol. If the handler writes no body for a HEAD request, there is nothing to hash.
//
// The tag is strong: it is SHA-256, cut to 128 bits, of the bytes that the handler
// wrote. So put ETag outside of middleware that compresses. Safe: nothing is kept
// between requests, and at most MaxBytes during one.
//
// Headers that the handler sets after it has written still take effect while the body
// is buffered. If the handler panics, nothing of the buffer is sent. ETag panics if
// MaxBytes is negative.
func ETag(o *ETagOptions) func(http.Handler) http.Handler {
	if o == nil {
		o = &ETagOptions{}
	}
	notNegative("ETag", "MaxBytes", int64(o.MaxBytes))
	limit := orDefault(o.MaxBytes, 1<<20)
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method != http.MethodGet && r.Method != http.MethodHead || len(r.Header["Upgrade"]) > 0 {
				next.ServeHTTP(w, r)
				return
			}
			b := &flushKeeper{bodyKeeper{w: w, limit: limit}}
			if _, ok := w.(http.Flusher); ok {
				next.ServeHTTP(b, r)
			} else {
				next.ServeHTTP(&b.bodyKeeper, r)
			}
			b.finish(r)
		})
	}
}

// A bodyKeeper buffers a body until it steps aside.
type bodyKeeper struct {
	w      http.ResponseWriter
	limit  int
	status int // 0 before it is known
	body   []byte
	aside  bool
}

func (b *bodyKeeper) Header() http.Header { return b.w.Header() }

// Unwrap is for [http.ResponseController].
func (b *bodyKeeper) Unwrap() http.ResponseWriter { return b.w }

func (b *bodyKeeper) WriteHeader(status int) {
	switch {
	case b.aside || !isFinal(status):
		b.w.WriteHeader(status)
	case b.status != 0: // superfluous; the first one is used
	default:
		b.status = status
		if status != http.StatusOK || !b.validates() {
			_ = b.stepAside() // there is no body yet that could fail
		}
	}
}

// validates reports whether a response with such headers may be given an entity tag.
func (b *bodyKeeper) validates() bool {
	h := b.w.Header()
	if h["Etag"] != nil || h["Trailer"] != nil || slices.ContainsFunc(h["Cache-Control"], forbidsStoring) {
		return false
	}
	length := h.Get("Content-Length")
	if length == "" {
		return true
	}
	n, err := strconv.Atoi(length)
	return err == nil && n <= b.limit
}

// forbidsStoring reports whether a line of Cache-Control has no-store.
func forbidsStoring(line string) bool {
	return strings.Contains(strings.ToLower(line), "no-store")
}

func (b *bodyKeeper) Write(p []byte) (int, error) {
	if b.status == 0 {
		b.WriteHeader(http.StatusOK)
	}
	if !b.aside && len(p) > b.limit-len(b.body) {
		if err := b.stepAside(); err != nil {
			return 0, err
		}
	}
	if b.aside {
		return b.w.Write(p)
	}
	b.body = append(b.body, p...)
	return len(p), nil
}

// ReadFrom leaves the copying to the server's writer, if b is aside.
func (b *bodyKeeper) ReadFrom(src io.Reader) (int64, error) {
	if to, ok := b.w.(io.ReaderFrom); ok && b.aside {
		return to.ReadFrom(src)
	}
	return io.Copy(onlyWriter{b}, src)
}

// stepAside sends what was buffered. From then on everything is passed through.
func (b *bodyKeeper) stepAside() error {
	b.aside = true
	b.w.WriteHeader(b.status)
	if len(b.body) == 0 {
		return nil
	}
	body := b.body
	b.body = nil
	_, err := b.w.Write(body)
	return err
}

// FlushError is for [http.ResponseController], which would otherwise flush past b.
func (b *bodyKeeper) FlushError() error {
	if !b.aside {
		if b.status == 0 {
			b.status = http.StatusOK
		}
		if err := b.stepAside(); err != nil {
			return err
		}
	}
	return http.NewResponseController(b.w).Flush()
}

// finish sends the answer after the handler has returned.
func (b *bodyKeeper) finish(r *http.Request) {
	if b.aside || b.status == 0 && !b.validates() {
		return
	}
	h := b.w.Header()
	if r.Method == http.MethodHead && len(b.body) == 0 || !b.isWhole(h) {
		b.status = http.StatusOK
		_ = b.stepAside() // the handler has returned, so nobody can handle the error
		return
	}
	tag := tagOf(b.body)
	lines := [...]string{tag, strconv.Itoa(len(b.body))}
	h["Etag"] = lines[:1:1]
	if matchesTag(r.Header["If-None-Match"], tag) {
		for _, name := range []string{"Content-Type", "Content-Length", "Content-Encoding"} {
			h.Del(name)
		}
		b.w.WriteHeader(http.StatusNotModified)
		return
	}
	h["Content-Length"] = lines[1:]
	b.w.WriteHeader(http.StatusOK)
	_, _ = b.w.Write(b.body) // as above
}

// isWhole reports whether the body has the length that the handler announced.
func (b *bodyKeeper) isWhole(h http.Header) bool {
	length := h["Content-Length"]
	return len(length) == 0 || length[0] == strconv.Itoa(len(b.body))
}

// A flushKeeper is a bodyKeeper around a writer that has Flush.
type flushKeeper struct{ bodyKeeper }

func (b *flushKeeper) Flush() { _ = b.FlushError() }

// tagOf returns the entity tag of a body, with its quotation marks.
func tagOf(body []byte) string {
	sum := sha256.Sum256(body)
	var tag [24]byte
	tag[0], tag[23] = '"', '"'
	base64.RawURLEncoding.Encode(tag[1:23], sum[:16])
	return string(tag[:])
}

// matchesTag reports whether a list has a tag, compared weakly: without W/. The rest of
// a line after something malformed is ignored:
//
//	If-None-Match = "*" / #entity-tag
//	entity-tag    = [ "W/" ] DQUOTE *etagc DQUOTE
func matchesTag(lines []string, tag string) bool {
	for _, line := range lines {
		if strings.Trim(line, " \t") == "*" {
			return true
		}
		for {
			line = strings.TrimLeft(line, " \t,")
			line = strings.TrimPrefix(line, "W/")
			if !strings.HasPrefix(line, `"`) {
				break
			}
			end := strings.IndexByte(line[1:], '"')
			if end < 0 {
				break
			}
			end += 2
			if line[:end] == tag {
				return true
			}
			if line = strings.TrimLeft(line[end:], " \t"); line != "" && line[0] != ',' {
				break
			}
		}
	}
	return false
}
