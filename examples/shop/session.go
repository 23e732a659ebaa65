package main

import (
	"context"
	"crypto/rand"
	"log/slog"
	"net/http"
	"time"

	"github.com/alexedwards/scs/sqlite3store"
	"github.com/alexedwards/scs/v2"
	"golang.org/x/crypto/bcrypt"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/middleware"
)

// The keys of a session. A visitor has none before there is something to keep.
const (
	customerKey = "customer" // the random ID of the cart and the orders
	staffKey    = "staff"    // the hash of the password with which staff logged in
)

func newSessions(st *store, secure bool, answerError func(http.ResponseWriter, *http.Request, error)) *scs.SessionManager {
	m := scs.New() // its cookies are HttpOnly and SameSite=Lax
	m.Store = sqlite3store.New(st.db)
	m.Lifetime = 30 * 24 * time.Hour // also that of carts; see the trigger cart_lines_expire
	m.HashTokenInStore = true
	m.ErrorFunc = answerError
	m.Cookie.Secure = secure
	m.Cookie.Name = sessionCookie(secure)
	return m
}

func sessionCookie(secure bool) string {
	if secure {
		return "__Host-session" // which no other host can set
	}
	return "session"
}

// customer returns the session's customer, or "".
func (s *shop) customer(ctx context.Context) string {
	return s.sessions.GetString(ctx, customerKey)
}

// newCustomer is like customer, and makes one if there is none.
func (s *shop) newCustomer(ctx context.Context) string {
	if s.customer(ctx) == "" {
		s.sessions.Put(ctx, customerKey, rand.Text())
	}
	return s.customer(ctx)
}

// isStaff reports whether the session has logged in with the current password. The hash has
// a new salt at each start of the program, so that these sessions end then.
func (s *shop) isStaff(ctx context.Context) bool {
	hash := s.sessions.GetString(ctx, staffKey)
	return hash != "" && hash == string(s.passwordHash)
}

// requireStaff rejects requests whose session is not that of staff.
func (s *shop) requireStaff(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !s.isStaff(r.Context()) {
			s.answerError(w, r, &muxwell.HTTPError{Status: http.StatusForbidden, Reason: "staff_only", Detail: "log in as staff"})
			return
		}
		middleware.AddAttrs(r.Context(), slog.Bool("staff", true))
		next.ServeHTTP(w, r)
	})
}

// requireSecurity applies requireStaff to the operations that have a security requirement.
func (s *shop) requireSecurity(next http.Handler) http.Handler {
	staff := s.requireStaff(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, ok := s.mux.RouteOf(r).Meta("security"); ok {
			staff.ServeHTTP(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func (s *shop) loginPage(w http.ResponseWriter, r *http.Request) error {
	return s.render(w, r, http.StatusOK, "login", nil)
}

func (s *shop) login(w http.ResponseWriter, r *http.Request) error {
	if bcrypt.CompareHashAndPassword(s.passwordHash, []byte(r.FormValue("password"))) != nil {
		return &muxwell.HTTPError{Status: http.StatusForbidden, Reason: "wrong_password", Detail: "the password is wrong"}
	}
	if err := s.sessions.RenewToken(r.Context()); err != nil { // against session fixation
		return err
	}
	s.sessions.Put(r.Context(), staffKey, string(s.passwordHash))
	http.Redirect(w, r, "/orders", http.StatusSeeOther)
	return nil
}

func (s *shop) logout(w http.ResponseWriter, r *http.Request) error {
	if err := s.sessions.Destroy(r.Context()); err != nil {
		return err
	}
	http.Redirect(w, r, "/", http.StatusSeeOther)
	return nil
}
