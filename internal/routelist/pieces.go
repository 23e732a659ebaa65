package routelist

import "strings"

// A Piece is a part of a pattern's host or path: literal text, or a parameter with its
// braces.
type Piece struct {
	Text  string
	Param bool
}

// Pieces splits a host, a path, or a part of one that was cut outside of braces.
func Pieces(text string) []Piece {
	var pieces []Piece
	for text != "" {
		size := strings.IndexByte(text, '{')
		if size == 0 {
			size = ClosingBrace(text, 0) + 1
		}
		if size <= 0 { // no brace, or none that closes
			size = len(text)
		}
		pieces = append(pieces, Piece{text[:size], text[0] == '{'})
		text = text[size:]
	}
	return pieces
}
