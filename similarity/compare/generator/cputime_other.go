//go:build !unix

package generator

import "time"

// cpuTime returns 0, for the system does not tell.
func cpuTime() time.Duration { return 0 }
