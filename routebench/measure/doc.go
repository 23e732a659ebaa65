// Package measure measures functions ([Turns]), whole servers ([Server]) and the
// memory of routing structures ([Memory]).
//
// # Turns
//
// The speed of a machine changes: other programs run, and the clock of the CPU depends on
// its temperature. Measurements a minute apart are not comparable, however long they
// take. So the contenders take turns of some hundredths of a second inside one process, in
// rounds, in an order that is shuffled for each round. A disturbance that lasts longer than
// a round affects all contenders alike, and which contender follows which is random. Each
// turn is one sample. Reports show the median of the samples with its 95 % confidence
// interval, and whether a difference is statistically significant.
//
// A turn has these steps:
//
//  1. The contender is created again, if [Contender].Fresh is set. The place of a router in
//     the heap changes its times, by up to 18 % in an experiment, in every round alike.
//     Samples of a single copy do not show this: the same router, loaded twice, differed at
//     a significance of 5 % in 14 of 136 comparisons. With a new copy for each turn, it
//     differed in 7 of 120, which is what 5 % means.
//  2. All garbage is collected, so no contender pays for the garbage of another.
//  3. The contender warms up. It has the caches and the branch predictor to itself, as in a
//     benchmark that runs alone. In a large program it does not, so all routers are
//     somewhat slower there.
//  4. It serves requests for a slice. Meanwhile the process only reads the clock, a hundred
//     times per slice; no other goroutine of the comparison runs.
//
// The number of requests in a slice is determined before the first round. This also warms
// up what the first requests build.
//
// A turn that was disturbed is repeated at the end of its round, and the better of the two
// counts. There are two signs of a disturbance. Either the process had no CPU for a tenth of
// the turn (on systems that report this precisely enough: not on Windows). Or a reference
// loop, which always does the same work, took a tenth longer than at its best before or
// after the turn, which means that something shares the core or lowers its clock. Neither
// sign depends on the result of the contender, so none is favored. On a machine that is
// never quiet, at most every second turn is repeated. The intervals are wide then, and
// [Noise] reports it.
//
// # Garbage
//
// Go collects garbage when the heap has grown to twice the size that was live after the last
// collection. A slice that begins with a fresh heap may be over before that, and a contender
// that allocates would not pay for its garbage. In an experiment with 384 B and three objects
// per request, a slice without a collection took 228 ns per request, and a long run 415 ns.
// So contenders that allocate are measured over whole cycles of the collector. The slice
// begins when a collection has just ended. After its time it continues until another
// collection ends, but for at most eight slices. The median with slices of 20 ms is within
// 1 % of that with slices of 500 ms.
//
// A forced collection is a worse start: in the experiment, the cycle after it was up to 9 %
// too slow. It is used anyway if a cycle takes longer than a slice. To wait for a collection
// would double the time, and collections are a small share of it there.
//
// A contender that allocates so slowly that eight slices see no collection is not charged
// for any. A warning states the minimum by which its time is too short, which is the time of
// the fastest collection.
//
// The cost of a collection grows with the live heap, and so does the amount of garbage per
// collection. So the cost per byte of garbage is about the same in a small process and in a
// large one, unless GOGC is changed. Keep the process small nevertheless, because its cycles
// and therefore its turns are shorter.
//
// At GOMAXPROCS=1, collections take all their time from the contender. With more, they run on
// other cores first. Then they cost a contender with one goroutine less than they would cost
// a server under full load. Parallel contenders keep all cores busy and pay in full.
//
// Bytes and allocations are counted around the slice, for the whole process, and divided by
// the number of operations without remainder, as go test does. So the few allocations of the
// runtime itself do not show, unless a slice has only few operations.
//
// # Servers
//
// A child process loads a server over loopback, with connections that are kept alive. The
// number to compare is the CPU time of this process: user and system mode, including
// sockets. The generator and the server share the cores, so requests per second are what
// this machine achieves when it does both.
//
// The loop is closed: a connection sends its next request when it has the answer to the
// previous one. This measures the capacity of a server. Independent clients behave
// differently, because they do not wait for each other. While a server stalls, a closed loop
// sends nothing, so the requests that would have waited are missing from the latencies
// (coordinated omission). Latencies are also those at full load, where a request mostly
// waits for the other connections. So p50 and p99 compare servers under equal conditions.
// They do not predict the latencies of clients at a lower load.
//
// # Limits
//
// Two programs that differ only in where the linker put their code may differ by some
// percent, in every round. Statistics cannot detect that. And the handlers do next to
// nothing: [Server] shows which share of a real server's request is routing.
package measure
