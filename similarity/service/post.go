package service

import (
	"errors"
	"net/http"
	"strconv"

	"github.com/muxwell/muxwell/similarity/score"
)

// An answerer appends the answer to a body to dst, as JSON. The error is a
// *score.SyntaxError. It may change the body.
type answerer func(dst, body []byte, words score.Words) ([]byte, error)

// post returns the endpoint that reads two texts and sends the answer of an answerer.
func (s *Service) post(answer answerer) endpoint {
	return func(x *exchange, r *http.Request) {
		if !s.slots.take() {
			s.refuse(x, full())
			return
		}
		defer s.slots.free()
		b := pool.Get().(*buffers)
		defer b.release()
		err := s.answer(b, x, r, answer)
		if err == errGone { //nolint:errorlint // nobody wraps it
			x.abort()
			return
		}
		if err != nil {
			s.refuse(x, problemOf(err))
			return
		}
		b.write(x)
	}
}

// largeBody is the size above which a body waits for its turn. Its words can take some tens
// of times the memory of the body, if they are short and all different. So at most as many
// large bodies are compared at the same time as there are processors.
const largeBody = 64 << 10

// answer checks and reads a request and writes its answer to b.answer.
func (s *Service) answer(b *buffers, x *exchange, r *http.Request, answer answerer) error {
	words, err := readWords(r.URL.RawQuery)
	if err != nil {
		return err
	}
	if err := checkBody(r.Header); err != nil {
		return err
	}
	if err := b.readBody(x, r, s.maxBody); err != nil {
		return err
	}
	if len(b.body) > largeBody {
		if !s.turns.takeTurn(r.Context()) {
			return errGone
		}
		defer s.turns.free()
	}
	b.answer, err = answer(b.answer[:0], b.body, words)
	return err
}

// write sends the answer.
func (b *buffers) write(x *exchange) {
	h := x.Header()
	h["Content-Type"] = jsonType
	h["Content-Length"] = lengthValue(len(b.answer))
	x.Write(b.answer)
}

// lengths are the values of Content-Length for short answers.
var lengths = func() (values [256][]string) {
	for n := range values {
		values[n] = []string{strconv.Itoa(n)}
	}
	return values
}()

func lengthValue(n int) []string {
	if n < len(lengths) {
		return lengths[n]
	}
	return []string{strconv.Itoa(n)}
}

// problemOf returns the problem for an error.
func problemOf(err error) *problem {
	if syntax, ok := errors.AsType[*score.SyntaxError](err); ok {
		return &problem{Status: http.StatusBadRequest, Detail: syntax.Reason, Offset: &syntax.Offset}
	}
	if p, ok := errors.AsType[*problem](err); ok {
		return p
	}
	panic(err)
}
