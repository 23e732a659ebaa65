// Score is a program of a user: it imports a package of the module similarity.
package main

import (
	"fmt"

	"github.com/muxwell/muxwell/similarity/score"
)

func main() {
	fmt.Printf("%s\n", answer(`{"text1":"a b","text2":"a c"}`))
}

func answer(body string) string {
	text, err := score.AppendAnswer(nil, []byte(body), score.ASCII)
	if err != nil {
		return err.Error()
	}
	return string(text)
}
