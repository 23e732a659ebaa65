package main

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"log/slog"
	"net/http"
	"path"
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/humamuxwell"
	"github.com/muxwell/muxwell/middleware"
	"github.com/muxwell/muxwell/problem"
)

var (
	//go:embed pages/*.html
	pageFiles embed.FS
	//go:embed assets
	assetFiles embed.FS

	assets, assetsVersion = versioned(assetFiles, "assets")
)

// versioned returns the files of a directory, and a hash of them. Their URLs have the hash,
// so that browsers can keep the files.
func versioned(files fs.FS, dir string) (fs.FS, string) {
	sub, err := fs.Sub(files, dir)
	if err != nil {
		panic(err)
	}
	hash := sha256.New()
	if err := fs.WalkDir(sub, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := fs.ReadFile(sub, name)
		fmt.Fprintf(hash, "%s %d\n%s", name, len(b), b)
		return err
	}); err != nil {
		panic(err)
	}
	return sub, fmt.Sprintf("%x", hash.Sum(nil)[:6])
}

// pages are the templates by name, each with the layout around it.
type pages map[string]*template.Template

func parsePages() pages {
	layout := template.New("layout.html").Funcs(template.FuncMap{
		"asset": func(name string) string { return path.Join("/assets", assetsVersion, name) },
		"money": func(cents int64) string { return fmt.Sprintf("$%d.%02d", cents/100, cents%100) },
	})
	template.Must(layout.ParseFS(pageFiles, "pages/layout.html"))
	p := make(pages)
	for _, name := range []string{"products", "cart", "orders", "login", "error"} {
		p[name] = template.Must(template.Must(layout.Clone()).ParseFS(pageFiles, "pages/"+name+".html"))
	}
	return p
}

// A view is what a template gets.
type view struct {
	Page   string
	Staff  bool
	InCart int // how many products
	Data   any
}

// render answers with a page for the session.
func (s *shop) render(w http.ResponseWriter, r *http.Request, status int, name string, data any) error {
	c, err := s.store.cart(r.Context(), s.customer(r.Context()))
	if err != nil {
		return err
	}
	return s.pages.write(w, status, view{Page: name, Staff: s.isStaff(r.Context()), InCart: c.Count, Data: data})
}

func (p pages) write(w http.ResponseWriter, status int, v view) error {
	var b bytes.Buffer // so that an error can still be answered
	if err := p[v.Page].Execute(&b, v); err != nil {
		return err
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = b.WriteTo(w) // nobody can handle the error: the client has left
	return nil
}

// answerError answers all errors except those of operations. Browsers get a page, which has
// a form to log in if only staff may see what was requested. Other clients get problem
// details, in the model that the API documents.
func (s *shop) answerError(w http.ResponseWriter, r *http.Request, err error) {
	w.Header().Add("Vary", "Accept")
	if !strings.Contains(r.Header.Get("Accept"), "text/html") {
		humamuxwell.ErrorHandler(&s.api)(w, r, err)
		return
	}
	d := problem.Of(err)
	if d.Status >= http.StatusInternalServerError {
		middleware.AddAttrs(r.Context(), slog.String("error", err.Error()))
	}
	if muxwell.Began(w) {
		return
	}
	page := "error"
	if d.Reason == "staff_only" || d.Reason == "wrong_password" {
		page = "login"
	}
	if err := s.pages.write(w, d.Status, view{Page: page, Data: d}); err != nil {
		panic(err)
	}
}

// validate checks the values of a form by the rules of T, which are those of the API.
func validate[T any](values map[string]any) error {
	errs := huma.NewModelValidator().Validate(reflect.TypeFor[T](), values)
	if len(errs) == 0 {
		return nil
	}
	err := errors.Join(errs...)
	return &muxwell.HTTPError{Status: http.StatusUnprocessableEntity, Reason: "invalid_form", Detail: err.Error(), Err: err}
}
