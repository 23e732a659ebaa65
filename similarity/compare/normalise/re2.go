package normalise

import (
	"strings"
	"sync"

	"github.com/wasilibs/go-re2"
)

// RE2 is compiled on first use, because that starts a WebAssembly runtime.
var re2Expressions = sync.OnceValue(func() [2]*re2.Regexp {
	return [2]*re2.Regexp{re2.MustCompile(othersPattern), re2.MustCompile(spacesPattern)}
})

func byRE2(text string) string {
	e := re2Expressions()
	return e[1].ReplaceAllString(e[0].ReplaceAllString(strings.ToLower(text), ""), " ")
}
