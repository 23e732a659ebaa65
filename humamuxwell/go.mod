module github.com/muxwell/muxwell/humamuxwell

go 1.26.0

replace github.com/muxwell/muxwell => ../

require (
	github.com/danielgtaylor/huma/v2 v2.37.2
	github.com/getkin/kin-openapi v0.152.0
	github.com/muxwell/muxwell v0.0.0
)

require (
	github.com/danielgtaylor/mexpr v1.9.1 // indirect
	github.com/danielgtaylor/shorthand/v2 v2.2.0 // indirect
	github.com/evanphx/json-patch/v5 v5.9.11 // indirect
	github.com/fxamacker/cbor/v2 v2.9.0 // indirect
	github.com/go-openapi/jsonpointer v0.22.5 // indirect
	github.com/go-openapi/swag/jsonname v0.25.5 // indirect
	github.com/kr/pretty v0.3.1 // indirect
	github.com/oasdiff/yaml v0.1.1 // indirect
	github.com/oasdiff/yaml3 v0.0.14 // indirect
	github.com/santhosh-tekuri/jsonschema/v6 v6.0.3 // indirect
	github.com/x448/float16 v0.8.4 // indirect
	golang.org/x/text v0.34.0 // indirect
)
