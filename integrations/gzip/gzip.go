// Package gzip compresses answers, as zstd or gzip, with
// github.com/klauspost/compress/gzhttp.
//
// It stands inside of Log, Metrics and Recover, which then see the bytes that were
// sent, and around the routes that answer with text:
//
//	compress, err := gzip.New()
//	…
//	m.Use(middleware.Log(logger, nil), middleware.Recover(logger))
//	m.With(compress).Get("/report", report)
//
// What to know of it:
//
//   - Validators. A strong ETag that a handler sets would name both the plain bytes and
//     the compressed ones, which RFC 9110 §8.8.1 does not allow. The library's
//     SuffixETag makes two of it, but no handler knows the one with the suffix again,
//     and a 304 is never sent. So New puts [middleware.ETag] around the compression: it
//     hashes what is sent. A handler that has validators of its own sets weak ones,
//     W/"…", or Last-Modified, as [muxwell.Mux.Files] does.
//   - Ranges. An answer with Content-Range is passed as it is, and one that is
//     compressed has no Accept-Ranges, so no client puts the two together.
//   - Event streams are not compressed, since each would hold a compressor for as long
//     as it lasts. A Flush before the first byte does nothing: the headers are sent with
//     the first event.
//   - Secrets. Where a page shows both a secret and what the client sent, its length
//     tells the secret (BREACH). Such a handler sets [gzhttp.HeaderNoCompression].
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
// accept it, and gives answers of up to 1 MiB, as they are sent, an ETag. Audio,
// video, JPEG and archives, by their Content-Type, are left as they are.
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
