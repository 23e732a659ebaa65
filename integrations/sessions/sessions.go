// Package sessions keeps who is logged in on the server, with github.com/alexedwards/scs.
// The client has a cookie with a random token.
//
//	manager := sessions.New()
//	m.Use(middleware.Log(logger, nil), middleware.Recover(logger), http.NewCrossOriginProtection().Handler)
//	pages := m.With(manager.LoadAndSave)
//	pages.Post("/login", sessions.LogIn(manager, check))
//	pages.With(sessions.Require(manager)).Get("/account", account)
//
// Notes:
//
//   - Register LoadAndSave for the routes that have users, not for files, event streams and
//     WebSockets: it adds Vary: Cookie to each answer, and reads the store for each request
//     with a cookie.
//   - The session is stored when the handler begins to answer. What it changes after that
//     is lost. The library does not notice a flush before the status: the cookie is not
//     sent then. Call WriteHeader first.
//   - LoadAndSave must be outside of middleware that reads the session, and of Timeout,
//     whose 503 would otherwise be sent without the cookie.
//   - Cookies are sent by other sites too. SameSite=Lax prevents this for POST in most
//     browsers, and [http.CrossOriginProtection] in all.
//   - The default store is the memory of one process. scs has stores for databases.
package sessions

import (
	"log/slog"
	"net/http"
	"time"

	"github.com/alexedwards/scs/v2"
	"github.com/muxwell/muxwell"
)

// New returns a manager whose sessions end after 12 hours, or one hour without a request.
// Browsers send its cookie over TLS only, and to localhost.
func New() *scs.SessionManager {
	m := scs.New()
	m.Lifetime, m.IdleTimeout = 12*time.Hour, time.Hour
	m.Cookie.Name, m.Cookie.Secure = "__Host-session", true
	m.HashTokenInStore = true // so that who reads the store cannot log in
	m.ErrorFunc = func(w http.ResponseWriter, r *http.Request, err error) {
		slog.ErrorContext(r.Context(), "session", "error", err)
		http.Error(w, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
	}
	return m
}

// LogIn returns a handler of a form. It stores the user that check returns, unless that is
// "". The session gets another token, so that one that was planted before is worthless.
func LogIn(m *scs.SessionManager, check func(*http.Request) string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		user := check(r)
		if user == "" {
			http.Error(w, "wrong name or password", http.StatusUnauthorized)
			return
		}
		if err := m.RenewToken(r.Context()); err != nil {
			m.ErrorFunc(w, r, err)
			return
		}
		m.Put(r.Context(), "user", user)
		http.Redirect(w, r, "/account", http.StatusSeeOther)
	}
}

// Require returns middleware that redirects requests without a user to /login.
func Require(m *scs.SessionManager) muxwell.Middleware {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if m.GetString(r.Context(), "user") == "" {
				http.Redirect(w, r, "/login", http.StatusSeeOther)
				return
			}
			w.Header().Set("Cache-Control", "no-store")
			next.ServeHTTP(w, r)
		})
	}
}
