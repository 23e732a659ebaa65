// Package integrations has a test that uses all its packages together.
// README.md lists them.
package integrations
