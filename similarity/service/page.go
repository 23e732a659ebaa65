package service

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"net/http"
	"path"
	"strconv"
	"strings"
)

//go:embed page
var pageFiles embed.FS

// pagePolicy allows the page to use its own style and script and to send requests to this
// server, and nothing else. So the content of a text cannot do anything.
const pagePolicy = "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// pageTypes are the types of the page's files by the ends of their names.
var pageTypes = map[string]string{
	".html": "text/html; charset=utf-8",
	".css":  "text/css; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
}

// pageFile returns the endpoint that answers with a file of the page, which contains the
// limit of a body instead of MAX-BODY. It panics if the file does not exist.
func (s *Service) pageFile(name string) endpoint {
	content, err := pageFiles.ReadFile("page/" + name)
	if err != nil {
		panic(err)
	}
	content = bytes.ReplaceAll(content, []byte("MAX-BODY"), strconv.AppendInt(nil, int64(s.maxBody), 10))
	header := http.Header{
		"Content-Type":            {pageTypes[path.Ext(name)]},
		"Content-Security-Policy": {pagePolicy},
		"Referrer-Policy":         {"no-referrer"},
	}
	return static(content, header)
}

// static returns the endpoint that answers with content that does not change while the
// program runs. Clients may cache it, but must revalidate it each time.
func static(content []byte, header http.Header) endpoint {
	sum := sha256.Sum256(content)
	etag := `"` + hex.EncodeToString(sum[:16]) + `"`
	header["Etag"] = []string{etag}
	header["Cache-Control"] = []string{"no-cache"}
	header["X-Content-Type-Options"] = nosniff
	return func(x *exchange, r *http.Request) {
		h := x.Header()
		for key, value := range header {
			h[key] = value
		}
		// One of a list, weak or not: the tag is a hash of the content.
		if strings.Contains(r.Header.Get("If-None-Match"), etag) {
			x.WriteHeader(http.StatusNotModified)
			return
		}
		h["Content-Length"] = lengthValue(len(content))
		x.Write(content)
	}
}
