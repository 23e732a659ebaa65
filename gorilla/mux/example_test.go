package mux_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/muxwell/muxwell/gorilla/mux"
)

func Example() {
	r := mux.NewRouter()
	r.HandleFunc("/articles/{category}/{id:[0-9]+}", func(w http.ResponseWriter, r *http.Request) {
		vars := mux.Vars(r)
		fmt.Fprintln(w, vars["category"], vars["id"])
	}).Methods("GET").Name("article")

	w := httptest.NewRecorder()
	r.ServeHTTP(w, httptest.NewRequest("GET", "/articles/go/42", nil))
	fmt.Print(w.Body)

	u, err := r.Get("article").URL("category", "go", "id", "43")
	fmt.Println(u, err)
	// Output:
	// go 42
	// /articles/go/43 <nil>
}

func ExampleRoute_Subrouter() {
	r := mux.NewRouter()
	api := r.Host("{tenant}.example.com").PathPrefix("/api").Subrouter()
	api.HandleFunc("/users/{id}", func(w http.ResponseWriter, r *http.Request) {
		path, _ := mux.CurrentRoute(r).GetPathTemplate()
		fmt.Fprintln(w, mux.Vars(r)["tenant"], path)
	})

	w := httptest.NewRecorder()
	r.ServeHTTP(w, httptest.NewRequest("GET", "http://acme.example.com/api/users/7", nil))
	fmt.Print(w.Body)
	// Output: acme /api/users/{id}
}

func ExampleRouter_Walk() {
	r := mux.NewRouter()
	r.Path("/").Methods("GET")
	api := r.PathPrefix("/api").Subrouter()
	api.Path("/users").Methods("GET", "POST")

	r.Walk(func(route *mux.Route, _ *mux.Router, ancestors []*mux.Route) error {
		path, _ := route.GetPathTemplate()
		methods, _ := route.GetMethods()
		fmt.Println(len(ancestors), path, methods)
		return nil
	})
	// Output:
	// 0 / [GET]
	// 0 /api []
	// 1 /api/users [GET POST]
}

func ExampleRouter_Use() {
	r := mux.NewRouter()
	r.Use(func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprintln(w, "before", mux.CurrentRoute(r).GetName())
			next.ServeHTTP(w, r)
		})
	})
	r.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "home") }).Name("home")

	w := httptest.NewRecorder()
	r.ServeHTTP(w, httptest.NewRequest("GET", "/", nil))
	fmt.Print(w.Body)
	// Output:
	// before home
	// home
}

func ExampleCORSMethodMiddleware() {
	r := mux.NewRouter()
	r.HandleFunc("/users", func(http.ResponseWriter, *http.Request) {}).Methods("GET", "OPTIONS")
	r.HandleFunc("/users", func(http.ResponseWriter, *http.Request) {}).Methods("POST")
	r.Use(mux.CORSMethodMiddleware(r))

	w := httptest.NewRecorder()
	r.ServeHTTP(w, httptest.NewRequest("OPTIONS", "/users", nil))
	fmt.Println(w.Header().Get("Access-Control-Allow-Methods"))
	// Output: GET,OPTIONS,POST
}

func ExampleSetURLVars() {
	handler := func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, mux.Vars(r)["id"]) }

	w := httptest.NewRecorder()
	handler(w, mux.SetURLVars(httptest.NewRequest("GET", "/", nil), map[string]string{"id": "7"}))
	fmt.Println(w.Body)
	// Output: 7
}
