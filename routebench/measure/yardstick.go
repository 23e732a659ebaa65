package measure

import "time"

// What shares a core, or lowers its clock, slows a turn without taking the CPU
// away. So a yardstick is laid beside every turn: a loop that always does the same.
// Where it takes longer than it did at its best the turn was slowed as well, for a
// reason that is none of the contender's.

// yardstick returns how long the loop takes, which is the shortest of three times,
// so that what interrupts it does not count.
func yardstick() time.Duration {
	shortest := time.Hour
	for range 3 {
		began := time.Now()
		for range 20_000 {
			wood ^= wood << 13
			wood ^= wood >> 7
			wood ^= wood << 17
		}
		shortest = min(shortest, time.Since(began))
	}
	return shortest
}

// wood is what the yardstick works on.
var wood uint64 = 1
