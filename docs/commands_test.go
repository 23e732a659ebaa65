package docs

import (
	"context"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A command is one that a guide shows, in a block of sh or behind a '$' in a block of
// console, in which its output follows.
type command struct {
	page, text string
	line       int
	output     string // as it is shown; "" in a block of sh
}

// A way says how a command is tried.
type way struct {
	instead string // what is run in place of the command; "" for the command itself
	why     string // why it is not run at all
}

var asShown = way{}

// ways has every command of the guides, by page. Commands run in bash, in the root of
// the repository; those of migrate-from-gorilla.md in a program that imports gorilla/mux.
var ways = map[string]map[string]way{
	"adding-a-router.md": { // the tests of routebench read its commands too
		"cd routebench":                       {why: "it changes nothing by itself"},
		"go get github.com/go-chi/chi@v1.5.5": {why: "it would change routebench/go.mod"},
		"go test ./routers":                   {instead: "go vet ./routebench/routers"}, // .ci/run test has the tests
		"go test ./matrix":                    {instead: "go vet ./routebench/matrix"},
		"go run . -quick -routers chi1,chi":   {why: ".ci/run routebench runs such a command; the router is the reader's"},
		"go run . -baseline muxwell -routers known,fox,denco,violetear -json all.json -html all.html": {
			why: "the routers are the reader's",
		},
		"go run . -baseline muxwell -routers fox,denco,violetear,muxwell,ServeMux -json new.json": {
			instead: `go run ./routebench -quick -slice 1ms -run '^Param$' -baseline muxwell -routers muxwell,ServeMux -json /dev/null`,
		},
		"go run . -from new.json -html new.html -markdown new.md": {
			instead: "go run ./routebench -from routebench/results/classic.json -html /dev/null -markdown /dev/stderr",
		},
	},
	"command.md": {
		"go install github.com/muxwell/muxwell/cmd/muxwell@latest":                                                                {why: ".ci/run release installs it as a release has it"},
		"go run ./cmd/muxwell serve routes/github.txt":                                                                            {why: ".ci/run serve runs it"},
		"go run ./cmd/muxwell match routes/options.txt GET '/search?q=go'":                                                        asShown,
		"go run ./cmd/muxwell match -H X-Forwarded-For:10.1.2.3 -client 192.0.2.7 routes/options.txt GET https://localhost/admin": asShown,
		"go run ./cmd/muxwell check routes/github.txt":                                                                            asShown,
	},
	"compatibility.md": {
		"go build -tags muxwell_safe ./...": asShown,
	},
	"guide.md": {
		"go run ./examples/service": {
			instead: `dir=$(mktemp -d)
go build -o "$dir/service" ./examples/service
"$dir/service" -addr localhost:0 >"$dir/out" & service=$!
until grep -q '^serving on http' "$dir/out"; do kill -0 $service; sleep 0.1; done
kill $service; wait $service
rm -r "$dir"`,
		},
	},
	"migrate-by-machine.md": {
		"go install github.com/muxwell/muxwell/vet/cmd/muxwell-vet@latest":  {why: ".ci/run release installs it as a release has it"},
		"muxwell-vet migrate -diff ./...":                                   {why: "the tests of vet/internal/migrate run it"},
		"muxwell-vet migrate -w ./...":                                      {why: "the tests of vet/internal/migrate run it"},
		"go get github.com/muxwell/muxwell && go mod tidy && go test ./...": {why: "vet/realprograms.sh tests what was migrated"},
	},
	"migrate-from-gorilla.md": {
		"go get github.com/muxwell/muxwell": asShown,
		`grep -rl --include='*.go' --exclude-dir=vendor '"github.com/gorilla/mux"' . |
xargs sed -i 's#"github.com/gorilla/mux"#"github.com/muxwell/muxwell/gorilla/mux"#'`: asShown,
		"go mod tidy":                          asShown,
		"go mod vendor":                        asShown,
		"go test ./...":                        asShown,
		"go mod edit -godebug=default=go1.22":  asShown,
		"go get github.com/gorilla/mux@v1.8.1": asShown,
		"go mod edit -replace=github.com/gorilla/mux=github.com/muxwell/muxwell/gorilla/replace@latest": {
			instead: `go mod edit -replace="github.com/gorilla/mux=$(go list -m -f '{{.Dir}}' github.com/muxwell/muxwell)/gorilla/replace"`,
		},
		"go mod why -m github.com/gorilla/mux": asShown,
		"gorilla/conformance/realprograms.sh":  {why: "it downloads other programs; .ci/run shell reads it"},
	},
	"optimisation-journey.md": { // they take minutes, and Rust
		"go run ./routebench/figures -measure similarity": {
			instead: "go test -run - -bench 'Answer|Normalise' -cpu 1 -benchtime 1x ./similarity/compare/original ./similarity/compare/normalise ./similarity/score",
		},
		"go run ./similarity/compare -markdown similarity/compare/results/services.txt -json similarity/compare/results/services.json": {
			instead: "go vet ./similarity/compare",
		},
	},
	"performance.md": { // benchmarks run once; whole comparisons are for .ci/run routebench
		"go test -run - -bench Serve -cpu 1,2 -count 10 -benchtime 0.2s ./internal/benchmarks | go tool benchstat -col /mux -": {
			instead: "go test -run - -bench Serve/row=Param/ -cpu 1 -benchtime 1x ./internal/benchmarks | go tool benchstat -col /mux -",
		},
		"go test -run - -bench Around ./internal/benchmarks":   {instead: "go test -run - -bench Around -benchtime 1x ./internal/benchmarks"},
		"go test -run - -bench Language ./internal/benchmarks": {instead: "go test -run - -bench Language -benchtime 1x ./internal/benchmarks"},
		"go test -run - -bench Scale ./internal/benchmarks":    {instead: "go test -run - -bench 'Scale/routes=1000$/' -benchtime 1x ./internal/benchmarks"},
		"go test -run - -bench 'Update/' -benchtime 20x .":     {instead: "go test -run - -bench 'Update/routes=10000$/' -benchtime 1x ."},
		"go run ./routebench/figures -measure benchmarks":      {instead: "go vet ./routebench/figures"}, // it takes a quarter of an hour
		"go run ./routebench/figures":                          {why: "it changes nothing if -check reports nothing, which the tests of routebench/figures see to"},
		"go run ./routebench/figures -check":                   asShown,
		"go run ./routebench":                                  {why: ".ci/run routebench runs a part of it"},
		"go run ./routebench -quick -routers muxwell,muxwell-value,ServeMux": {
			instead: "go run ./routebench -quick -slice 1ms -run '^Param$' -routers muxwell,muxwell-value,ServeMux",
		},
		"go run ./routebench -routes routes/gplus.txt -html report.html": {
			instead: "go run ./routebench -quick -slice 1ms -run '^All$' -routers muxwell,ServeMux -routes routes/gplus.txt -html /dev/null",
		},
		"go test -run Alloc . ./internal/... ./middleware": asShown,
	},
	"security.md": {
		"go test -run 'TestFault|TestRobust' ./internal/tests/...":                      asShown,
		"go test -run - -fuzz '^FuzzServeMux$' -fuzztime 30s ./internal/tests/servemux": {instead: "go test -run '^FuzzServeMux$' ./internal/tests/servemux"}, // .ci/run fuzz fuzzes
		"go test ./internal/tests/exhaustive -run TestExhaustive -all -timeout 0 -v": {
			instead: "go test ./internal/tests/exhaustive -run TestExhaustive -all -shard 0/20000 -timeout 0 -v",
		},
	},
	"vet.md": { // the tests of vet/cmd/muxwell-vet run the command
		"go install github.com/muxwell/muxwell/vet/cmd/muxwell-vet@latest": {why: ".ci/run release installs it as a release has it"},
		"muxwell-vet ./...":                          {instead: "go run ./vet/cmd/muxwell-vet ./examples/..."},
		"go vet -vettool=$(which muxwell-vet) ./...": {why: "a test of vet/cmd/muxwell-vet does it"},
		"muxwell-vet -fix ./...":                     {why: "it changes files; a test of vet/cmd/muxwell-vet does it"},
		"muxwell-vet routes ./... | muxwell check -": {
			instead: "go run ./vet/cmd/muxwell-vet routes ./examples/service | go run ./cmd/muxwell check -",
		},
		"muxwell-vet routes ./... | muxwell match - GET /users/7": {
			instead: "go run ./vet/cmd/muxwell-vet routes ./examples/service | go run ./cmd/muxwell match - GET /api/orders/7",
		},
		"muxwell-vet routes -format json ./...":       {instead: "go run ./vet/cmd/muxwell-vet routes -format json ./examples/service"},
		"muxwell-vet routes -format openapi ./...":    {instead: "go run ./vet/cmd/muxwell-vet routes -format openapi ./examples/service"},
		"muxwell-vet routes -router main.go:12 ./...": {instead: "go run ./vet/cmd/muxwell-vet routes -router main.go:12 ./examples/service"},
	},
}

// commandsOf returns the commands of a page.
func commandsOf(p page) []command {
	var commands []command
	for _, b := range p.blocks {
		switch b.lang {
		case "sh":
			commands = append(commands, shellCommands(b)...)
		case "console":
			commands = append(commands, consoleCommands(b)...)
		}
	}
	return commands
}

// shellCommands returns the commands of a block of sh: a line each, and more where one
// ends in an operator or a backslash. Comments are left out.
func shellCommands(b block) []command {
	var commands []command
	goesOn := false
	for i, line := range strings.Split(b.text, "\n") {
		line, _, _ = strings.Cut(" "+line, " #")
		line = strings.TrimSpace(line)
		switch {
		case line == "":
		case goesOn:
			commands[len(commands)-1].text += "\n" + line
		default:
			commands = append(commands, command{page: b.page, text: line, line: b.line + i})
		}
		goesOn = strings.HasSuffix(line, "|") || strings.HasSuffix(line, "\\") || strings.HasSuffix(line, "&&")
	}
	return commands
}

func consoleCommands(b block) []command {
	var commands []command
	for i, line := range strings.SplitAfter(b.text, "\n") {
		if text, ok := strings.CutPrefix(line, "$ "); ok {
			commands = append(commands, command{page: b.page, text: strings.TrimSpace(text), line: b.line + i})
		} else if len(commands) > 0 {
			commands[len(commands)-1].output += line
		}
	}
	return commands
}

// TestCommands: each command of the guides runs, and prints what is shown.
func TestCommands(t *testing.T) {
	for _, p := range guides(t) {
		name := path.Base(p.name)
		t.Run(strings.TrimSuffix(name, ".md"), func(t *testing.T) {
			seen, dir := make(map[string]bool), ".."
			if name == "migrate-from-gorilla.md" {
				dir = newProgram(t)
			}
			for _, c := range commandsOf(p) {
				w, known := ways[name][c.text]
				seen[c.text] = true
				if !known {
					t.Errorf("%s:%d: say in ways, in commands_test.go, how to try the command:\n%s", c.page, c.line, c.text)
				} else if !testing.Short() && !raceEnabled && w.why == "" {
					try(t, c, w, dir)
				}
			}
			for text := range ways[name] {
				if !seen[text] {
					t.Errorf("%s does not show the command %s", p.name, text)
				}
			}
		})
	}
}

// try runs a command, or what is run instead of it, in a folder.
func try(t *testing.T, c command, w way, dir string) {
	t.Helper()
	text := c.text
	if w.instead != "" {
		text = w.instead
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "bash", "-euo", "pipefail", "-c", text)
	cmd.Dir, cmd.WaitDelay = dir, 10*time.Second
	cmd.Env = append(os.Environ(), "GOWORK="+workspace(t))
	if dir != ".." {
		cmd.Env = append(cmd.Env, "GOWORK=off", "GOFLAGS=-mod=mod", "GOPROXY=off", "GOSUMDB=off")
	}
	var stderr strings.Builder
	cmd.Stderr = &stderr
	start := time.Now()
	out, err := cmd.Output()
	t.Logf("%s:%d: %s (%v)", c.page, c.line, text, time.Since(start).Round(time.Millisecond))
	if err != nil {
		t.Errorf("%s:%d: %s: %v\n%s%s", c.page, c.line, text, err, out, &stderr)
	} else if c.output != "" && w == asShown && string(out) != c.output {
		t.Errorf("%s:%d: %s prints\n%s\nthe page shows\n%s", c.page, c.line, text, out, c.output)
	}
}

// newProgram makes a program that imports gorilla/mux, in a module of its own.
func newProgram(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module program\n\ngo 1.26\n\nrequire github.com/gorilla/mux v1.8.1\n\n" +
			"replace github.com/muxwell/muxwell => " + root + "\n",
		"main.go": "package main\n\nimport (\n\t\"net/http\"\n\n\t\"github.com/gorilla/mux\"\n)\n\n" +
			"func main() { http.Handle(\"/\", mux.NewRouter()) }\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
