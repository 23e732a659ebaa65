package ported

// A program is an example server of a module, and what changes its router.
type program struct {
	name     string
	module   string   // with the version whose source is read
	dir      string   // in the module
	setup    []string // edits that both versions need: old, new, …
	edits    []string // edits that change the router: old, new, …
	args     []string // of the server, where PORT is its port
	requests []string // METHOD PATH [HEADER:VALUE] [BODY]
}

// Edits of huma's examples. Their source is that of the last release that contains them,
// and they are built with the release that humamuxwell requires, where the command line
// is another package.
var (
	humaSetup = []string{
		`"github.com/danielgtaylor/huma/v2"` + "\n", `"github.com/danielgtaylor/huma/v2"` + "\n\t" + `"github.com/danielgtaylor/huma/v2/humacli"` + "\n",
		"huma.NewCLI(", "humacli.New(",
		"huma.Hooks", "humacli.Hooks",
	}
	humaEdits = []string{
		`"github.com/danielgtaylor/huma/v2/adapters/humachi"`, `"github.com/muxwell/muxwell/humamuxwell"`,
		`"github.com/go-chi/chi/v5"`, `"github.com/muxwell/muxwell"`,
		"chi.NewMux()", "muxwell.New()",
		"humachi.New(", "humamuxwell.New(",
	}
	humaPort = []string{"--port", "PORT"}
)

// Edits of oapi-codegen's examples: the program and the generated code.
var (
	oapiSetup = []string{`"github.com/deepmap/oapi-codegen/examples/petstore-expanded/`, `"example/VARIANT/`}
	chiEdits  = []string{
		`"github.com/go-chi/chi/v5"`, `"github.com/muxwell/muxwell"`,
		"chi.NewRouter()", "muxwell.New()",
		"func(r chi.Router)", "func(r *muxwell.Group)",
		"chi.Router", "*muxwell.Mux",
		"*chi.Mux", "*muxwell.Mux",
		`chi.URLParam(r, "id")`, `r.PathValue("id")`,
	}
	gorillaEdits = []string{`"github.com/gorilla/mux"`, `"github.com/muxwell/muxwell/gorilla/mux"`}
	oapiPort     = []string{"-port", "PORT"}
	petRequests  = []string{
		"GET /pets", "HEAD /pets",
		`POST /pets Content-Type:application/json {"name":"Spot","tag":"dog"}`,
		"GET /pets", "GET /pets?tags=dog&limit=1", "GET /pets?tags=cat", "GET /pets?limit=x",
		"GET /pets/1000", "GET /pets/7", "GET /pets/x", "GET /pets/1%2F2", "GET /pets/", "GET //pets",
		`POST /pets Content-Type:application/json {"tag":"dog"}`,
		"POST /pets Content-Type:text/plain x",
		"PUT /pets", "PUT /pets/1000", "OPTIONS /pets", "DELETE /pets/1000", "DELETE /pets/1000", "GET /nope", "GET /",
	}
)

const (
	huma = "github.com/danielgtaylor/huma/v2@v2.3.0"
	kin  = "github.com/getkin/kin-openapi@v0.152.0"
	oapi = "github.com/deepmap/oapi-codegen@v1.13.4"
)

var programs = []program{
	{
		name: "custom-error", module: huma, dir: "examples/custom-error",
		setup: []string{`":8888"`, `":"+os.Getenv("PORT")`, "import (", "import (\n\t\"os\""}, edits: humaEdits,
		requests: []string{"GET /error", "HEAD /error", "POST /error", "GET /nope", "GET /openapi.json"},
	},
	{
		name: "greet", module: huma, dir: "examples/greet", setup: humaSetup, edits: humaEdits, args: humaPort,
		requests: []string{
			"GET /greeting/world", "GET /greeting/g%C3%B6", "GET /greeting/a%2Fb", "GET /greeting/a%20b", "GET /greeting/", "GET /greeting",
			"GET /greeting/world/", "GET //greeting/world", "GET /greeting/abcdefghijklmnopqrstuvwxyzabcdefghij",
			"GET /greeting/world Accept:application/cbor", "HEAD /greeting/world", "POST /greeting/world", "OPTIONS /greeting/world", "GET /nope", "GET /",
			"GET /openapi.json", "GET /openapi.yaml", "GET /openapi-3.0.json", "GET /openapi-3.0.yaml", "GET /docs", "HEAD /docs", "POST /docs",
			"GET /schemas/GreetingOutputBody.json", "GET /schemas/nope.json",
		},
	},
	{
		name: "omit", module: huma, dir: "examples/omit", setup: humaSetup, edits: humaEdits, args: humaPort,
		requests: []string{
			"POST /omittable", "POST /omittable Content-Type:application/json {}", `POST /omittable Content-Type:application/json {"name":null}`,
			`POST /omittable Content-Type:application/json {"name":"Bob"}`, `POST /omittable Content-Type:application/json {"name":"Bob the Builder"}`,
			"POST /omittable Content-Type:application/json {", "POST /omittable Content-Type:text/plain x", "GET /omittable", "GET /openapi.json",
		},
	},
	{
		name: "oneof-response", module: huma, dir: "examples/oneof-response", setup: humaSetup, edits: humaEdits, args: humaPort,
		requests: []string{"GET /greeting/world", "GET /greeting/world X-Old-Version:true", "GET /greeting/world X-Old-Version:maybe", "PUT /greeting/world", "GET /openapi.json"},
	},
	{
		name: "param-reuse", module: huma, dir: "examples/param-reuse", setup: humaSetup, edits: humaEdits, args: humaPort,
		requests: []string{"POST /reuse/bob", "POST /reuse/bob-the-builder", "POST /reuse/", "POST /reuse/a%2Fb", "GET /reuse/bob", "GET /openapi.json"},
	},
	{
		name: "resolver", module: huma, dir: "examples/resolver", setup: humaSetup, edits: humaEdits, args: humaPort,
		requests: []string{
			`PUT /count/1?count=2 Content-Type:application/json {"count":4}`, `PUT /count/3?count=6 Content-Type:application/json {"count":9,"nested":{"subCount":3}}`,
			`PUT /count/x Content-Type:application/json {"count":4}`, `PUT /count/11 Count:15 {"count":4}`, "PUT /count/1", "GET /count/1", "GET /openapi.json",
		},
	},
	{
		name: "sse", module: huma, dir: "examples/sse", setup: humaSetup, edits: humaEdits, args: humaPort,
		requests: []string{"STREAM /sse", "POST /sse", "GET /openapi.json"},
	},
	{
		name: "petstore, chi", module: oapi, dir: "examples/petstore-expanded/chi", setup: oapiSetup, edits: chiEdits, args: oapiPort,
		requests: petRequests,
	},
	{
		name: "petstore, strict", module: oapi, dir: "examples/petstore-expanded/strict", setup: oapiSetup, edits: chiEdits, args: oapiPort,
		requests: petRequests,
	},
	{
		name: "petstore, gorilla", module: oapi, dir: "examples/petstore-expanded/gorilla", setup: oapiSetup, edits: gorillaEdits, args: oapiPort,
		requests: petRequests,
	},
}
