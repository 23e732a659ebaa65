// Package browser has the tests of muxwell's web pages in a real browser,
// Chromium. They are in a module of their own because they need a library to
// drive it.
package browser
