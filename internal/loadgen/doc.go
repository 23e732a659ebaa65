// Package loadgen helps to write load generators that run as child processes. It starts
// the child, passes orders and reports, and reads the headers of answers with as little
// work as possible.
package loadgen
