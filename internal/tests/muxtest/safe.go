//go:build muxwell_safe

package muxtest

// SafeBuild reports whether this is the build without unsafe code.
const SafeBuild = true
