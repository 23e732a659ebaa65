package openapi_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/integrations/openapi"
	"github.com/muxwell/muxwell/middleware"
)

// newClient returns the generated client of a server whose patterns seen gets.
func newClient(t *testing.T, base string, seen *[]string) (*openapi.ClientWithResponses, string) {
	t.Helper()
	m := openapi.New(base)
	m.Use(middleware.Metrics(func(m middleware.Measure) { *seen = append(*seen, m.Pattern) }))
	s := httptest.NewServer(m)
	t.Cleanup(s.Close)
	client, err := openapi.NewClientWithResponses(s.URL + base)
	if err != nil {
		t.Fatal(err)
	}
	return client, s.URL + base
}

func TestClient(t *testing.T) {
	for _, base := range []string{"", "/v1"} {
		var seen []string
		client, _ := newClient(t, base, &seen)
		ctx := t.Context()
		for i, name := range []string{"Ada", "Bob", "Cid"} {
			added, err := client.AddPetWithResponse(ctx, openapi.NewPet{Name: name})
			if want := (openapi.Pet{Id: int64(i + 1), Name: name}); err != nil || added.JSON201 == nil || *added.JSON201 != want {
				t.Fatalf("AddPet(%s): %+v, %v; want %+v", name, added, err, want)
			}
		}
		adopted, err := client.AdoptPetWithResponse(ctx, 2)
		if err != nil || adopted.StatusCode() != http.StatusNoContent {
			t.Errorf("AdoptPet(2): %+v, %v; want 204", adopted, err)
		}
		got, err := client.GetPetWithResponse(ctx, 2)
		if want := (openapi.Pet{Id: 2, Name: "Bob", Adopted: true}); err != nil || got.JSON200 == nil || *got.JSON200 != want {
			t.Errorf("GetPet(2): %+v, %v; want %+v", got, err, want)
		}
		limit := 2
		list, err := client.ListPetsWithResponse(ctx, &openapi.ListPetsParams{Limit: &limit})
		if err != nil || list.JSON200 == nil || len(*list.JSON200) != 2 {
			t.Errorf("ListPets(limit 2): %+v, %v; want two", list, err)
		}
		missing, err := client.GetPetWithResponse(ctx, 9)
		if err != nil || missing.StatusCode() != http.StatusNotFound {
			t.Errorf("GetPet(9): %+v, %v; want 404", missing, err)
		}
		want := []string{
			"POST " + base + "/pets", "POST " + base + "/pets", "POST " + base + "/pets",
			"POST " + base + "/pets/{id}:adopt", "GET " + base + "/pets/{id}", "GET " + base + "/pets", "GET " + base + "/pets/{id}",
		}
		if !slices.Equal(seen, want) {
			t.Errorf("patterns %q, want %q", seen, want)
		}
	}
}

// What is not in the description is answered by the mux or by the generated server.
func TestFaults(t *testing.T) {
	var seen []string
	_, url := newClient(t, "", &seen)
	tests := []struct {
		method, path, body string
		status             int
		want               string
	}{
		{"GET", "/pets/x", "", 400, "parameter id"},
		{"GET", "/pets?limit=x", "", 400, "parameter limit"},
		{"GET", "/pets?limit=-1", "", 200, "[]"},
		{"POST", "/pets", "{", 400, "JSON"},
		{"POST", "/pets/9:adopt", "", 404, ""},
		{"POST", "/pets/9:sell", "", 405, ""},
		{"DELETE", "/pets/1", "", 405, ""},
		{"GET", "/dogs", "", 404, ""},
	}
	for _, tt := range tests {
		r, err := http.NewRequest(tt.method, url+tt.path, strings.NewReader(tt.body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil || resp.StatusCode != tt.status || !strings.Contains(string(body), tt.want) {
			t.Errorf("%s %s: status %d, %q, %v; want %d and %q", tt.method, tt.path, resp.StatusCode, body, err, tt.status, tt.want)
		}
	}
}

// The description has a path that the router of the standard library refuses.
func TestServeMuxRefuses(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("http.ServeMux took all paths of api.yaml")
		}
	}()
	openapi.HandlerFromMux(openapi.NewStrictHandler(nil, nil), http.NewServeMux())
}

var _ openapi.ServeMux = (*muxwell.Mux)(nil)

// Generating again writes what is committed.
func TestGenerated(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the generator")
	}
	out := filepath.Join(t.TempDir(), "api.gen.go")
	cmd := exec.CommandContext(t.Context(), "go", "tool", "oapi-codegen", "-config", "oapi-codegen.yaml", "-o", out, "api.yaml")
	cmd.Env = append(os.Environ(), "GOWORK=off") // the versions of this module's go.mod
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", cmd, err, text)
	}
	want, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("api.gen.go")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("api.gen.go is not what api.yaml gives; run go generate ./openapi in the folder integrations")
	}
}
