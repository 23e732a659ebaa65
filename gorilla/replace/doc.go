// Package mux is github.com/gorilla/mux for programs whose dependencies import
// gorilla/mux too, such as instrumentation libraries. A line in the go.mod of the program
// replaces gorilla/mux in the program and in all its dependencies:
//
//	replace github.com/gorilla/mux => github.com/muxwell/muxwell/gorilla/replace v0.1.0
//
// All files keep importing github.com/gorilla/mux. The types of this package are those of
// [github.com/muxwell/muxwell/gorilla/mux], whose documentation applies, including the
// list of differences from gorilla/mux.
//
// The go command uses the replace directives of only the main module. It ignores those of
// dependencies, and "go install PROGRAM@VERSION" refuses a program that has one.
package mux
