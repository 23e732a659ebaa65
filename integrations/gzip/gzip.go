// Package gzip compresses answers with zstd or gzip, with
// github.com/klauspost/compress/gzhttp.
//
// Put it inside of Log, Metrics and Recover, which then see the bytes that were sent,
// and around the routes that answer with text:
//
//	compress, err := gzip.New()
//	…
//	m.Use(middleware.Log(logger, nil), middleware.Recover(logger))
//	m.With(compress).Get("/report", report)
//
// Notes:
//
//   - Validators. A strong ETag that a handler sets would name both the plain and the compressed
//     bytes, which RFC 9110 §8.8.1 does not allow. The library's SuffixETag makes two tags, but
//     no handler recognizes the one with the suffix, so a 304 is never sent. So New puts
//     [middleware.ETag] around the compression: it hashes the bytes that are sent. A handler with
//     its own validators should set weak ones, W/"…", or Last-Modified, as [muxwell.Mux.Files]
//     does.
//   - Ranges. An answer with Content-Range is passed on unchanged, and a compressed answer has no
//     Accept-Ranges, so no client combines the two.
//   - Event streams are not compressed, since each would need a compressor as long as it lasts. A
//     Flush before the first byte does nothing: the headers are sent with the first event.
//   - Secrets. If a page contains both a secret and text that the client sent, its compressed
//     length reveals the secret (BREACH). Its handler should set [gzhttp.HeaderNoCompression].
package gzip

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/klauspost/compress/gzhttp"
	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/middleware"
)

// New returns middleware that compresses answers of 1 KiB and more for clients that
// accept it, and adds an ETag to answers of up to 1 MiB, as sent. Audio, video, JPEG
// and archives are recognized by their Content-Type and not compressed.
func New() (muxwell.Middleware, error) {
	compress, err := gzhttp.NewWrapper(gzhttp.ContentTypeFilter(compressible))
	if err != nil {
		return nil, fmt.Errorf("gzip: %w", err)
	}
	etag := middleware.ETag(nil)
	return func(next http.Handler) http.Handler { return etag(compress(next)) }, nil
}

func compressible(contentType string) bool {
	return gzhttp.DefaultContentTypeFilter(contentType) && !strings.HasPrefix(contentType, "text/event-stream")
}
