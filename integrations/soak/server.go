package soak

import (
	"context"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"time"
)

// discard formats the lines of a log and discards them.
var discard = slog.NewTextHandler(io.Discard, nil)

// stall is how long a server waits for stalled clients.
const stall = time.Second

// servers are the servers of the program under test, with their HTTP clients:
//
//	plain      HTTP/1.1 and HTTP/2 without TLS
//	tls        HTTP/1.1 and HTTP/2 with TLS
//	single     HTTP/1.1 only: one that has HTTP/2 too looks for its preface, leaves
//	           malformed requests in the socket, and so resets their connections
//	impatient  HTTP/1.1, and soon tired of clients that send nothing
type servers struct {
	plain, tls, single, impatient *httptest.Server

	clients [3]*client
}

// A client sends requests with one protocol.
type client struct {
	http  *http.Client
	base  string
	proto int
}

func (s *servers) http1() *client { return s.clients[0] }
func (s *servers) http2() *client { return s.clients[1] }
func (s *servers) h2c() *client   { return s.clients[2] }

// serve starts the servers on the loopback device.
func serve(h http.Handler, errors io.Writer) *servers {
	s, h := &servers{}, removeForms(h)
	for _, server := range []**httptest.Server{&s.plain, &s.tls, &s.single, &s.impatient} {
		*server = httptest.NewUnstartedServer(h)
		(*server).Config.ErrorLog = log.New(errors, "", 0)
		(*server).Config.ReadHeaderTimeout = patience
	}
	var both http.Protocols
	both.SetHTTP1(true)
	both.SetUnencryptedHTTP2(true)
	s.plain.Config.Protocols = &both
	s.plain.Start()
	s.tls.EnableHTTP2 = true
	s.tls.StartTLS()
	s.single.Start()
	s.impatient.Config.ReadHeaderTimeout = stall
	s.impatient.Config.IdleTimeout = stall
	s.impatient.Start()

	var clear http.Protocols
	clear.SetUnencryptedHTTP2(true)
	s.clients = [...]*client{
		newClient(&http.Transport{MaxIdleConnsPerHost: 100}, s.plain.URL, 1),
		newClient(s.tls.Client().Transport.(*http.Transport).Clone(), s.tls.URL, 2),
		newClient(&http.Transport{Protocols: &clear}, s.plain.URL, 2),
	}
	return s
}

// removeForms removes the temporary files of forms of HTTP/2 requests, using the request
// that h got. The server of Go 1.27 does not, because it looks for them in another request.
func removeForms(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ProtoMajor == 2 {
			defer func() {
				if r.MultipartForm != nil {
					_ = r.MultipartForm.RemoveAll() // files that stay are found by those who compare
				}
			}()
		}
		h.ServeHTTP(w, r)
	})
}

func newClient(t *http.Transport, base string, proto int) *client {
	t.DisableCompression = true
	t.ExpectContinueTimeout = patience
	return &client{
		http: &http.Client{
			Transport:     t,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
		base:  base,
		proto: proto,
	}
}

// close closes the clients' connections and the servers, and records what does not close.
func (s *servers) close(f *faults) {
	for _, c := range s.clients {
		c.http.CloseIdleConnections()
	}
	ctx, cancel := context.WithTimeout(context.Background(), grace)
	defer cancel()
	for _, server := range []*httptest.Server{s.plain, s.tls, s.single, s.impatient} {
		if err := server.Config.Shutdown(ctx); err != nil {
			f.addf("hangs", "connections of %s are not over %v after the last request: %v; the goroutines:\n%s",
				server.URL, grace, err, goroutines())
			server.CloseClientConnections()
			continue
		}
		server.Close()
	}
}

// dial opens a connection to a server, with a deadline for hanging exchanges.
func (s *suite) dial(name string, server *httptest.Server) (*net.TCPConn, bool) {
	c, err := net.DialTimeout("tcp", server.Listener.Addr().String(), patience)
	if err != nil {
		s.faults.addf(name, "connecting: %v", err)
		return nil, false
	}
	_ = c.SetDeadline(time.Now().Add(patience)) // of a connection that is open it cannot fail
	return c.(*net.TCPConn), true
}
