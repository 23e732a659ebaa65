package result

// Units are all units of [Row.Samples], in the order of files.
var Units = []string{
	Time, Bytes, Allocs, HeapBytes, LoadTime, RoutesHeap, RoutesLoad, Throughput, CPUTime, MedianDelay, TailDelay,
}

// HigherIsBetter reports whether more of a unit is better. For most units less is better.
func HigherIsBetter(unit string) bool { return unit == Throughput }
