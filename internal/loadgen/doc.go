// Package loadgen has what load generators have in common that are child processes of
// the programs that measure: the child, its orders and reports, and reading the headers
// of answers with as little work as possible.
package loadgen
