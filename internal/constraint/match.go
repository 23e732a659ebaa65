package constraint

import "github.com/muxwell/muxwell/internal/urlpath"

// The classes of a byte, which the functions below and [IsName] use.
const (
	Digit = 1 << iota
	Lower
	Upper
	Hex    // of either case
	Letter = Lower | Upper
)

// Classes holds the classes of each byte. It does not change.
var Classes = func() (classes [256]uint8) {
	for c := range classes {
		switch {
		case '0' <= c && c <= '9':
			classes[c] = Digit | Hex
		case 'a' <= c && c <= 'z':
			classes[c] = Lower
		case 'A' <= c && c <= 'Z':
			classes[c] = Upper
		}
		if 'a' <= c|0x20 && c|0x20 <= 'f' {
			classes[c] |= Hex
		}
	}
	return classes
}()

// isAll reports whether s is not empty and every byte of it has one of the classes.
func isAll(s string, classes uint8) bool {
	for i := range len(s) {
		if Classes[s[i]]&classes == 0 {
			return false
		}
	}
	return s != ""
}

// IsUint reports whether s is decimal digits.
func IsUint(s string) bool {
	for i := range len(s) {
		if s[i]-'0' > 9 {
			return false
		}
	}
	return s != ""
}

func isInt(s string) bool {
	if s != "" && s[0] == '-' {
		s = s[1:]
	}
	return IsUint(s)
}

func isAlpha(s string) bool { return isAll(s, Letter) }
func isAlnum(s string) bool { return isAll(s, Letter|Digit) }
func isHex(s string) bool   { return isAll(s, Hex) }

func isUUID(s string) bool {
	return len(s) == 36 && s[8] == '-' && s[13] == '-' && s[18] == '-' && s[23] == '-' &&
		hexBytes(urlpath.Word(s, 0))&hexBytes(uint64(urlpath.HalfWord(s, 9))|uint64(urlpath.HalfWord(s, 14))<<32)&
			hexBytes(uint64(urlpath.HalfWord(s, 19))|uint64(urlpath.HalfWord(s, 24))<<32)&hexBytes(urlpath.Word(s, 28)) == eachHigh
}

// eachHigh has the high bit of each byte set.
const eachHigh = 0x80 * 0x0101010101010101

// hexBytes returns the high bit of each byte of word that is a hexadecimal digit.
// Adding the difference to 0x80 sets the high bit of a byte below 0x80 if the byte is
// at least the bound; no sum carries into the next byte.
func hexBytes(word uint64) uint64 {
	const each = 0x0101010101010101
	ascii := word &^ eachHigh
	lower := ascii | 0x20*each
	digits := (ascii + (0x80-'0')*each) &^ (ascii + (0x7f-'9')*each)
	letters := (lower + (0x80-'a')*each) &^ (lower + (0x7f-'f')*each)
	return (digits | letters) &^ word & eachHigh
}

// isDate reports whether s is a full-date of RFC 3339 that exists in the calendar.
func isDate(s string) bool {
	if len(s) != len("2006-01-02") || s[4] != '-' || s[7] != '-' || !IsUint(s[:4]) || !IsUint(s[5:7]) || !IsUint(s[8:]) {
		return false
	}
	number := func(i int) int { return int(s[i]-'0')*10 + int(s[i+1]-'0') }
	century, year, month, day := number(0), number(2), number(5), number(8)
	if month < 1 || month > 12 || day < 1 {
		return false
	}
	leap := year%4 == 0 && (year != 0 || century%4 == 0)
	if month == 2 && leap {
		return day <= 29
	}
	return day <= [...]int{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}[month-1]
}

// isIPv4 reports whether s is four numbers from 0 to 255 without leading zeros.
func isIPv4(s string) bool {
	numbers, number, digits := 0, 0, 0
	for i := 0; ; i++ {
		switch {
		case i == len(s) || s[i] == '.':
			if digits == 0 {
				return false
			}
			numbers++
			if i == len(s) {
				return numbers == 4
			}
			number, digits = 0, 0
		case s[i]-'0' > 9 || digits > 0 && number == 0:
			return false
		default:
			number, digits = 10*number+int(s[i]-'0'), digits+1
			if number > 255 {
				return false
			}
		}
	}
}

// isSlug reports whether s is words of lower-case letters and digits with a
// hyphen between each two.
func isSlug(s string) bool {
	hyphen := true
	for i := range len(s) {
		if s[i] != '-' {
			if Classes[s[i]]&(Lower|Digit) == 0 {
				return false
			}
			hyphen = false
			continue
		}
		if hyphen {
			return false
		}
		hyphen = true
	}
	return !hyphen
}
