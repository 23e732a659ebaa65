// Package generator loads a service with connections that repeatedly send a request
// and wait for its answer.
//
// It runs in a separate process, so that its CPU time is not part of that of the measuring
// program and it can have its own core. The process runs the same program with an environment
// variable that selects the generator; main must call [Child] first. It reads orders from its
// standard input and writes reports to its standard output, one line of JSON each:
//
//	Order ──► connect to the target, if there is one; load it for a time ──► Report
//
// It ends at the end of its input, and therefore with the process that started it.
//
// Requests are prepared bytes, sent on raw connections, and only the status and the length of
// an answer are parsed. The generator must have less work per request than the service;
// otherwise the measurement would be of the generator. [Report.CPU] shows whether it has. The
// length of every answer is checked, and of one answer in [Sampled] the body.
package generator
