package mux

import (
	"net/url"
	"strings"
)

// firstValue returns the first value of a key in a raw query, unescaped, and
// whether there is one. Pairs end at & or ;, and those whose escapes are not valid
// do not count. It allocates only where the value has escapes.
func firstValue(query, key string) (value string, ok bool) {
	for start := 0; start < len(query); {
		stop := start
		for stop < len(query) && query[stop] != '&' && query[stop] != ';' {
			stop++
		}
		pair := query[start:stop]
		if start = stop + 1; pair == "" || key != "" && pair[0] != key[0] && pair[0] != '%' && pair[0] != '+' {
			continue // which rules most out
		}
		name, value, _ := strings.Cut(pair, "=")
		if !isKey(name, key) {
			continue
		}
		if strings.IndexByte(value, '%') < 0 && strings.IndexByte(value, '+') < 0 {
			return value, true
		}
		if value, err := url.QueryUnescape(value); err == nil {
			return value, true
		}
	}
	return "", false
}

// isKey reports whether name, as a query spells it, is key.
func isKey(name, key string) bool {
	if len(name) < len(key) {
		return false // an escape is longer than what it stands for
	}
	i := 0
	for ; i < len(name) && len(key) > 0; i++ {
		c := name[i]
		switch c {
		case '+':
			c = ' '
		case '%':
			if i+2 >= len(name) || !isHex(name[i+1]) || !isHex(name[i+2]) {
				return false
			}
			c = unhex(name[i+1])<<4 | unhex(name[i+2])
			i += 2
		}
		if c != key[0] {
			return false
		}
		key = key[1:]
	}
	return i == len(name) && key == ""
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

func unhex(c byte) byte {
	switch {
	case c <= '9':
		return c - '0'
	case c <= 'F':
		return c - 'A' + 10
	}
	return c - 'a' + 10
}
