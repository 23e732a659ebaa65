// Package measure measures what serves requests: functions ([Turns]), whole servers
// ([Server]) and what routing structures cost to keep ([Memory]).
//
// # Turns
//
// A machine does not stay as fast as it is. Other programs come and go, and the
// clock of the CPU follows its temperature. What is measured a minute apart cannot
// be compared, however long it is measured. So the contenders take turns of some
// hundredths of a second inside one process, in rounds, in an order that is
// shuffled for each round: what disturbs for longer than a round disturbs all
// alike, and who runs behind whom is chance. Each turn is one sample. Reports show
// the median of the samples and its 95 % confidence interval, and whether a
// difference is larger than chance makes it.
//
// A turn goes like this:
//
//  1. The contender is made anew, if it says how ([Contender].Fresh). Where the heap
//     has put a router changes its times, by up to 18 % in an experiment, in every
//     round alike. Samples of one copy say nothing of that: of the same router, loaded
//     twice, they differed at a significance of 5 % in 14 of 136 comparisons. Those of
//     a copy for each turn differed in 7 of 120, which is what 5 % means.
//  2. All garbage is collected, so that no contender pays for that of another.
//  3. The contender warms up: it has the caches and the branch predictor to itself,
//     as in a benchmark that runs alone. A large program does not leave it that, so
//     that all routers are somewhat slower there.
//  4. It serves for a slice. In between nothing else is done than to look at the
//     clock, a hundred times a slice; no goroutine of the comparison itself runs.
//
// How many requests fill a slice is found out before the first round. That also
// warms up what the first requests build.
//
// A turn that was disturbed is repeated at the end of its round, and the better of
// the two counts. It was disturbed if the process had no CPU for a tenth of it
// (where the system tells that finely: not on Windows), or if a yardstick, a loop
// that always does the same, took a tenth longer before or behind it than at its
// best: so shows what shares a core or lowers its clock. Neither asks how the
// contender fared, so that none is favoured. On a machine that is never quiet at
// most every second turn is repeated; the intervals get wide then, and [Noise]
// says so.
//
// # Garbage
//
// Go collects garbage when the heap has grown to twice of what was alive after the
// last time. A slice that begins with a fresh heap may be over before that, and a
// contender that allocates would not pay for it: in an experiment with 384 B and
// three objects for each request, a slice without a collection had 228 ns a request
// where the long run has 415 ns. So what allocates is measured over whole cycles of
// the collector. Its slice begins where a collection has just ended, and goes on,
// when its time is over, until another one ends; but for eight slices at most. With
// slices of 20 ms the median of that is within 1 % of the one with slices of
// 500 ms.
//
// A collection that was forced makes a worse beginning, for the cycle behind it was
// up to 9 % too slow in the experiment. It is the beginning all the same where a
// cycle takes longer than a slice: to wait for a collection first would double the
// time, and collections are a small share of it there.
//
// A contender that allocates so slowly that eight slices see no collection is not
// charged for any. A warning says by how much its time is too short at the least:
// by as much as the quickest collection takes.
//
// What a collection costs grows with what is alive, and so does the garbage that
// one is made for: the cost for each byte of garbage is about the same in a small
// process and in a large one, if nothing is changed of GOGC. Keep the process
// small nevertheless, for its cycles are shorter, and so are the turns.
//
// At GOMAXPROCS=1 collections take all their time from the contender. With more,
// they run on other cores at first, and cost a contender that serves with one
// goroutine less than they would cost a server under full load. Parallel
// contenders keep all cores busy, and pay in full.
//
// Bytes and allocations are counted around the slice, for the whole process, and
// divided by the operations without remainder, as go test does: the few that the
// runtime makes itself do not show, unless an operation takes so long that few of
// them fit into a slice.
//
// # Servers
//
// A server is loaded by a child process over loopback, with connections that are
// kept alive. Its CPU time, that of this process, is the number to compare: user
// and system mode, sockets and all. Generator and servers share the cores, so that
// requests a second are what this machine does when it does both.
//
// The loop is closed: a connection sends its next request when it has the answer to
// the one before. That measures how much a server can do. It is not how independent
// clients behave, who do not wait for each other: while a server stalls a closed
// loop sends nothing, so that the requests that would have waited are missing from
// the delays (coordinated omission). Delays are those at full load besides, where
// most of each is waiting for the other connections. So p50 and p99 compare servers
// under equal conditions; they do not tell which delays clients would see at a load
// below the limit.
//
// # What this cannot say
//
// Code that differs in nothing but where the linker has put it may differ by some
// percent, in every round, and no statistics see that. And the handlers do next to
// nothing: the share of routing in a request of a real server is what [Server] shows.
package measure
