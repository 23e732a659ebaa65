package service

import (
	"fmt"
	"net/http"
	"net/url"

	"github.com/muxwell/muxwell/similarity/score"
)

// readWords returns the kind of words in the query: words=ascii, the default, or
// words=unicode. It refuses any other query, because a misspelled key would give a wrong
// answer that looks right.
func readWords(query string) (score.Words, error) {
	switch query {
	case "", "words=ascii":
		return score.ASCII, nil
	case "words=unicode":
		return score.Unicode, nil
	}
	values, err := url.ParseQuery(query)
	if err != nil {
		return 0, &problem{Status: http.StatusBadRequest, Detail: "the query cannot be read: " + err.Error()}
	}
	for key := range values {
		if key != "words" {
			return 0, &problem{Status: http.StatusBadRequest, Detail: fmt.Sprintf("unknown query parameter %q; the only one is words, ascii or unicode", key)}
		}
	}
	words := values["words"]
	switch {
	case len(words) == 0: // the query is "&"
		return score.ASCII, nil
	case len(words) == 1 && words[0] == "ascii":
		return score.ASCII, nil
	case len(words) == 1 && words[0] == "unicode":
		return score.Unicode, nil
	}
	return 0, &problem{Status: http.StatusBadRequest, Detail: fmt.Sprintf("the query parameter words is %q; it must be ascii or unicode, once", words)}
}
