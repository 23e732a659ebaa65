package integrations_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestReadmeTable compares the versions of the table with those of both go.mod.
func TestReadmeTable(t *testing.T) {
	modules := map[string]string{ // by the file of the row
		"cors/cors.go":           "github.com/rs/cors",
		"gzip/gzip.go":           "github.com/klauspost/compress",
		"tracing/tracing.go":     "go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp",
		"metrics/metrics.go":     "github.com/prometheus/client_golang",
		"oidc/oidc.go":           "github.com/coreos/go-oidc/v3",
		"websocket/websocket.go": "github.com/coder/websocket",
		"openapi/doc.go":         "github.com/oapi-codegen/oapi-codegen/v2",
		"connect/connect.go":     "connectrpc.com/connect",
		"sessions/sessions.go":   "github.com/alexedwards/scs/v2",
		"htmx/htmx.go":           "github.com/a-h/templ",
		"mcp/mcp.go":             "github.com/modelcontextprotocol/go-sdk",

		"apart/http3/http3.go":     "github.com/quic-go/quic-go",
		"apart/lambda/lambda.go":   "github.com/aws/aws-lambda-go",
		"apart/gateway/gateway.go": "github.com/grpc-ecosystem/grpc-gateway/v2",
		"apart/sentry/sentry.go":   "github.com/getsentry/sentry-go",
		"apart/datadog/datadog.go": "github.com/DataDog/dd-trace-go/contrib/net/http/v2",
	}
	readme, mod := read(t, "README.md"), read(t, "go.mod")+read(t, "apart/go.mod")
	rows := regexp.MustCompile(`(?m)^\| \[.*\| (v\S+) \|.*\[(\S+)\]\(\S+\) \|$`).FindAllStringSubmatch(readme, -1)
	if len(rows) != len(modules) {
		t.Errorf("README.md has %d libraries, want %d", len(rows), len(modules))
	}
	for _, row := range rows {
		version, file := row[1], row[2]
		if module := modules[file]; module == "" || !strings.Contains(mod, "\t"+module+" "+version) {
			t.Errorf("README.md: %s with %s: go.mod has another version of %q", file, version, module)
		}
		read(t, file)
	}
}

// TestReadmeOrder compares the order of README.md with the one that TestTogether runs.
func TestReadmeOrder(t *testing.T) {
	want := used(t, "together_test.go")
	if got := used(t, "README.md"); len(got) < 5 || !slices.Equal(got, want) {
		t.Errorf("README.md uses %q, and together_test.go %q", got, want)
	}
}

// used returns the functions that make the middleware of the first m.Use in a file.
func used(t *testing.T, name string) []string {
	t.Helper()
	_, block, _ := strings.Cut(read(t, name), "m.Use(\n")
	block, _, _ = strings.Cut(block, "private := ")
	var names []string
	for _, call := range regexp.MustCompile(`(?m)^\t+([\w.]+)\(`).FindAllStringSubmatch(block, -1) {
		names = append(names, call[1])
	}
	return names
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
