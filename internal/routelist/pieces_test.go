package routelist

import (
	"slices"
	"testing"
)

func TestPieces(t *testing.T) {
	tests := []struct {
		path string
		want []Piece
	}{
		{"/", []Piece{{"/", false}}},
		{"/a/{b}", []Piece{{"/a/", false}, {"{b}", true}}},
		{"/{a}/{b...}", []Piece{{"/", false}, {"{a}", true}, {"/", false}, {"{b...}", true}}},
		{"/{y:[0-9]{4}}-{m}.x", []Piece{{"/", false}, {"{y:[0-9]{4}}", true}, {"-", false}, {"{m}", true}, {".x", false}}},
		{"/{a:\\}}{b", []Piece{{"/", false}, {`{a:\}}`, true}, {"{b", true}}},
		{`/{a\}}`, []Piece{{"/", false}, {`{a\}`, true}, {"}", false}}},
		{`/{x:[ #/{}]+\{}/y`, []Piece{{"/", false}, {`{x:[ #/{}]+\{}`, true}, {"/y", false}}},
		{"{tenant}.{zone:[a-z]{2}}.example.com:80", []Piece{{"{tenant}", true}, {".", false}, {"{zone:[a-z]{2}}", true}, {".example.com:80", false}}},
		{"/a}b", []Piece{{"/a}b", false}}},
		{"/{a", []Piece{{"/", false}, {"{a", true}}},
	}
	for _, tt := range tests {
		if got := Pieces(tt.path); !slices.Equal(got, tt.want) {
			t.Errorf("Pieces(%q) = %v, want %v", tt.path, got, tt.want)
		}
	}
}
