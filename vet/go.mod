module github.com/muxwell/muxwell/vet

go 1.26.0

replace github.com/muxwell/muxwell => ../

require (
	github.com/go-chi/chi/v5 v5.5.0
	github.com/gorilla/mux v1.8.1
	github.com/muxwell/muxwell v0.0.0
	golang.org/x/tools v0.52.0
)

require (
	golang.org/x/mod v0.42.0 // indirect
	golang.org/x/sync v0.24.0 // indirect
)
