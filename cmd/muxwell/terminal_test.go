package main

import (
	"encoding/json"
	"testing"
)

func TestPrintable(t *testing.T) {
	tests := []struct{ text, want string }{
		{"", ""},
		{"└─► é \"a\" \\ 😀\n\tb\n", "└─► é \"a\" \\ 😀\n\tb\n"},
		{"\x1b[2J\r\x00\x7f", `\x1b[2J\r\x00\x7f`},
		{"\u009b\u202e\u200b\ufeff\u00a0\u2028\U000e0001", `\u009b\u202e\u200b\ufeff\u00a0\u2028\U000e0001`},
		{"\xff\xc3(\ufffd", `\xff\xc3(` + "\ufffd"},
		{"'", "'"},
	}
	for _, tt := range tests {
		if got := printable(tt.text); got != tt.want {
			t.Errorf("printable(%q) = %q, want %q", tt.text, got, tt.want)
		}
	}
}

// What is escaped in JSON does not print, and says the same.
func TestPlainJSON(t *testing.T) {
	for _, text := range []string{"a é 😀", "\x7f\u009b\u202e\ufeff\U000e0001\U0010ffff", "\x00\x1b\n\t\"\\"} {
		var got string
		b := plainJSON(encodeJSON(text))
		if err := json.Unmarshal(b, &got); err != nil || got != text || printable(string(b)) != string(b) {
			t.Errorf("plainJSON of %q is %s, which says %q, %v", text, b, got, err)
		}
	}
}
