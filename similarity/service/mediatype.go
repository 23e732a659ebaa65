package service

import (
	"fmt"
	"mime"
	"net/http"
	"strings"
)

var identity = []string{"identity"}

// checkBody returns a problem if the headers of a request's body are invalid. Content-Type
// must be application/json or missing; its parameters may be anything except a charset other
// than UTF-8. Content-Encoding must be identity or missing.
func checkBody(h http.Header) error {
	if codings := h["Content-Encoding"]; len(codings) > 0 && !(len(codings) == 1 && strings.EqualFold(codings[0], "identity")) {
		return &problem{
			Status: http.StatusUnsupportedMediaType, Detail: fmt.Sprintf("the body is encoded with %s; send it without an encoding", quoted(codings)),
			header: "Accept-Encoding", value: identity,
		}
	}
	types := h["Content-Type"]
	switch {
	case len(types) == 0, len(types) == 1 && (types[0] == "application/json" || types[0] == "application/json; charset=utf-8"):
		return nil
	case len(types) > 1:
		return wrongType(types)
	}
	mediaType, params, err := mime.ParseMediaType(types[0])
	charset, given := params["charset"]
	if err != nil || mediaType != "application/json" || given && !strings.EqualFold(charset, "utf-8") {
		return wrongType(types)
	}
	return nil
}

var acceptJSON = []string{"application/json"}

func wrongType(types []string) error {
	return &problem{
		Status: http.StatusUnsupportedMediaType, Detail: fmt.Sprintf("the Content-Type is %s; it must be application/json in UTF-8", quoted(types)),
		header: "Accept-Post", value: acceptJSON,
	}
}
