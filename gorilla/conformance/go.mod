module github.com/muxwell/muxwell/gorilla/conformance

go 1.26

replace github.com/muxwell/muxwell => ../..

require (
	github.com/gorilla/mux v1.8.1
	github.com/minio/mux v1.9.2
	github.com/muxwell/muxwell v0.0.0
)
