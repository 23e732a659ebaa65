package main

import (
	"context"
	"net/http"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"github.com/muxwell/muxwell"
)

type Cart struct {
	Lines []CartLine `json:"lines" nullable:"false"`
	Count int        `json:"count" example:"2"`
	Total int64      `json:"total" doc:"In cents." example:"1980"`
}

type CartLine struct {
	ProductID int64  `json:"productId" example:"7"`
	Name      string `json:"name" example:"Sencha"`
	Price     int64  `json:"price" doc:"In cents, of one." example:"990"`
	Count     int    `json:"count" example:"2"`
	Stock     int    `json:"stock" doc:"How many are in stock." example:"30"`
}

// Sum is the price of the line.
func (l CartLine) Sum() int64 { return l.Price * int64(l.Count) }

type CartCount struct {
	Count int `json:"count" minimum:"0" maximum:"99" doc:"0 removes the product." example:"2"`
}

type (
	cartInput struct {
		ID   int64 `path:"id" doc:"The ID of the product." example:"7"`
		Body CartCount
	}
	cartOutput struct{ Body Cart }
)

func (s *shop) registerCart(api huma.API) {
	huma.Register(api, huma.Operation{
		OperationID: "get-cart", Method: http.MethodGet, Path: "/cart", Summary: "Get the cart of the session",
	}, func(ctx context.Context, _ *struct{}) (*cartOutput, error) {
		c, err := s.store.cart(ctx, s.customer(ctx))
		return &cartOutput{c}, err
	})
	huma.Register(api, huma.Operation{
		OperationID: "set-cart", Method: http.MethodPut, Path: "/cart/{id:uint}", Summary: "Set how many of a product are in the cart",
	}, func(ctx context.Context, in *cartInput) (*cartOutput, error) {
		customer := s.newCustomer(ctx)
		if err := s.store.setCart(ctx, customer, in.ID, in.Body.Count); err != nil {
			return nil, err
		}
		c, err := s.store.cart(ctx, customer)
		return &cartOutput{c}, err
	})
}

func (s *shop) cartPage(w http.ResponseWriter, r *http.Request) error {
	return s.renderCart(w, r, Recipient{}, nil)
}

// renderCart answers with the cart and, if there was one, with the error of a checkout.
func (s *shop) renderCart(w http.ResponseWriter, r *http.Request, to Recipient, e *muxwell.HTTPError) error {
	c, err := s.store.cart(r.Context(), s.customer(r.Context()))
	if err != nil {
		return err
	}
	data := struct {
		Cart
		To    Recipient
		Error string
	}{Cart: c, To: to}
	status := http.StatusOK
	if e != nil {
		status, data.Error = e.Status, e.Detail
	}
	return s.render(w, r, status, "cart", data)
}

// cartForm adds one of a product to the cart, or sets the count, and shows the cart.
func (s *shop) cartForm(w http.ResponseWriter, r *http.Request) error {
	id, err := muxwell.Param[int64](r, "id")
	if err != nil {
		return err
	}
	customer := s.newCustomer(r.Context())
	if r.FormValue("add") != "" {
		err = s.store.addToCart(r.Context(), customer, id)
	} else if n, invalid := strconv.Atoi(r.FormValue("count")); invalid != nil {
		err = &muxwell.HTTPError{Status: http.StatusBadRequest, Detail: "the count must be a number"}
	} else if err = validate[CartCount](map[string]any{"count": n}); err == nil {
		err = s.store.setCart(r.Context(), customer, id, n)
	}
	if err != nil {
		return err
	}
	http.Redirect(w, r, "/cart", http.StatusSeeOther)
	return nil
}
