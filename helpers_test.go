package muxwell

import (
	"github.com/muxwell/muxwell/internal/tests/muxtest"
)

// What the tests in this package share with those below internal/tests.

const (
	raceEnabled = muxtest.RaceEnabled
	safeBuild   = muxtest.SafeBuild
)

var (
	newBenchRequest   = muxtest.NewRequest
	requestOf         = muxtest.RequestOf
	matcherRequest    = muxtest.MatcherRequest
	answerTo          = muxtest.AnswerTo
	matchOf           = muxtest.MatchOf
	bodies            = muxtest.Bodies
	recovered         = muxtest.Recovered
	here              = muxtest.Here
	skipUnderRace     = muxtest.SkipUnderRace
	says              = muxtest.Says
	ok                = muxtest.OK
	mark              = muxtest.Mark
	loadRoutes        = muxtest.Routes
	scaleRoutes       = muxtest.ScaleRoutes
	adversarialRoutes = muxtest.AdversarialRoutes
	genPattern        = muxtest.RandomPattern
	genRequest        = muxtest.RandomRequest
	genRequestFor     = muxtest.RandomRequestFor
	answerLine        = muxtest.AnswerLine
)

// newMuxOf returns a mux that answers 200 to what the patterns match.
func newMuxOf(patterns []string, options ...Option) *Mux {
	return muxtest.MuxOf(New, patterns, options...)
}
