package main

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/middleware"
)

type Order struct {
	ID        int64     `json:"id" example:"12"`
	CreatedAt time.Time `json:"createdAt"`
	Recipient
	Lines []OrderLine `json:"lines" nullable:"false"`
	Total int64       `json:"total" doc:"In cents." example:"1980"`
}

// A Recipient is what a customer fills in.
type Recipient struct {
	Name  string `json:"name" minLength:"1" maxLength:"100" example:"Ada Lovelace"`
	Email string `json:"email" format:"email" maxLength:"200" example:"ada@example.com"`
}

type OrderLine struct {
	Name  string `json:"name" example:"Sencha"`
	Price int64  `json:"price" doc:"In cents, of one, when it was ordered." example:"990"`
	Count int    `json:"count" example:"2"`
}

// Sum is the price of the line.
func (l OrderLine) Sum() int64 { return l.Price * int64(l.Count) }

type (
	checkoutInput struct{ Body Recipient }
	orderOutput   struct{ Body Order }
	ordersInput   struct{ Page }
	ordersOutput  struct{ Body List[Order] }
)

func (s *shop) registerOrders(api huma.API) {
	huma.Register(api, huma.Operation{
		OperationID: "checkout", Method: http.MethodPost, Path: "/orders", Summary: "Order what is in the cart",
		DefaultStatus: http.StatusCreated,
	}, func(ctx context.Context, in *checkoutInput) (*orderOutput, error) {
		o, err := s.checkout(ctx, in.Body)
		return &orderOutput{o}, err
	})
	huma.Register(api, huma.Operation{
		OperationID: "list-orders", Method: http.MethodGet, Path: "/orders", Summary: "List the orders of the session; staff see all",
	}, func(ctx context.Context, in *ordersInput) (*ordersOutput, error) {
		l, err := s.store.orders(ctx, s.customer(ctx), s.isStaff(ctx), in.Page)
		return &ordersOutput{l}, err
	})
}

func (s *shop) checkout(ctx context.Context, to Recipient) (Order, error) {
	o, err := s.store.checkout(ctx, s.customer(ctx), to)
	if err == nil {
		middleware.AddAttrs(ctx, slog.Int64("order", o.ID), slog.Int64("total", o.Total))
	}
	return o, err
}

// checkoutForm makes an order and shows it, or shows the cart with what is wrong.
func (s *shop) checkoutForm(w http.ResponseWriter, r *http.Request) error {
	to := Recipient{Name: r.FormValue("name"), Email: r.FormValue("email")}
	err := validate[Recipient](map[string]any{"name": to.Name, "email": to.Email})
	if err == nil {
		_, err = s.checkout(r.Context(), to)
	}
	if e := muxwell.AsHTTPError(err); e != nil && e.Status < http.StatusInternalServerError {
		return s.renderCart(w, r, to, e)
	}
	if err != nil {
		return err
	}
	http.Redirect(w, r, "/orders", http.StatusSeeOther)
	return nil
}

func (s *shop) ordersPage(w http.ResponseWriter, r *http.Request) error {
	l, err := s.store.orders(r.Context(), s.customer(r.Context()), s.isStaff(r.Context()), Page{Page: 1, Limit: 50})
	if err != nil {
		return err
	}
	return s.render(w, r, http.StatusOK, "orders", l)
}
