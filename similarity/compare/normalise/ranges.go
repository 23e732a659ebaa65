package normalise

func asciiRanges(dst, text []byte) []byte {
	for _, c := range text {
		switch {
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9', c == '_', c == ' ':
			dst = append(dst, c)
		case c >= 'A' && c <= 'Z':
			dst = append(dst, c+'a'-'A')
		case c == '\t' || c == '\n' || c == '\f' || c == '\r':
			dst = append(dst, ' ')
		}
	}
	return dst
}
