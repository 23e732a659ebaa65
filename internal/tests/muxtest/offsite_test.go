package muxtest

import "testing"

func TestOffSite(t *testing.T) {
	for _, row := range []struct {
		location string
		off      bool
	}{
		{"/", false},
		{"/evil.com/", false},
		{"/a?next=//evil.com", false},
		{"/%2Fevil.com/", false},
		{"/%5Cevil.com/", false},
		{`/a\b`, false},
		{"/.//evil.com", false},
		{"//evil.com/", true},
		{`/\evil.com`, true},
		{`\/evil.com`, true},
		{`\\evil.com`, true},
		{"/\t/evil.com", true},
		{" //evil.com", true},
		{"/\n/evil.com", true},
		{"\x00//evil.com", true},
		{"http://evil.com/", true},
		{"http:/evil.com", true},
		{"javascript:alert(1)", true},
		{"", true},
		{"evil.com", true},
		{"/a\r\nSet-Cookie: x", true},
		{"/a\x00", true},
	} {
		if why := OffSite(row.location); (why != "") != row.off {
			t.Errorf("OffSite(%q): got %q, want off the site: %v", row.location, why, row.off)
		}
	}
}
