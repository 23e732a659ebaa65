//go:build !amd64 || purego

package join

func eachInstructions(f func()) { f() }
