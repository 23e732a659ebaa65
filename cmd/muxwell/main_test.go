package main

import (
	"bytes"
	"context"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/muxwell/muxwell/internal/routelist"
)

// TestMain lets a test run this binary as the program itself.
func TestMain(m *testing.M) {
	if os.Getenv("MUXWELL_TEST_MAIN") != "" {
		main()
	}
	os.Exit(m.Run())
}

// call runs the program to its end.
func call(t *testing.T, stdin string, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, err bytes.Buffer
	status = run(t.Context(), args, stdio{strings.NewReader(stdin), &out, &err})
	return status, out.String(), err.String()
}

// escapeReplacement returns JSON in which U+FFFD is escaped. encoding/json
// escapes it up to Go 1.26.
func escapeReplacement(json string) string { return strings.ReplaceAll(json, "\ufffd", `\ufffd`) }

func TestHelp(t *testing.T) {
	tests := []struct {
		args string
		want []string // lines of the text
	}{
		{"-h", []string{"  serve     serve a list of routes over HTTP, to see which route matches a request", "  help      print the usage of muxwell or of one of its commands"}},
		{"--help", []string{"Commands:"}},
		{"help", []string{"Commands:"}},
		{"help serve", []string{"Usage: muxwell serve [-addr HOST:PORT] FILE", "  -addr HOST:PORT"}},
		{"serve -h", []string{"Usage: muxwell serve [-addr HOST:PORT] FILE"}},
		{"serve list.txt --help", []string{"Usage: muxwell serve [-addr HOST:PORT] FILE"}},
		{"help match", []string{"Usage: muxwell match [-H HEADER] [-client ADDR] [-json] FILE METHOD URL", "  -json"}},
		{"match list.txt -h", []string{"Usage: muxwell match [-H HEADER] [-client ADDR] [-json] FILE METHOD URL"}},
		{"help check", []string{"Usage: muxwell check [-all] [-json] FILE", "  -all", "  -json"}},
		{"check -h", []string{"Usage: muxwell check [-all] [-json] FILE"}},
		{"help version", []string{"Usage: muxwell version"}},
		{"help help", []string{"Usage: muxwell help [COMMAND]"}},
	}
	for _, tt := range tests {
		status, stdout, stderr := call(t, "", strings.Fields(tt.args)...)
		if status != 0 || stderr != "" {
			t.Errorf("muxwell %s: status %d, stderr %q, want 0 and nothing", tt.args, status, stderr)
		}
		for _, want := range tt.want {
			if !strings.Contains("\n"+stdout, "\n"+want+"\n") {
				t.Errorf("muxwell %s prints no line %q:\n%s", tt.args, want, stdout)
			}
		}
	}
}

// Each command is in the usage text, and its own text says how it is called.
func TestHelpCoversCommands(t *testing.T) {
	_, usage, _ := call(t, "", "help")
	if !strings.Contains(usage, "\n\n"+routelist.Usage()+"\n") {
		t.Errorf("muxwell help does not list the options of routes:\n%s", usage)
	}
	for _, c := range commands() {
		if !strings.Contains(usage, "\n  "+c.name+" ") {
			t.Errorf("muxwell help does not list %s:\n%s", c.name, usage)
		}
		_, text, _ := call(t, "", "help", c.name)
		if !strings.HasPrefix(text, "Usage: muxwell "+c.name) {
			t.Errorf("muxwell help %s begins %.40q", c.name, text)
		}
	}
}

func TestVersion(t *testing.T) {
	status, stdout, stderr := call(t, "", "version")
	if status != 0 || !strings.HasPrefix(stdout, "muxwell ") || !strings.Contains(stdout, " go1.") || stderr != "" {
		t.Errorf("muxwell version: status %d, stdout %q, stderr %q", status, stdout, stderr)
	}
}

// A wrong call is one line that says what is wrong, one with a hint, and
// status 2.
func TestUsageErrors(t *testing.T) {
	tests := []struct {
		args string
		want string
	}{
		{"", "muxwell: no command given\nRun 'muxwell -h' for usage.\n"},
		{"sevre", `muxwell: unknown command "sevre"; commands are serve, match, check, version, help` + "\nRun 'muxwell -h' for usage.\n"},
		{"-addr :0 serve", "muxwell: flag -addr before the command; put flags after it\nRun 'muxwell -h' for usage.\n"},
		{"help sevre", `muxwell help: unknown command "sevre"; commands are serve, match, check, version, help` + "\nRun 'muxwell help -h' for usage.\n"},
		{"help serve version", "muxwell help: help takes one command, not serve version\nRun 'muxwell help -h' for usage.\n"},
		{"version 2", "muxwell version: version takes no operands\nRun 'muxwell version -h' for usage.\n"},
		{"serve", "muxwell serve: no route list; pass a FILE, or - for standard input\nRun 'muxwell serve -h' for usage.\n"},
		{"serve a.txt b.txt", "muxwell serve: one list is expected, not a.txt b.txt\nRun 'muxwell serve -h' for usage.\n"},
		{"serve -port 1 a.txt", "muxwell serve: flag provided but not defined: -port\nRun 'muxwell serve -h' for usage.\n"},
		{"serve a.txt -port 1", "muxwell serve: flag provided but not defined: -port\nRun 'muxwell serve -h' for usage.\n"},
		{"serve a.txt -addr", "muxwell serve: flag needs an argument: -addr\nRun 'muxwell serve -h' for usage.\n"},
		{"match", "muxwell match: match takes three operands, FILE METHOD URL, such as routes.txt GET /users/42\nRun 'muxwell match -h' for usage.\n"},
		{"match a.txt /users/42", "muxwell match: match takes three operands, FILE METHOD URL, such as routes.txt GET /users/42\nRun 'muxwell match -h' for usage.\n"},
		{"match a.txt GET /a /b", "muxwell match: match takes one request, not GET /a /b\nRun 'muxwell match -h' for usage.\n"},
		{"match a.txt /a GET", `muxwell match: "/a" is not a method; METHOD comes before URL, as in GET /users/42` + "\nRun 'muxwell match -h' for usage.\n"},
		{"match a.txt GET /a -xml", "muxwell match: flag provided but not defined: -xml\nRun 'muxwell match -h' for usage.\n"},
		{"match -json=2 a.txt GET /a", `muxwell match: invalid boolean value "2" for -json: parse error` + "\nRun 'muxwell match -h' for usage.\n"},
		{"check", "muxwell check: no route list; pass a FILE, or - for standard input\nRun 'muxwell check -h' for usage.\n"},
		{"check a.txt b\x1b.txt", "muxwell check: one list is expected, not a.txt b\\x1b.txt\nRun 'muxwell check -h' for usage.\n"},
		{"check -strict a.txt", "muxwell check: flag provided but not defined: -strict\nRun 'muxwell check -h' for usage.\n"},
		{"serve a.txt -addr 8080", `muxwell serve: -addr "8080" is not HOST:PORT, as in localhost:8080 or :8080` + "\nRun 'muxwell serve -h' for usage.\n"},
	}
	for _, tt := range tests {
		status, stdout, stderr := call(t, "", strings.Fields(tt.args)...)
		if status != 2 || stdout != "" || stderr != tt.want {
			t.Errorf("muxwell %s: status %d, stdout %q, stderr:\n%s\nwant 2, nothing, and:\n%s", tt.args, status, stdout, stderr, tt.want)
		}
	}
}

// What fails is told in one error, and status 1.
func TestServeFailures(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for name, text := range map[string]string{
		"bad.txt":    "GET /a\n\n\n\n\n\nGET /users/{id\n",
		"twice.txt":  "GET /a\nPOST /b\nGET /a\n",
		"empty.txt":  "# nothing\n",
		"binary.bin": "\x7fELF\x00\x00",
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir("lists", 0o700); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		file  string
		stdin string
		want  string // how stderr begins
	}{
		{"missing.txt", "", "muxwell serve: open missing.txt: "},
		{filepath.Join("missing", "-"), "", "muxwell serve: open missing"},
		{"lists", "", "lists: "},
		{"empty.txt", "", "empty.txt: the list has no routes; "},
		{"binary.bin", "", "binary.bin:1: the list has a byte 0x00; is it a binary file?\n"},
		{"bad.txt", "", "bad.txt:7: '{' is never closed; add the '}', or for the character itself write %7B\n\t7 | GET /users/{id\n\t  |            ^\n"},
		{"twice.txt", "", "twice.txt:3: conflicts with line 1: both match the same GET requests like \"/a\". Remove one of them\n\t1 | GET /a\n\t3 | GET /a\n\t  | ^\n"},
		{"-", "", "<standard input>: the list has no routes; "},
		{"-", "GET /{}\n", "<standard input>:1: the parameter has no name; "},
	}
	for _, tt := range tests {
		status, stdout, stderr := call(t, tt.stdin, "serve", "-addr", "localhost:0", tt.file)
		if status != 1 || stdout != "" || !strings.HasPrefix(stderr, tt.want) {
			t.Errorf("muxwell serve %s: status %d, stdout %q, stderr:\n%s\nwant 1, nothing, and:\n%s", tt.file, status, stdout, stderr, tt.want)
		}
	}
}

func TestServeBusyPort(t *testing.T) {
	ln, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	addr := ln.Addr().String()
	status, stdout, stderr := call(t, "GET /a\n", "serve", "-", "-addr", addr)
	if status != 1 || stdout != "" || strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, addr) || !strings.Contains(stderr, "choose another address with -addr") {
		t.Errorf("serve on the busy %s: status %d, stdout %q, stderr %q, want 1, nothing, and a line that names the address and -addr", addr, status, stdout, stderr)
	}
}

// stuck is a terminal at which nobody types.
type stuck struct {
	asked   chan struct{}
	release <-chan struct{}
}

func (s stuck) Read([]byte) (int, error) {
	close(s.asked)
	<-s.release
	return 0, os.ErrClosed
}

func TestInterruptedWhileReading(t *testing.T) {
	for _, args := range []string{"serve -", "match - GET /a", "check -"} {
		ctx, interrupt := context.WithCancel(t.Context())
		release := make(chan struct{})
		defer close(release)
		in := stuck{make(chan struct{}), release}
		go func() {
			<-in.asked
			interrupt()
		}()
		var stdout, stderr bytes.Buffer
		words := strings.Fields(args)
		status := run(ctx, words, stdio{in, &stdout, &stderr})
		wantStatus := 1
		if words[0] == "match" {
			wantStatus = 2 // 1 says that no route takes the request
		}
		if want := "muxwell " + words[0] + ": interrupted while reading the list\n"; status != wantStatus || stderr.String() != want {
			t.Errorf("muxwell %s: status %d, stderr %q, want %d and %q", args, status, stderr.String(), wantStatus, want)
		}
	}
}
