package migrate

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/muxwell/muxwell"
)

var ginTraps = []trap{
	{
		name: "`GET /x`", request: "HEAD /x",
		theirs:      onGin(func(r *gin.Engine) { r.GET("/x", ginH) }),
		ours:        onMux(func(m *muxwell.Mux) { m.Get("/x", h) }),
		theirAnswer: "404", ourAnswer: "200 h",
	},
	{
		name: "`GET /x`", request: "POST /x",
		theirs:      onGin(func(r *gin.Engine) { r.GET("/x", ginH) }),
		ours:        onMux(func(m *muxwell.Mux) { m.Get("/x", h) }),
		theirAnswer: "404", ourAnswer: "405",
	},
	{
		name: "`GET /x`", request: "GET /x/",
		theirs:      onGin(func(r *gin.Engine) { r.GET("/x", ginH) }),
		ours:        onMux(func(m *muxwell.Mux) { m.Get("/x", h) }),
		theirAnswer: "301 /x", ourAnswer: "404",
	},
	{
		name: "`GET /`", request: "GET /nope",
		theirs:      onGin(func(r *gin.Engine) { r.GET("/", ginH) }),
		ours:        onMux(func(m *muxwell.Mux) { m.Get("/", h) }),
		theirAnswer: "404", ourAnswer: "200 h",
	},
	{
		name: "`GET /tree/`", request: "GET /tree",
		theirs:      onGin(func(r *gin.Engine) { r.GET("/tree/", ginH) }),
		ours:        onMux(func(m *muxwell.Mux) { m.Get("/tree/{$}", h) }),
		theirAnswer: "301 /tree/", ourAnswer: "307 /tree/",
	},
	{
		name: "`GET /a/b`", request: "GET /a//b",
		theirs:      onGin(func(r *gin.Engine) { r.GET("/a/b", ginH) }),
		ours:        onMux(func(m *muxwell.Mux) { m.Get("/a/b", h) }),
		theirAnswer: "404", ourAnswer: "307 /a/b",
	},
	{
		name: "`GET /users/{id}`, which answers with `id`", request: "GET /users/a%2Fb",
		theirs: onGin(func(r *gin.Engine) {
			r.GET("/users/:id", func(c *gin.Context) { c.String(200, c.Param("id")) })
		}),
		ours: onMux(func(m *muxwell.Mux) {
			m.Get("/users/{id}", show(func(r *http.Request) string { return r.PathValue("id") }))
		}),
		theirAnswer: "404", ourAnswer: "200 a/b",
	},
}
