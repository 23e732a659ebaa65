package router

import (
	"bytes"
	"context"
	"fmt"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/muxwell/muxwell/routebench/route"
)

// HumaConfig returns huma's default configuration without routes of its own.
func HumaConfig() huma.Config {
	c := huma.DefaultConfig("routebench", "1.0.0")
	c.OpenAPIPath, c.DocsPath, c.SchemasPath, c.CreateHooks = "", "", "", nil
	return c
}

// Huma returns an empty router whose routes are operations of huma. Parameters are called p1
// to p5, and h serves the operations of api.
func Huma(api huma.API, h http.Handler) Mux {
	operations := 0
	return Mux{
		Use: func() { api.UseMiddleware(func(c huma.Context, next func(huma.Context)) { next(c) }) },
		Add: func(r *route.Route, path string, work *Work) error {
			if len(work.Names) >= len(registers) {
				return fmt.Errorf("%d parameters; an input has at most %d", len(work.Names), len(registers)-1)
			}
			operations++
			op := huma.Operation{OperationID: fmt.Sprint("operation-", operations), Method: r.Method, Path: path}
			registers[len(work.Names)](api, op, work)
			return nil
		},
		Ready: NetHTTP(h),
	}
}

// registers has for each number of parameters the function that registers an operation with
// so many.
var registers = [...]func(huma.API, huma.Operation, *Work){
	register[input0], register[input1], register[input2], register[input3], register[input4], register[input5],
}

// An input has the values of a path's parameters.
type input interface{ values() []string }

// An output is the body of an answer.
type output struct{ Body []byte }

// register registers an operation with an input.
func register[I input](api huma.API, op huma.Operation, work *Work) {
	huma.Register(api, op, func(_ context.Context, in *I) (*output, error) {
		var b bytes.Buffer
		Do(work, &b, (*in).values(), place)
		return &output{b.Bytes()}, nil
	})
}

// place returns the value with a name, p1 and so on.
func place(values []string, name string) string { return values[name[1]-'1'] }

// The inputs have the parameters of a path, p1 and so on.
type (
	input0 struct{}
	input1 struct {
		P1 string `path:"p1"`
	}
	input2 struct {
		P1 string `path:"p1"`
		P2 string `path:"p2"`
	}
	input3 struct {
		P1 string `path:"p1"`
		P2 string `path:"p2"`
		P3 string `path:"p3"`
	}
	input4 struct {
		P1 string `path:"p1"`
		P2 string `path:"p2"`
		P3 string `path:"p3"`
		P4 string `path:"p4"`
	}
	input5 struct {
		P1 string `path:"p1"`
		P2 string `path:"p2"`
		P3 string `path:"p3"`
		P4 string `path:"p4"`
		P5 string `path:"p5"`
	}
)

func (input0) values() []string    { return nil }
func (in input1) values() []string { return []string{in.P1} }
func (in input2) values() []string { return []string{in.P1, in.P2} }
func (in input3) values() []string { return []string{in.P1, in.P2, in.P3} }
func (in input4) values() []string { return []string{in.P1, in.P2, in.P3, in.P4} }
func (in input5) values() []string { return []string{in.P1, in.P2, in.P3, in.P4, in.P5} }
