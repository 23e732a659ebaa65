package original

import (
	"encoding/json"
	"net/http"
)

// maxBody is the largest body that is read, in bytes.
const maxBody = 4 << 20

type request struct {
	Text1 *string `json:"text1"`
	Text2 *string `json:"text2"`
}

type answer struct {
	Similarity     float64 `json:"similarity"`
	Interpretation string  `json:"interpretation"`
}

// Handler returns the service, POST /similarity with {"text1": …, "text2": …}. An invalid
// request is answered with 400.
func (p Pipeline) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /similarity", func(w http.ResponseWriter, r *http.Request) {
		var in request
		err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody)).Decode(&in)
		if err != nil || in.Text1 == nil || in.Text2 == nil {
			http.Error(w, "send a JSON object with the strings text1 and text2", http.StatusBadRequest)
			return
		}
		similarity := p.Similarity(*in.Text1, *in.Text2)
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(answer{similarity, Interpretation(similarity)})
	})
	return mux
}
