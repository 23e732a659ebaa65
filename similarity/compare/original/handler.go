package original

import (
	"encoding/json"
	"io"
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

// Floor returns a service that reads a request's body and answers with a constant. Its time
// is that of the server around the others.
func Floor() http.Handler {
	body, err := json.Marshal(answer{0.5, Interpretation(0.5)})
	if err != nil {
		panic(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /similarity", func(w http.ResponseWriter, r *http.Request) {
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			return // the client is gone
		}
		w.Header().Set("Content-Type", "application/json")
		w.Write(body)
	})
	return mux
}
