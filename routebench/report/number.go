package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// digits returns a number of three significant digits, with commas between
// thousands: 0.0123, 1.23, 123, 12,300.
func digits(x float64) string { return rounded(x, 3) }

// rounded returns a number of n significant digits.
func rounded(x float64, n int) string {
	switch {
	case math.IsNaN(x) || math.IsInf(x, 0):
		return "∞"
	case x == 0:
		return "0"
	}
	// The exponent is that of the rounded number: 9.96 of two digits is 10.
	s := strconv.FormatFloat(math.Abs(x), 'e', n-1, 64)
	exp, _ := strconv.Atoi(s[strings.IndexByte(s, 'e')+1:])
	value, _ := strconv.ParseFloat(s, 64)
	sign := ""
	if x < 0 {
		sign = "-"
	}
	return sign + commas(strconv.FormatFloat(value, 'f', max(0, n-1-exp), 64))
}

// commas puts commas between the thousands of a number.
func commas(s string) string {
	whole, fraction, dot := strings.Cut(s, ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if dot {
		return whole + "." + fraction
	}
	return whole
}

// exact returns a number of three significant digits, without a fraction if it is
// whole.
func exact(x float64) string {
	if x == math.Trunc(x) && x < 1e15 {
		return commas(strconv.FormatFloat(x, 'f', 0, 64))
	}
	return digits(x)
}

// count returns a number of things that is whole, with commas.
func count(n int) string { return commas(strconv.Itoa(n)) }

// duration returns nanoseconds as people read them: 24.1 ns, 1.24 µs.
func duration(ns float64) string { return scaled(ns, 1000, "ns", "µs", "ms", "s") }

// size returns bytes as people read them: 512 B, 71.1 kB.
func size(bytes float64) string { return scaled(bytes, 1000, "B", "kB", "MB", "GB") }

// scaled returns a number of three digits in the largest unit of which it has one.
func scaled(x, step float64, units ...string) string {
	for len(units) > 1 && x >= 0.9995*step {
		x, units = x/step, units[1:]
	}
	return digits(x) + " " + units[0]
}

// times returns a ratio as sentences have it: two digits, and three where
// they are close to 1.
func times(ratio float64) string {
	if ratio < 1.995 {
		return rounded(ratio, 3)
	}
	return rounded(ratio, 2)
}

// asFast says how much faster than something that takes ratio times as long.
func asFast(ratio float64) string {
	if ratio < 1.005 {
		return "less than 1 % faster than"
	}
	return times(ratio) + " times as fast as"
}

// asLong says how much longer something takes, for the end of a sentence.
func asLong(ratio float64) string {
	if ratio < 1.005 {
		return "less than 1 % longer than"
	}
	return times(ratio) + " times as long as"
}

// percent returns a share: 12 %, 0.15 %.
func percent(share float64) string { return rounded(100*share, 2) + " %" }

// list returns "a, b and c".
func list(items []string) string {
	if len(items) < 2 {
		return strings.Join(items, "")
	}
	last := len(items) - 1
	return strings.Join(items[:last], ", ") + " and " + items[last]
}

// few returns a list of at most n items, and how many others there are.
func few(items []string, n int) string {
	if len(items) <= n+1 {
		return list(items)
	}
	return list(append(items[:n:n], fmt.Sprintf("%s others", count(len(items)-n))))
}

// plural returns "1 route", "2 routes".
func plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return count(n) + " " + thing + "s"
}

// every returns "both scenarios", "all 3 scenarios".
func every(n int, thing string) string {
	if n == 2 {
		return "both " + thing + "s"
	}
	return "all " + plural(n, thing)
}

// verb returns the form of a verb for a number of things.
func verb(n int, one, more string) string {
	if n == 1 {
		return one
	}
	return more
}
