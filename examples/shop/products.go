package main

import (
	"context"
	"fmt"
	"net/http"
	"strconv"

	"github.com/danielgtaylor/huma/v2"
)

// The types of bodies are exported, and so is Page, because huma ignores embedded fields of
// unexported types.

type Product struct {
	ID int64 `json:"id" example:"7"`
	ProductData
}

// ProductData is what staff can set.
type ProductData struct {
	Name        string `json:"name" minLength:"1" maxLength:"100" example:"Sencha"`
	Description string `json:"description" maxLength:"2000" example:"Green tea from Japan. 100 g."`
	Price       int64  `json:"price" minimum:"1" maximum:"100000000" doc:"In cents." example:"990"`
	Stock       int    `json:"stock" minimum:"0" maximum:"1000000" example:"30"`
}

// A List is a page of a longer list.
type List[T any] struct {
	Items []T `json:"items" nullable:"false"`
	Total int `json:"total" doc:"The number of items on all pages." example:"1"`
}

type Page struct {
	Page  int `query:"page" minimum:"1" maximum:"100000" default:"1"`
	Limit int `query:"limit" minimum:"1" maximum:"100" default:"20"`
}

func (p Page) offset() int { return (p.Page - 1) * p.Limit }

type (
	productsInput struct {
		Search string `query:"q" maxLength:"100" doc:"Text in the name or the description." example:"green"`
		Page
	}
	productInput struct {
		ID int64 `path:"id" example:"7"`
	}
	createProductInput struct{ Body ProductData }
	updateProductInput struct {
		ID   int64 `path:"id" example:"7"`
		Body ProductData
	}

	productsOutput      struct{ Body List[Product] }
	productOutput       struct{ Body Product }
	createProductOutput struct {
		Location string `header:"Location"`
		Body     Product
	}
)

func (s *shop) registerProducts(api huma.API) {
	huma.Register(api, huma.Operation{
		OperationID: "list-products", Method: http.MethodGet, Path: "/products", Summary: "List and search products",
	}, func(ctx context.Context, in *productsInput) (*productsOutput, error) {
		l, err := s.store.products(ctx, in.Search, in.Page)
		return &productsOutput{l}, err
	})
	huma.Register(api, huma.Operation{
		OperationID: "get-product", Method: http.MethodGet, Path: "/products/{id:uint}", Summary: "Get a product",
	}, func(ctx context.Context, in *productInput) (*productOutput, error) {
		p, err := s.store.product(ctx, in.ID)
		return &productOutput{p}, err
	})
	huma.Register(api, huma.Operation{
		OperationID: "create-product", Method: http.MethodPost, Path: "/products", Summary: "Add a product",
		Security: staffOnly, DefaultStatus: http.StatusCreated,
	}, func(ctx context.Context, in *createProductInput) (*createProductOutput, error) {
		p, err := s.store.createProduct(ctx, in.Body)
		return &createProductOutput{fmt.Sprintf("/api/products/%d", p.ID), p}, err
	})
	huma.Register(api, huma.Operation{
		OperationID: "update-product", Method: http.MethodPut, Path: "/products/{id:uint}", Summary: "Change a product",
		Security: staffOnly,
	}, func(ctx context.Context, in *updateProductInput) (*productOutput, error) {
		p, err := s.store.updateProduct(ctx, in.ID, in.Body)
		return &productOutput{p}, err
	})
	huma.Register(api, huma.Operation{
		OperationID: "delete-product", Method: http.MethodDelete, Path: "/products/{id:uint}", Summary: "Remove a product",
		Security: staffOnly,
	}, func(ctx context.Context, in *productInput) (*struct{}, error) {
		return nil, s.store.deleteProduct(ctx, in.ID)
	})
}

// productsPage shows a page of the products, and those that a search finds.
func (s *shop) productsPage(w http.ResponseWriter, r *http.Request) error {
	search := r.FormValue("q")
	number, err := strconv.Atoi(r.FormValue("page"))
	if err != nil || number < 1 || number > 100_000 {
		number = 1
	}
	p := Page{Page: number, Limit: 12}
	l, err := s.store.products(r.Context(), search, p)
	if err != nil {
		return err
	}
	data := struct {
		List[Product]
		Search         string
		Previous, Next int // numbers of pages, or 0
	}{List: l, Search: search, Previous: number - 1}
	if p.offset()+p.Limit < l.Total {
		data.Next = number + 1
	}
	return s.render(w, r, http.StatusOK, "products", data)
}
