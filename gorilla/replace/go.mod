module github.com/muxwell/muxwell/gorilla/replace

go 1.26.0

replace github.com/muxwell/muxwell => ../..

require github.com/muxwell/muxwell v0.0.0
