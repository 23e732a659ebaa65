module github.com/muxwell/muxwell

go 1.26
