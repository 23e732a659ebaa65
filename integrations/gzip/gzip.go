// Package gzip compresses answers with zstd or gzip, with
// github.com/klauspost/compress/gzhttp.
//
// Put it inside of Log, Metrics and Recover, so that they see the bytes that are sent, and
// around the routes that answer with text:
//
//	compress, err := gzip.New()
//	…
//	m.Use(middleware.Log(logger, nil), middleware.Recover(logger))
//	m.With(compress).Get("/report", report)
//
// Notes:
//
//   - Validators. A strong ETag set by a handler would identify both the plain and the
//     compressed bytes, which RFC 9110 §8.8.1 does not allow. The library's SuffixETag
//     makes two ETags of it, but no handler recognizes the one with the suffix, so a 304 is
//     never sent. Therefore the ETags of handlers are made weak, such as that of
//     [muxwell.Mux.Files] for an embed.FS: W/"…". For answers without one New puts
//     [middleware.ETag] around the compression, which hashes the bytes that are sent.
//   - Files that are compressed already, as [muxwell.Precompressed] serves them, have a
//     Content-Encoding. They are sent unchanged, with their ETag. The command in the
//     directory precompress compresses files in the build.
//   - Ranges. An answer with Content-Range is not compressed. A compressed answer has no
//     Accept-Ranges. So no client combines the two.
//   - Event streams are not compressed, because each would occupy a compressor while it
//     lasts. A Flush before the first byte does nothing: the headers are sent with the
//     first event.
//   - Secrets. If a page contains both a secret and text that the client sent, its
//     compressed length can reveal the secret (BREACH). The handler of such a page should
//     set [gzhttp.HeaderNoCompression].
package gzip

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/klauspost/compress/gzhttp"
	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/middleware"
)

// New returns middleware that compresses answers of 1 KiB and more for clients that accept
// it, and adds an ETag to answers that have at most 1 MiB after compression. It does not
// compress audio, video, JPEG and archives, which it recognizes by their Content-Type.
func New() (muxwell.Middleware, error) {
	compress, err := gzhttp.NewWrapper(gzhttp.ContentTypeFilter(compressible))
	if err != nil {
		return nil, fmt.Errorf("gzip: %w", err)
	}
	etag := middleware.ETag(nil)
	return func(next http.Handler) http.Handler { return etag(compress(weakETag(next))) }, nil
}

// weakETag makes the ETags of a handler weak, except those of bodies that it encodes
// itself.
func weakETag(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if len(r.Header["Upgrade"]) == 0 { // which needs the writer itself
			w = &weakETagWriter{ResponseWriter: w}
		}
		next.ServeHTTP(w, r)
	})
}

type weakETagWriter struct {
	http.ResponseWriter
	begun bool
}

func (w *weakETagWriter) WriteHeader(status int) {
	w.begun = w.begun || status >= 200
	h := w.Header()
	if tag := h.Get("ETag"); strings.HasPrefix(tag, `"`) && h.Get("Content-Encoding") == "" {
		h.Set("ETag", "W/"+tag)
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *weakETagWriter) Write(p []byte) (int, error) {
	if !w.begun {
		w.WriteHeader(http.StatusOK)
	}
	return w.ResponseWriter.Write(p)
}

func (w *weakETagWriter) Flush() { _ = http.NewResponseController(w.ResponseWriter).Flush() }

// Unwrap is for [http.ResponseController].
func (w *weakETagWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func compressible(contentType string) bool {
	return gzhttp.DefaultContentTypeFilter(contentType) && !strings.HasPrefix(contentType, "text/event-stream")
}
