// Package conformance validates the OpenAPI documents that the explorer serves with two
// validators that know nothing of each other. It is in a module of its own, outside of
// the workspace, because their dependencies would change those that routebench measures
// with.
package conformance
