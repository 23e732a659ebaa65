package result

// Units are all units of [Row.Samples], in the order in which files have them.
var Units = []string{
	Time, Bytes, Allocs, HeapBytes, LoadTime, RoutesHeap, RoutesLoad, Throughput, CPUTime, MedianDelay, TailDelay,
}

// HigherIsBetter reports whether more of a unit is better; of most units less is.
func HigherIsBetter(unit string) bool { return unit == Throughput }
