//go:build !unix

package generator

import "time"

// cpuTime returns 0, because the system does not report it.
func cpuTime() time.Duration { return 0 }
