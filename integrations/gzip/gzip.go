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
//     never sent. Therefore New puts [middleware.ETag] around the compression, which hashes
//     the bytes that are sent. A handler with its own validators should set weak ones,
//     W/"…", or Last-Modified, as [muxwell.Mux.Files] does.
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
	return func(next http.Handler) http.Handler { return etag(compress(next)) }, nil
}

func compressible(contentType string) bool {
	return gzhttp.DefaultContentTypeFilter(contentType) && !strings.HasPrefix(contentType, "text/event-stream")
}
