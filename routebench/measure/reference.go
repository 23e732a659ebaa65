package measure

import "time"

// Something that shares a core or lowers its clock slows a turn without taking the CPU
// away. So a reference loop, which always does the same work, runs before and after every
// turn. If it takes longer than at its best, the turn was slowed too, for a reason that
// does not depend on the contender.

// referenceTime returns the time of the reference loop, the shortest of three, so that
// interruptions do not count.
func referenceTime() time.Duration {
	shortest := time.Hour
	for range 3 {
		began := time.Now()
		for range 20_000 {
			referenceState ^= referenceState << 13
			referenceState ^= referenceState >> 7
			referenceState ^= referenceState << 17
		}
		shortest = min(shortest, time.Since(began))
	}
	return shortest
}

// referenceState is the data of the reference loop.
var referenceState uint64 = 1
