package muxtest

import (
	"fmt"
	"net/http"
	"sync"
	"testing"
)

// AskForMissing asks a server for paths that it does not have, /CLIENT/missing/N, with 16
// clients at a time. The test fails if an answer is not a 404, or a 503 of a timeout.
func AskForMissing(t *testing.T, url string) {
	t.Helper()
	var wg sync.WaitGroup
	for client := range 16 {
		wg.Go(func() {
			for n := range 5 {
				resp, err := http.Get(fmt.Sprintf("%s/%d/missing/%d", url, client, n))
				if err != nil {
					t.Error(err)
					return
				}
				resp.Body.Close()
				if resp.StatusCode != http.StatusNotFound && resp.StatusCode != http.StatusServiceUnavailable {
					t.Errorf("got status %d, want 404 or 503", resp.StatusCode)
				}
			}
		})
	}
	wg.Wait()
}
