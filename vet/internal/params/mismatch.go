package params

import (
	"go/types"
	"net/netip"
	"strings"
	"time"

	"github.com/muxwell/muxwell"
)

// samples are texts of each kind that a constraint matches.
var samples = map[string][]string{
	"int":   {"0", "1", "7", "-1", "-12", "12"},
	"uint":  {"0", "1", "7", "12"},
	"alpha": {"a", "Z", "true", "false", "t", "F", "h", "Inf", "NaN"},
	"uuid":  {"00000000-0000-0000-0000-000000000000", "12345678-1234-1234-1234-123456789012", "abcdefab-abcd-abcd-abcd-abcdefabcdef"},
	"date":  {"2006-01-02", "0001-01-01", "9999-12-31"},
	"ipv4":  {"0.0.0.0", "127.0.0.1", "255.255.255.255"},
}

// parses reports whether a text is a valid value of a type.
func parses[T any](text string) bool {
	_, err := muxwell.Param[T](muxwell.ParamsOf("x", text), "x")
	return err == nil
}

// types of which all values are known to be parsed alike.
var parsers = map[string]func(string) bool{
	"int": parses[int], "int8": parses[int8], "int16": parses[int16], "int32": parses[int32], "int64": parses[int64],
	"uint": parses[uint], "uint8": parses[uint8], "uint16": parses[uint16], "uint32": parses[uint32], "uint64": parses[uint64],
	"float32": parses[float32], "float64": parses[float64], "bool": parses[bool],
	"time.Time": parses[time.Time], "time.Duration": parses[time.Duration],
	"net/netip.Addr": parses[netip.Addr], "net/netip.AddrPort": parses[netip.AddrPort], "net/netip.Prefix": parses[netip.Prefix],
}

// mismatchOf returns the constraint that a parameter has in a pattern, if no text that it
// matches is a valid value of a type. Otherwise it returns "".
func mismatchOf(t types.Type, name, pattern string) string {
	if t == nil {
		return ""
	}
	parse := parsers[types.TypeString(types.Unalias(t), nil)]
	if parse == nil {
		return ""
	}
	for constraint, texts := range samples {
		if !strings.Contains(pattern, "{"+name+":"+constraint+"}") {
			continue
		}
		for _, text := range texts {
			if parse(text) {
				return ""
			}
		}
		return constraint
	}
	return ""
}
