package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"time"

	"github.com/muxwell/muxwell/similarity/compare/original"
	"github.com/muxwell/muxwell/similarity/load"
	"github.com/muxwell/muxwell/similarity/score"
)

// cases are bodies that are sent once, in addition to those of the load.
var cases = []string{
	`{"text1":"","text2":""}`,
	`{"text1":"","text2":"a"}`,
	`{"text1":"?!","text2":" \t\r\n\f"}`,
	`{"text1":"a b","text2":"a c"}`,
	`{"text1":"a a a b","text2":"a b b b"}`,
	`{"text2":"Don't  STOP","text1":"dont stop"}`,
	`{"text1":"\u212aelvin D\u0130G caf\u00e9 a\u000bb \ud83d\ude00","text2":"kelvin dig caf ab"}`,
	"{\"text1\":\"\u212aelvin \u0130\u0130 \u00e9t\u00e9\u2003x\",\"text2\":\"kelvin ii tx\"}",
	` { "text1" : "snake_case 42" , "text2" : "Snake_Case\r\n42 \"quoted\" back\\slash" } `,
	`{"text1":"wordsOfSixteen16 wordsOfSeventeen_","text2":"WordsOfSixteen16 wordsOfSeventeen_ wordsOfSeventeen_x"}`,
}

// A question is a body with its right answer.
type question struct {
	body   []byte
	texts  score.Request
	result score.Result
}

// questions returns bodies with their right answers, which are those of package score.
func questions(bodies [][]byte) ([]question, error) {
	var all []question
	for _, body := range bodies {
		texts, err := score.Scan(bytes.Clone(body))
		if err != nil {
			return nil, fmt.Errorf("a body is not a valid request: %w", err)
		}
		all = append(all, question{body, texts, score.Compare(texts.Text1, texts.Text2, score.ASCII)})
	}
	return all, nil
}

// check checks all answers of all services, and excludes services with a wrong answer.
func (s *session) check(ctx context.Context) error {
	bodies := load.Bodies(s.kind, s.distinct, s.seed)
	for _, c := range cases {
		bodies = append(bodies, []byte(c))
	}
	all, err := questions(bodies)
	if err != nil {
		return err
	}
	for _, c := range s.contenders {
		s.p.now(0, "checking %s", c.name)
		answers, err := c.check(ctx, all)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			s.leaveOut(c, err)
			continue
		}
		c.answers = answers[:s.distinct]
	}
	s.bodies = bodies[:s.distinct]
	return s.someLeft()
}

// check starts the service, sends all questions and returns the answers.
func (c *contender) check(ctx context.Context, all []question) ([][]byte, error) {
	p, err := startProcess(ctx, c.program, c.args, anyCore)
	if err != nil {
		return nil, err
	}
	answers, err := ask(ctx, p.url.JoinPath("similarity").String(), all, c.name != floor)
	if ended := p.stop(); err == nil {
		err = ended
	}
	return answers, err
}

// ask returns the answers of a service. If check is set, a wrong answer is an error.
func ask(ctx context.Context, url string, all []question, check bool) ([][]byte, error) {
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport, Timeout: 10 * time.Second}
	var answers [][]byte
	for _, q := range all {
		answer, err := post(ctx, client, url, q.body)
		if err == nil && check {
			err = q.check(answer)
		}
		if err != nil {
			return nil, fmt.Errorf("request %.200q: %w", q.body, err)
		}
		answers = append(answers, answer)
	}
	return answers, nil
}

// post sends a body and returns the answer.
func post(ctx context.Context, client *http.Client, url string, body []byte) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("status %d: %s", response.StatusCode, bytes.TrimSpace(answer))
	}
	return answer, nil
}

// check returns an error if an answer is wrong. It compares numbers by value, not by their
// notation.
func (q *question) check(answer []byte) error {
	var got struct {
		Similarity     *float64
		Interpretation *string
		Hint           string
	}
	d := json.NewDecoder(bytes.NewReader(answer))
	d.DisallowUnknownFields()
	if err := d.Decode(&got); err != nil || got.Similarity == nil || got.Interpretation == nil {
		return fmt.Errorf("the answer is %.200q, which has no similarity and interpretation", answer)
	}
	if *got.Interpretation != original.Interpretation(*got.Similarity) || !q.agrees(*got.Similarity) {
		return fmt.Errorf("the answer is %s, want %s", bytes.TrimSpace(answer), q.result.AppendJSON(nil))
	}
	return nil
}

// agrees reports whether a similarity is right. If the exact value is halfway between two
// thousandths, either is accepted, because sums of floats may be off.
func (q *question) agrees(similarity float64) bool {
	if similarity == q.result.Similarity() {
		return true
	}
	exact := 1000 * original.Regexp.Cosine(string(q.texts.Text1), string(q.texts.Text2))
	_, part := math.Modf(exact)
	return math.Abs(part-0.5) < 1e-6 && math.Abs(1000*similarity-exact) < 0.51
}
