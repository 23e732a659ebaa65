//go:build muxwell_safe

package muxwell

const safeBuild = true
