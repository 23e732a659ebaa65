package soak

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
)

const (
	maxBody     = 512 << 10 // of an upload
	inMemory    = 1 << 10   // of a form; the rest is in temporary files
	boundary    = "soak-boundary"
	formType    = "multipart/form-data; boundary=" + boundary
	partOfForm  = "--" + boundary + "\r\nContent-Disposition: form-data; name=\"file\"; filename=\"%d.bin\"\r\n\r\n%s\r\n"
	endOfForm   = "--" + boundary + "--\r\n"
	contentType = "Content-Type"
)

// newForm returns a form with files of these lengths, and upload's answer for it.
func newForm(lengths ...int) (form, answer string) {
	var b strings.Builder
	var files bytes.Buffer
	for i, n := range lengths {
		content := strings.Repeat(string(rune('a'+i)), n)
		fmt.Fprintf(&b, partOfForm, i, content)
		files.WriteString(content)
	}
	b.WriteString(endOfForm)
	return b.String(), fmt.Sprintf("%d files, %s", len(lengths), digest(files.Bytes()))
}

// upload answers with the digest of a form's files, which are temporary files until the
// server removes them.
func (a *app) upload(w http.ResponseWriter, r *http.Request) {
	err := r.ParseMultipartForm(inMemory)
	if a.cut(r, err) {
		return
	}
	if tooLarge := (*http.MaxBytesError)(nil); errors.As(err, &tooLarge) {
		http.Error(w, http.StatusText(http.StatusRequestEntityTooLarge), http.StatusRequestEntityTooLarge)
		return
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	var all bytes.Buffer
	files := r.MultipartForm.File["file"]
	for _, header := range files {
		f, err := header.Open()
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		_, err = io.Copy(&all, f)
		if err = errors.Join(err, f.Close()); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
	}
	_, _ = fmt.Fprintf(w, "%d files, %s", len(files), digest(all.Bytes()))
}

// sendFiles sends a form with files, large and small, with each protocol in turn.
func sendFiles(s *suite, name string, i int) {
	form, answer := newForm(100+i%7, 1<<(10+i%8), 40_000)
	s.exchange(name, s.servers.clients[i%len(s.servers.clients)], call{
		method: "POST", path: "/upload", body: form, header: map[string]string{contentType: formType},
		status: http.StatusOK, answer: answer, runs: 1,
	})
}

// sendTooMuch sends a body that is too large. With a Content-Length it is refused before it
// is sent. Without one, reading it fails in the handler.
func sendTooMuch(s *suite, name string, i int) {
	c := s.servers.clients[i/2%len(s.servers.clients)]
	form, _ := newForm(maxBody + 1<<10)
	x := call{
		method: "POST", path: "/upload", body: form, header: map[string]string{contentType: formType, "Expect": "100-continue"},
		status: http.StatusRequestEntityTooLarge, answer: "Request Entity Too Large\n",
	}
	if i%2 == 0 {
		s.exchange(name, c, x)
		return
	}
	x.header, x.body, x.runs = map[string]string{contentType: formType}, "", 1
	s.exchangeBody(name, c, x, struct{ io.Reader }{strings.NewReader(form)}) // of a length that is not known
}
