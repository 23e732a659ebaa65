package middleware

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"testing"

	"github.com/muxwell/muxwell"
)

// TestHandBack: of a request whose context has values, and one of another method, the
// server removes the files, and middleware outside knows the pattern.
func TestHandBack(t *testing.T) {
	layers := map[string]func(http.Handler) http.Handler{
		"RequestID":      RequestID(nil),
		"Log":            Log(discard, nil),
		"ClientIP":       ClientIP(FromRemoteAddr()),
		"BearerAuth":     BearerAuth("x", Tokens(map[string]string{"t": "u"})),
		"Timeout":        Timeout(1e12),
		"MethodOverride": MethodOverride,
	}
	for name, layer := range layers {
		var file, pattern string
		m := muxwell.New()
		m.HandleFunc("PUT /f", func(_ http.ResponseWriter, r *http.Request) {
			if err := r.ParseMultipartForm(1); err != nil {
				t.Error(err)
				return
			}
			f, _ := r.MultipartForm.File["f"][0].Open()
			file = f.(*os.File).Name()
			f.Close()
		})
		s := newServer(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			layer(m).ServeHTTP(w, r)
			pattern = r.Pattern
		}), false)
		var body bytes.Buffer
		form := multipart.NewWriter(&body)
		part, _ := form.CreateFormFile("f", "name")
		part.Write(bytes.Repeat([]byte("x"), 1000)) // more than ParseMultipartForm keeps in memory
		form.Close()
		method := "PUT"
		if name == "MethodOverride" {
			method = "POST"
		}
		r, _ := http.NewRequestWithContext(context.Background(), method, s.URL+"/f", &body)
		r.Header.Set("Content-Type", form.FormDataContentType())
		r.Header.Set("X-Http-Method-Override", "PUT")
		r.Header.Set("Authorization", "Bearer t")
		resp, err := s.Client().Do(r)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		s.Close()
		if _, err := os.Stat(file); !os.IsNotExist(err) || file == "" {
			t.Errorf("%s: the file %q is left: %v", name, file, err)
		}
		if pattern != "PUT /f" {
			t.Errorf("%s: the pattern is %q", name, pattern)
		}
	}
}

// TestHandleError: the router's own writers work inside of those of this package.
func TestHandleError(t *testing.T) {
	m := muxwell.New()
	m.Use(all)
	m.HandleError("GET /fails", func(http.ResponseWriter, *http.Request) error { return errors.New("oops") })
	m.HandleError("GET /late", func(w http.ResponseWriter, _ *http.Request) error {
		io.WriteString(w, "done")
		return errors.New("oops")
	})
	s := newServer(t, m, false)
	s.Config.ErrorLog = quiet
	for path, want := range map[string]string{"/fails": "500 Internal Server Error\n", "/late": "200 done"} {
		resp, body, err := get(s, path)
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(resp.StatusCode, " ", body); got != want {
			t.Errorf("%s: got %q, want %q", path, got, want)
		}
	}
}
