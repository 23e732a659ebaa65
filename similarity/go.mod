module github.com/muxwell/muxwell/similarity

go 1.26

replace github.com/muxwell/muxwell => ../

require github.com/muxwell/muxwell v0.0.0
