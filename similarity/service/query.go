package service

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/muxwell/muxwell/similarity/score"
)

// readWords returns the kind of words in the query: words=ascii, the default,
// words=unicode or words=bigrams. It refuses any other query, because a misspelled key would give a wrong
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
			return 0, &problem{Status: http.StatusBadRequest, Detail: fmt.Sprintf("unknown query parameter %q; the only one is words: ascii, unicode or bigrams", key)}
		}
	}
	names := values["words"]
	switch len(names) {
	case 0: // the query is "&"
		return score.ASCII, nil
	case 1:
		if words, err := score.ParseWords(names[0]); err == nil {
			return words, nil
		}
	}
	return 0, &problem{Status: http.StatusBadRequest, Detail: "the query parameter words must be ascii, unicode or bigrams, once; it is " + quoted(names)}
}

// quoted returns values in quotes, separated by commas.
func quoted(values []string) string {
	all := make([]string, len(values))
	for i, value := range values {
		all[i] = strconv.Quote(value)
	}
	return strings.Join(all, ", ")
}
