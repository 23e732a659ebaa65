package main

import (
	"bytes"
	"fmt"
	"os/exec"
	"strings"
)

// git runs git in a directory and returns its output without the final line break.
func git(dir string, args ...string) (string, error) {
	var out, problems bytes.Buffer
	c := exec.Command("git", args...)
	c.Dir, c.Stdout, c.Stderr = dir, &out, &problems
	if err := c.Run(); err != nil {
		return "", fmt.Errorf("git %s in %s: %w\n%s", strings.Join(args, " "), dir, err, bytes.TrimSpace(problems.Bytes()))
	}
	return strings.TrimRight(out.String(), "\n"), nil
}
