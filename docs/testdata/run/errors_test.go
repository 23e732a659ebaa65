package page

import (
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/muxwell/muxwell"
)

func getOrder(_ http.ResponseWriter, r *http.Request) error {
	_, err := muxwell.Param[uint32](r, "id")
	return err
}

// The table below the code has what clients get.
func Test(t *testing.T) {
	server = new(http.Server)
	register()
	guide, err := os.ReadFile(os.Getenv("GUIDE"))
	if err != nil {
		t.Fatal(err)
	}
	rows := regexp.MustCompile("\\| `(\\S+) (\\S+)` \\| `(\\d+)`, `(\\{.*\\})` \\|").FindAllStringSubmatch(string(guide), -1)
	if len(rows) != 3 {
		t.Fatalf("%d rows found, want 3", len(rows))
	}
	for _, row := range rows {
		w := httptest.NewRecorder()
		server.Handler.ServeHTTP(w, httptest.NewRequest(row[1], row[2], nil))
		if got := strings.TrimSpace(w.Body.String()); got != row[4] || http.StatusText(w.Code) == "" || row[3] != strings.Fields(w.Result().Status)[0] {
			t.Errorf("%s %s: got %d %s, want %s %s", row[1], row[2], w.Code, got, row[3], row[4])
		}
	}
}
