package muxtest

import (
	"bufio"
	"fmt"

	"github.com/muxwell/muxwell/routes"
)

// Routes returns the routes of a list of package routes, METHOD PATTERN each.
func Routes(list string) []string {
	f, err := routes.FS.Open(list + ".txt")
	if err != nil {
		panic(err)
	}
	defer f.Close()
	var all []string
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if line := lines.Text(); line != "" && line[0] != '#' {
			all = append(all, line)
		}
	}
	return all
}

// ScaleRoutes returns n routes of the kind that APIs have, by resource.
func ScaleRoutes(n int) []string {
	routes := make([]string, 0, n)
	for i := 0; len(routes) < n; i++ {
		for _, format := range []string{
			"GET /api/resource%d", "POST /api/resource%d", "GET /api/resource%d/{id}", "PUT /api/resource%d/{id}", "DELETE /api/resource%d/{id}",
			"GET /api/resource%d/{id}/items", "GET /api/resource%d/{id}/items/{item}", "POST /api/resource%d/{id}/items", "GET /api/resource%d/{id}/items/{item}/history",
			"GET /files/resource%d/{path...}",
		} {
			if len(routes) < n {
				routes = append(routes, fmt.Sprintf(format, i))
			}
		}
	}
	return routes
}

// AdversarialRoutes returns the 2^n routes of n segments that are each "a" or
// a parameter, with one segment more. A request for n times "a" and another
// last segment misses them all, whatever way it takes.
func AdversarialRoutes(n int) []string {
	routes := make([]string, 1<<n)
	for i := range routes {
		path := ""
		for bit := range n {
			if i>>bit&1 == 0 {
				path += "/a"
			} else {
				path += fmt.Sprintf("/{x%d}", bit)
			}
		}
		routes[i] = "GET " + path + "/z"
	}
	return routes
}
