package main

import (
	"slices"
	"strings"
	"testing"
)

func TestParseFlags(t *testing.T) {
	tests := []struct {
		args     string
		addr     string
		operands []string
	}{
		{"", "default", nil},
		{"a", "default", []string{"a"}},
		{"-addr x a", "x", []string{"a"}},
		{"a -addr x", "x", []string{"a"}},
		{"a -addr=x b", "x", []string{"a", "b"}},
		{"-", "default", []string{"-"}},
		{"- -addr x", "x", []string{"-"}},
		{"-- -addr x", "default", []string{"-addr", "x"}},
		{"a -- -addr x", "default", []string{"a", "-addr", "x"}},
		{"-addr x --", "x", nil},
	}
	for _, tt := range tests {
		fs := newFlagSet(command{name: "test"})
		addr := fs.String("addr", "default", "")
		operands, err := parseFlags(fs, strings.Fields(tt.args))
		if err != nil || *addr != tt.addr || !slices.Equal(operands, tt.operands) {
			t.Errorf("parseFlags(%q) = %q, %v with -addr %q, want %q with %q", tt.args, operands, err, *addr, tt.operands, tt.addr)
		}
	}
}
