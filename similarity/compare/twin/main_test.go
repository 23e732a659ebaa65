package main

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
)

// TestServe: each pipeline is served at the URL that is printed, until the end.
func TestServe(t *testing.T) {
	const right = `{"similarity":0.593,"interpretation":"Moderately Similar"}`
	for args, want := range map[string]string{
		"":                      right,
		"-pipeline replacer":    right,
		"-pipeline bytereplace": right,
		"-server fiber":         right,
		"-server fiber-jsonparser -pipeline bytereplace": right,
		"-server floor": `{"similarity":0.5,"interpretation":"Moderately Similar"}`,
	} {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		out, in := io.Pipe()
		status := make(chan int)
		go func() { status <- run(ctx, append(strings.Fields(args), "-addr", "127.0.0.1:0"), in, io.Discard) }()
		url, err := bufio.NewReader(out).ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		response, err := http.Post(strings.TrimSpace(url)+"/similarity", "application/json", strings.NewReader(`{"text1":"A-b, c","text2":"ab"}`))
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		body, err := io.ReadAll(response.Body)
		if err != nil || strings.TrimSpace(string(body)) != want {
			t.Errorf("%s: %s, %v; want %s", args, body, err, want)
		}
		cancel()
		if got := <-status; got != 0 {
			t.Errorf("%s: status %d", args, got)
		}
	}
}

func TestWrongCalls(t *testing.T) {
	for _, c := range []struct {
		args   string
		status int
		want   string
	}{
		{"-pipeline pcre", 2, "regexp, replacer, bytereplace"},
		{"-server nginx", 2, "net/http, fiber, fiber-jsonparser, floor"},
		{"-nosuch", 2, "nosuch"},
		{"file", 2, `"file"`},
		{"-addr nosuch:port:1", 1, "-addr"},
		{"-help", 0, "-pipeline"},
	} {
		var stderr bytes.Buffer
		if got := run(t.Context(), strings.Fields(c.args), io.Discard, &stderr); got != c.status || !strings.Contains(stderr.String(), c.want) {
			t.Errorf("%s: %d, %s; want %d, %s", c.args, got, &stderr, c.status, c.want)
		}
	}
}
