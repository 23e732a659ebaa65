// Package ported changes the router of other projects' example servers, and compares
// their answers before and after. README.md has the results.
package ported
