package main

import "fmt"

// anyCore is the core of what may run on all.
const anyCore = -1

// Cores are where a service and the load generator run.
type cores struct{ service, generator int }

// chooseCores returns the cores for a machine that lets the process run on some, and
// what a reader of the figures must know about them.
func chooseCores(allowed []int) (cores, string) {
	switch len(allowed) {
	case 0:
		return cores{anyCore, anyCore}, "this system pins no process to a core: services and generator run where they like"
	case 1:
		return cores{allowed[0], allowed[0]}, fmt.Sprintf("there is one core, %d: services share it with the generator, so that requests a second and latencies are those of both", allowed[0])
	}
	return cores{allowed[0], allowed[1]}, ""
}
