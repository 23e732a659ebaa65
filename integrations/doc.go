// Package integrations holds the test of all its packages together; README.md lists
// them.
package integrations
