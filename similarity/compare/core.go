package main

import "fmt"

// anyCore means that a process may run on all cores.
const anyCore = -1

// Cores are the cores of a service and of the load generator.
type cores struct{ service, generator int }

// chooseCores returns the cores to use out of those that the process may run on, and a note
// for the reader of the figures.
func chooseCores(allowed []int) (cores, string) {
	switch len(allowed) {
	case 0:
		return cores{anyCore, anyCore}, "this system pins no process to a core: services and generator run where they like"
	case 1:
		return cores{allowed[0], allowed[0]}, fmt.Sprintf("there is one core, %d: services share it with the generator, so that requests a second and latencies are those of both", allowed[0])
	}
	return cores{allowed[0], allowed[1]}, ""
}
