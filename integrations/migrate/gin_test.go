package migrate

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/muxwell/muxwell"
)

func init() { gin.SetMode(gin.ReleaseMode) }

func onGin(fill func(r *gin.Engine)) func() http.Handler {
	return func() http.Handler {
		r := gin.New()
		fill(r)
		return r
	}
}

// ginH, ginMark, ginNotFound and ginNotAllowed are h, mark, notFound and notAllowed
// as gin takes them.
func ginH(c *gin.Context) { c.String(http.StatusOK, "h") }

func ginMark(c *gin.Context) {
	c.Writer.WriteString("marked ")
	c.Next()
}

func ginNotFound(c *gin.Context)   { c.String(http.StatusNotFound, "nothing here") }
func ginNotAllowed(c *gin.Context) { c.String(http.StatusMethodNotAllowed, "not like this") }

var ginRows = []row{
	{
		name: "a router",
		theirs: func() http.Handler {
			r := gin.New()
			r.GET("/", ginH)
			return r
		},
		ours: func() http.Handler {
			m := muxwell.New()
			m.Get("/{$}", h)
			return m
		},
		requests: []string{"GET /", "GET /x"},
	},
	{
		name:     "the root",
		theirs:   onGin(func(r *gin.Engine) { r.GET("/", ginH) }),
		ours:     onMux(func(m *muxwell.Mux) { m.Get("/{$}", h) }),
		requests: []string{"GET /", "GET /x", "GET /x/y"},
	},
	{
		name: "a route, and reading a parameter",
		theirs: onGin(func(r *gin.Engine) {
			r.GET("/users/:id", func(c *gin.Context) { c.String(200, c.Param("id")) })
		}),
		ours: onMux(func(m *muxwell.Mux) {
			m.Get("/users/{id}", func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, r.PathValue("id")) })
		}),
		requests: []string{"GET /users/7", "GET /users/a.b", "GET /users/7/x"},
	},
	{
		name: "a handler of `net/http`",
		theirs: onGin(func(r *gin.Engine) {
			r.GET("/x", gin.WrapF(h))
		}),
		ours:     onMux(func(m *muxwell.Mux) { m.Get("/x", h) }),
		requests: []string{"GET /x", "GET /y"},
	},
	{
		name:     "any method",
		theirs:   onGin(func(r *gin.Engine) { r.Any("/any", ginH) }),
		ours:     onMux(func(m *muxwell.Mux) { m.HandleFunc("/any", h) }),
		requests: []string{"GET /any", "POST /any", "DELETE /any", "HEAD /any"},
	},
	{
		name:     "several methods",
		theirs:   onGin(func(r *gin.Engine) { r.Match([]string{"GET", "POST"}, "/form", ginH) }),
		ours:     onMux(func(m *muxwell.Mux) { m.HandleFunc("GET,POST /form", h) }),
		requests: []string{"GET /form", "POST /form"},
	},
	{
		name:     "a custom method",
		theirs:   onGin(func(r *gin.Engine) { r.Handle("PROPFIND", "/dav", ginH) }),
		ours:     onMux(func(m *muxwell.Mux) { m.HandleFunc("PROPFIND /dav", h) }),
		requests: []string{"PROPFIND /dav"},
	},
	{
		name: "a catch-all",
		theirs: onGin(func(r *gin.Engine) {
			r.GET("/files/*path", func(c *gin.Context) { c.String(200, c.Param("path")) })
		}),
		ours: onMux(func(m *muxwell.Mux) {
			m.Get("/files/{path...}", func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "/"+r.PathValue("path")) })
		}),
		requests: []string{"GET /files/a/b.txt", "GET /files/", "GET /file"},
	},
	{
		name: "a typed parameter",
		theirs: onGin(func(r *gin.Engine) {
			r.GET("/orders/:id", func(c *gin.Context) {
				var in struct {
					ID int `uri:"id"`
				}
				if err := c.ShouldBindUri(&in); err != nil {
					c.Status(400)
					return
				}
				c.String(200, "%d", in.ID)
			})
		}),
		ours: onMux(func(m *muxwell.Mux) {
			m.Get("/orders/{id}", func(w http.ResponseWriter, r *http.Request) {
				id, err := muxwell.Param[int](r, "id")
				if err != nil {
					w.WriteHeader(400)
					return
				}
				fmt.Fprint(w, id)
			})
		}),
		requests: []string{"GET /orders/7", "GET /orders/x"},
	},
	{
		name: "the query",
		theirs: onGin(func(r *gin.Engine) {
			r.GET("/search", func(c *gin.Context) { c.String(200, c.Query("q")) })
		}),
		ours: onMux(func(m *muxwell.Mux) {
			m.Get("/search", func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, r.URL.Query().Get("q")) })
		}),
		requests: []string{"GET /search?q=a+b", "GET /search"},
	},
	{
		name: "JSON",
		theirs: onGin(func(r *gin.Engine) {
			r.GET("/x", func(c *gin.Context) { c.JSON(200, map[string]int{"n": 1}) })
		}),
		ours: onMux(func(m *muxwell.Mux) {
			m.Get("/x", func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "application/json; charset=utf-8")
				json.NewEncoder(w).Encode(map[string]int{"n": 1})
			})
		}),
		requests: []string{"GET /x"},
	},
	{
		name: "a group",
		theirs: onGin(func(r *gin.Engine) {
			g := r.Group("/api")
			g.GET("/users", ginH)
		}),
		ours: onMux(func(m *muxwell.Mux) {
			g := m.Route("/api", nil)
			g.Get("/users", h)
		}),
		requests: []string{"GET /api/users", "GET /users"},
	},
	{
		name: "middleware for a group",
		theirs: onGin(func(r *gin.Engine) {
			g := r.Group("/api", ginMark)
			g.GET("/users", ginH)
			r.GET("/x", ginH)
		}),
		ours: onMux(func(m *muxwell.Mux) {
			g := m.Route("/api", nil)
			g.Use(mark)
			g.Get("/users", h)
			m.Get("/x", h)
		}),
		requests: []string{"GET /api/users", "GET /x"},
	},
	{
		name: "middleware",
		theirs: onGin(func(r *gin.Engine) {
			r.Use(func(c *gin.Context) {
				if c.GetHeader("X-Key") == "" {
					c.AbortWithStatus(403)
					return
				}
				c.Next()
			})
			r.GET("/x", ginH)
		}),
		ours: onMux(func(m *muxwell.Mux) {
			m.Use(func(next http.Handler) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if r.Header.Get("X-Key") == "" {
						w.WriteHeader(403)
						return
					}
					next.ServeHTTP(w, r)
				})
			})
			m.Get("/x", h)
		}),
		requests: []string{"GET /x", "GET /x X-Key:1", "GET /y X-Key:1", "GET /y"},
	},
	{
		name:     "middleware for one route",
		theirs:   onGin(func(r *gin.Engine) { r.GET("/x", ginMark, ginH) }),
		ours:     onMux(func(m *muxwell.Mux) { m.With(mark).Get("/x", h) }),
		requests: []string{"GET /x"},
	},
	{
		name: "404",
		theirs: onGin(func(r *gin.Engine) {
			r.NoRoute(ginNotFound)
			r.GET("/x", ginH)
		}),
		ours: func() http.Handler {
			m := muxwell.New(muxwell.NotFound(http.HandlerFunc(notFound)))
			m.Get("/x", h)
			return m
		},
		requests: []string{"GET /x", "GET /y"},
	},
	{
		name: "405",
		theirs: onGin(func(r *gin.Engine) {
			r.HandleMethodNotAllowed = true
			r.NoMethod(ginNotAllowed)
			r.GET("/x", ginH)
		}),
		ours: func() http.Handler {
			m := muxwell.New(muxwell.MethodNotAllowed(http.HandlerFunc(notAllowed)))
			m.Get("/x", h)
			return m
		},
		requests: []string{"GET /x", "POST /x", "POST /y"},
	},
	{
		name: "no redirect for a slash",
		theirs: onGin(func(r *gin.Engine) {
			r.RedirectTrailingSlash = false
			r.GET("/tree/", ginH)
		}),
		ours: func() http.Handler {
			m := muxwell.New(muxwell.TrailingSlash(muxwell.SlashStrict))
			m.Get("/tree/{$}", h)
			return m
		},
		requests: []string{"GET /tree/", "GET /tree"},
	},
	{
		name:     "static files",
		theirs:   onGin(func(r *gin.Engine) { r.Static("/static", "testdata") }),
		ours:     onMux(func(m *muxwell.Mux) { m.Files("/static/", os.DirFS("testdata"), muxwell.NoListing()) }),
		requests: []string{"GET /static/hello.txt", "HEAD /static/hello.txt", "GET /static/missing.txt", "GET /static/dir/"},
	},
	{
		name:   "one file",
		theirs: onGin(func(r *gin.Engine) { r.StaticFile("/hello", "testdata/hello.txt") }),
		ours: onMux(func(m *muxwell.Mux) {
			m.Get("/hello", func(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, "testdata/hello.txt") })
		}),
		requests: []string{"GET /hello", "HEAD /hello"},
	},
	{
		name: "the pattern of a request",
		theirs: onGin(func(r *gin.Engine) {
			r.GET("/users", func(c *gin.Context) { c.String(200, c.FullPath()) })
		}),
		ours: onMux(func(m *muxwell.Mux) {
			m.Get("/users", func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, m.RouteOf(r).Path()) })
		}),
		requests: []string{"GET /users"},
	},
	{
		name: "the same in middleware, where it is empty on 404",
		theirs: onGin(func(r *gin.Engine) {
			r.Use(func(c *gin.Context) {
				c.Header("Location", "pattern "+c.FullPath())
				c.Next()
			})
			r.GET("/users", ginH)
		}),
		ours: onMux(func(m *muxwell.Mux) {
			m.Use(func(next http.Handler) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					w.Header().Set("Location", "pattern "+m.RouteOf(r).Path())
					next.ServeHTTP(w, r)
				})
			})
			m.Get("/users", h)
		}),
		requests: []string{"GET /users", "GET /nope"},
	},
	{
		name: "listing the routes",
		theirs: onGin(func(r *gin.Engine) {
			r.GET("/a", ginH)
			r.GET("/routes", func(c *gin.Context) {
				var list strings.Builder
				for _, rt := range r.Routes() {
					fmt.Fprintln(&list, rt.Method, rt.Path)
				}
				c.String(200, list.String())
			})
		}),
		ours: onMux(func(m *muxwell.Mux) {
			m.Get("/a", h)
			m.Get("/routes", show(func(*http.Request) string {
				var list strings.Builder
				for rt := range m.Routes() {
					fmt.Fprintln(&list, rt.Methods()[0], rt.Path())
				}
				return list.String()
			}))
		}),
		requests: []string{"GET /routes"},
	},
	{
		name: "a handler in a test",
		theirs: func() http.Handler {
			handler := func(c *gin.Context) { c.String(200, c.Param("id")) }
			return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				rec := httptest.NewRecorder()
				c, _ := gin.CreateTestContext(rec)
				c.Params = gin.Params{{Key: "id", Value: "7"}}
				handler(c)
				io.WriteString(w, rec.Body.String())
			})
		},
		ours: func() http.Handler {
			handler := func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, r.PathValue("id")) }
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				rec := httptest.NewRecorder()
				r.SetPathValue("id", "7")
				handler(rec, r)
				io.WriteString(w, rec.Body.String())
			})
		},
		requests: []string{"GET /x"},
	},
}
