package openapi

import (
	"context"
	"net/http"
	"sync"

	"github.com/muxwell/muxwell"
)

// New returns a mux that serves the API from memory, below base, such as "" or "/v1".
func New(base string) *muxwell.Mux {
	m := muxwell.New()
	Register(m, base)
	return m
}

// Register registers the API, served from memory, below base. The router is a mux, a group
// or [Operations].
func Register(router ServeMux, base string) {
	HandlerWithOptions(NewStrictHandler(new(store), nil), StdHTTPServerOptions{
		BaseURL:    base,
		BaseRouter: router,
		ErrorHandlerFunc: func(w http.ResponseWriter, _ *http.Request, err error) {
			http.Error(w, err.Error(), http.StatusBadRequest)
		},
	})
}

// A store has the pets in memory. The pet with the ID i is pets[i-1].
type store struct {
	mu   sync.Mutex
	pets []Pet
}

var _ StrictServerInterface = (*store)(nil)

// ListPets answers GET /pets.
func (s *store) ListPets(_ context.Context, request ListPetsRequestObject) (ListPetsResponseObject, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := len(s.pets)
	if limit := request.Params.Limit; limit != nil {
		n = min(n, max(*limit, 0))
	}
	return append(ListPets200JSONResponse{}, s.pets[:n]...), nil
}

// AddPet answers POST /pets.
func (s *store) AddPet(_ context.Context, request AddPetRequestObject) (AddPetResponseObject, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	pet := Pet{Id: int64(len(s.pets) + 1), Name: request.Body.Name}
	s.pets = append(s.pets, pet)
	return AddPet201JSONResponse(pet), nil
}

// GetPet answers GET /pets/{id}.
func (s *store) GetPet(_ context.Context, request GetPetRequestObject) (GetPetResponseObject, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if pet := s.find(request.Id); pet != nil {
		return GetPet200JSONResponse(*pet), nil
	}
	return GetPet404Response{}, nil
}

// AdoptPet answers POST /pets/{id}:adopt.
func (s *store) AdoptPet(_ context.Context, request AdoptPetRequestObject) (AdoptPetResponseObject, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	pet := s.find(request.Id)
	if pet == nil {
		return AdoptPet404Response{}, nil
	}
	pet.Adopted = true
	return AdoptPet204Response{}, nil
}

// find returns a pet, or nil. The caller must hold s.mu.
func (s *store) find(id int64) *Pet {
	if id < 1 || id > int64(len(s.pets)) {
		return nil
	}
	return &s.pets[id-1]
}
