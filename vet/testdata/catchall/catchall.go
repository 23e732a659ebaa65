package catchall

import "net/http"

func routes(m *http.ServeMux) {
	m.HandleFunc("/", nil)      // want `the final slash matches every path below it; for this path only write "/{\$}"`
	m.HandleFunc("/tree/", nil) // want `write "/tree/{\$}"`
	m.HandleFunc("/tree/{$}", nil)
	m.HandleFunc("/tree/{path...}", nil)
}
