package service

import (
	_ "embed"
	"net/http"
)

// OpenAPI is the description of the service, OpenAPI 3.1 in YAML.
//
//go:embed openapi.yaml
var OpenAPI []byte

// description answers GET /openapi.yaml.
var description = static(OpenAPI, http.Header{"Content-Type": {"application/yaml"}})
