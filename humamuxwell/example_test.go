package humamuxwell_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/humamuxwell"
)

type Pet struct {
	ID   int    `json:"id"`
	Kind string `json:"kind"`
}

type GetPetInput struct {
	Kind string `path:"kind"`
	ID   int    `path:"id"`
}

type GetPetOutput struct{ Body Pet }

func getPet(_ context.Context, in *GetPetInput) (*GetPetOutput, error) {
	return &GetPetOutput{Body: Pet{in.ID, in.Kind}}, nil
}

func newMux() (*muxwell.Mux, huma.API) {
	var api huma.API
	m := muxwell.New(muxwell.ErrorHandler(humamuxwell.ErrorHandler(&api)))
	api = humamuxwell.New(m, huma.DefaultConfig("Pets", "1.0.0"))
	huma.Register(api, huma.Operation{
		OperationID: "get-pet",
		Method:      http.MethodGet,
		Path:        "/pets/{kind:cat|dog}/{id:uint}",
		Tags:        []string{"pets"},
	}, getPet)
	return m, api
}

func Example() {
	m, api := newMux()
	for _, path := range []string{"/pets/cat/7", "/pets/cow/7"} {
		w := httptest.NewRecorder()
		m.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		fmt.Println(w.Code, strings.TrimSpace(w.Body.String()))
	}
	for path, item := range api.OpenAPI().Paths {
		fmt.Println(path, item.Get.OperationID)
		for _, p := range item.Get.Parameters {
			fmt.Println(p.Name, p.Schema.Type, p.Schema.Enum)
		}
	}
	fmt.Println(m.Path("get-pet", "kind", "dog", "id", "12"))
	// Output:
	// 200 {"$schema":"https://example.com/schemas/Pet.json","id":7,"kind":"cat"}
	// 404 {"$schema":"https://example.com/schemas/ErrorModel.json","title":"Not Found","status":404}
	// /pets/{kind}/{id} get-pet
	// kind string [cat dog]
	// id integer []
	// /pets/dog/12 <nil>
}
