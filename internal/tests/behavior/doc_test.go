// Package behavior tests what a mux does, by the API of package muxwell only.
package behavior
