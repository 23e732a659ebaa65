package score

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

// oracle reads a request with encoding/json. Where that takes more than Scan does,
// the request is refused here.
func oracle(body []byte) (text1, text2 string, ok bool) {
	if !utf8.Valid(body) || !json.Valid(body) {
		return "", "", false
	}
	var all map[string]json.RawMessage // keys with their case, the last of several
	if json.Unmarshal(body, &all) != nil || all == nil {
		return "", "", false
	}
	text := func(key string) (s string, ok bool) {
		raw := all[key]
		return s, len(raw) > 0 && raw[0] == '"' && json.Unmarshal(raw, &s) == nil
	}
	text1, ok1 := text("text1")
	text2, ok2 := text("text2")
	return text1, text2, ok1 && ok2
}

// checkScan compares Scan with the oracle.
func checkScan(t *testing.T, body string) {
	t.Helper()
	text1, text2, ok := oracle([]byte(body))
	r, err := Scan([]byte(body))
	if ok != (err == nil) {
		// A value of a key that is not its last may be no string for the oracle.
		var syntax *SyntaxError
		if ok && errors.As(err, &syntax) && syntax.Reason == "a string is expected" {
			return
		}
		t.Fatalf("%q: error %v, the oracle says %v", body, err, ok)
	}
	if ok && (string(r.Text1) != text1 || string(r.Text2) != text2) {
		t.Fatalf("%q: %q and %q, want %q and %q", body, r.Text1, r.Text2, text1, text2)
	}
}

func TestScan(t *testing.T) {
	for _, text := range []string{
		``, `a`, `\"`, `\\`, `\/\b\f\n\r\t`, `\u0041`, `\u00e9`, `\u20AC`, `\ud83d\ude00`, `\ud83d`, `\ude00`, `\ud83dx`, `\ud83d\n`,
		`\ud83d\u0041`, `\ud83d\ud83d\ude00`, "\u00e9", "\U0001f600", "12345678", "1234567\u00e9", "1234567\\n", "12345678\\n12345678\\n1",
		`\u12`, `\u12g4`, `\x`, "\\", "\x1f", "\x7f", "\n", "\xff", "\xc3", "\xed\xa0\x80", "1234567\xff9", `a\nb` + "\xff", "\xc3\\n\xa9",
	} {
		checkScan(t, `{"text1":"`+text+`","text2":"x"}`)
		checkScan(t, `{"text2":"x", "text1":"`+text+`"}`)
		checkScan(t, `{"text2":"x", "other":{"`+text+`":["`+text+`"]}, "text1":"y"}`)
	}
	for _, value := range []string{
		`1`, `-1`, `0`, `-0`, `01`, `1.5`, `1.`, `.5`, `1e9`, `1E+9`, `1e`, `1e-`, `-`, `+1`, `true`, `false`, `null`, `nul`, `tru e`,
		`[]`, `[1]`, `[1,]`, `[,]`, `[1 2]`, `{}`, `{"a":1}`, `{"a":1,}`, `{a:1}`, `{"a" 1}`, `{"a":}`, `[`, `{`, `]`, `}`, `[[[]]]`, `{"a":{"b":[{}]}}`,
		`"x"`, `'x'`, `NaN`, ``,
	} {
		checkScan(t, `{"text1":"a","x":`+value+`,"text2":"b"}`)
		checkScan(t, `{"text1":"a","text2":`+value+`}`)
		checkScan(t, value)
	}
	for _, body := range []string{
		`{"text1":"a","text2":"b"}`, " \t\r\n{ \"text1\" : \"a\" , \"text2\" : \"b\" } \n", `{"text1":"a","text2":"b"} x`, `{"text1":"a","text2":"b"}{}`,
		"\ufeff{\"text1\":\"a\",\"text2\":\"b\"}", `{"text1":"a","text1":"c","text2":"b"}`, `{"te\u0078t1":"a","text2":"b"}`, `{"Text1":"a","text2":"b"}`,
		`{"text1":"a"}`, `{"text2":"a"}`, `{}`, `{`, `{"text1"`, `{"text1":`, `{"text1":"a`, `{"text1":"a"`, `{"text1":"a",`, `{"text1":"a","text2":"b",}`,
		"{\"text1\":\"a\",\"text2\":\"b\"}\x00", "{\"text1\":\"a\"\x00,\"text2\":\"b\"}", `{,"text1":"a","text2":"b"}`,
	} {
		checkScan(t, body)
	}
}

// TestScanErrors: where the fault is, and what.
func TestScanErrors(t *testing.T) {
	for body, want := range map[string]string{
		``:                                      "the request is not a JSON object at byte 0",
		` [1]`:                                  "the request is not a JSON object at byte 1",
		`{"text1":"a"}`:                         `the key "text2" is missing at byte 13`,
		`{"text1":"a","text2":null}`:            "a string is expected at byte 21",
		`{"text1":"a","text2":"\q"}`:            "invalid escape at byte 23",
		"{\"text1\":\"a\xffb\",\"text2\":\"\"}": "there is a byte that is not UTF-8 at byte 11",
		"{\"text1\":\"a\nb\",\"text2\":\"\"}":   "a control character in a string must be escaped at byte 11",
		`{"text1":"a","text2":"b`:               "the string is never closed at byte 23",
		`{"text1":"\u00zz","text2":"b"}`:        "four hexadecimal digits are expected at byte 12",
		`{"text1":"a","text2":"b"} 1`:           "there is text after the object at byte 26",
		`{"text1":"a" "text2":"b"}`:             "a comma or a closing brace is expected at byte 13",
	} {
		if _, err := Scan([]byte(body)); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", body, err, want)
		}
	}
	deep := `{"x":` + strings.Repeat("[", maxDepth+1)
	if _, err := Scan([]byte(deep)); err == nil || !strings.Contains(err.Error(), "nested too deeply") {
		t.Errorf("%v", err)
	}
	deep = fmt.Sprintf(`{"x":%s%s,"text1":"","text2":""}`, strings.Repeat("[", maxDepth), strings.Repeat("]", maxDepth))
	if _, err := Scan([]byte(deep)); err != nil {
		t.Error(err)
	}
}

// FuzzScan compares Scan with encoding/json.
func FuzzScan(f *testing.F) {
	f.Add([]byte(`{"text1":"a\u00e9\ud83d\ude00","text2":"b","x":[1,{"y":null}]}`))
	f.Add([]byte(`{"text1":"","text1":"\n","text2":"12345678\\12345678"}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		if bytes.Count(body, []byte("[")) > 500 || bytes.Count(body, []byte("{")) > 500 {
			t.Skip()
		}
		checkScan(t, string(body))
	})
}
