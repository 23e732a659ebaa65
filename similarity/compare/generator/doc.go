// Package generator makes the load of a service: connections that send a request each
// and wait for its answer, over and over.
//
// It runs in a process of its own, so that its CPU time is not that of the program that
// measures and it can have a core to itself. The process is the same program, told by an
// environment variable what it is; main calls [Child] first of all. Orders go to its
// standard input and reports come from its standard output, a line of JSON each:
//
//	Order ──► connect to the target, if there is one; load it for a time ──► Report
//
// It ends with its input, and therefore with the process that started it.
//
// Requests are bytes that are ready to be sent, on raw connections, and of an answer only
// the status and the length are read: the generator must have less work with a request
// than the service, or it would be the generator that is measured. [Report.CPU] shows
// whether that is so. The body of an answer is compared with the right one for each
// answer of whose number [Sampled] is a divisor; its length is checked for all.
package generator
