// Package browser tests muxwell's web pages, and streams of events, in a real browser,
// Chromium. It is in a module of its own because the tests need a library to control the
// browser.
package browser
