package main

import (
	"compress/gzip"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/passert"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/ptest"

	"github.com/muxwell/muxwell/similarity/load"
	"github.com/muxwell/muxwell/similarity/score"
)

func TestCompareRow(t *testing.T) {
	for _, tt := range []struct{ in, want, reason string }{
		{in: `{"text1":"a b","text2":"a c"}`, want: `{"text1":"a b","text2":"a c","similarity":0.352,"interpretation":"Slightly Similar"}`},
		{in: " { \"text1\":\"\\u0061\", \"x\":[1, {}],\t\"text2\":\"A\" } \r\n", want: `{ "text1":"\u0061", "x":[1, {}],	"text2":"A" ,"similarity":1,"interpretation":"Highly Similar"}`},
		{in: `{"text1":"","text2":"."}`, want: `{"text1":"","text2":".","similarity":1,"interpretation":"Highly Similar"}`},
		{in: `{"text1":"x","text1":"a","text2":"a"}`, want: `{"text1":"x","text1":"a","text2":"a","similarity":1,"interpretation":"Highly Similar"}`},
		{in: `{"text1":"a"}`, reason: `the key \"text2\" is missing`},
		{in: `{"Text1":"a","text2":"a"}`, reason: `the key \"text1\" is missing`},
		{in: `{"text1":1,"text2":"a"}`, reason: `the value of \"text1\" is not a string`},
		{in: `{"text1":null,"text2":"a"}`, reason: `the value of \"text1\" is not a string`},
		{in: "{\"text1\":\"\xff\",\"text2\":\"a\"}", reason: "not UTF-8"},
		{in: `{"text1":"a","text2":"b"`, reason: "not JSON: unexpected end of JSON input at byte 24"},
		{in: `{"text1":"a","text2":"b"}{}`, reason: "not JSON: invalid character '{' after top-level value at byte 26"},
		{in: `[]`, reason: "not a JSON object"},
		{in: `null`, reason: "not a JSON object"},
		{in: `"a"`, reason: "not a JSON object"},
		{in: `{"text1":"a","text2":"b","similarity":1}`, reason: `there is a key \"similarity\", which the output adds`},
		{in: `{"text1":"a","text2":"b","interpretation":null}`, reason: `there is a key \"interpretation\", which the output adds`},
	} {
		t.Run(tt.in, func(t *testing.T) {
			p, s, rows := ptest.CreateList([]row{{File: "f", Offset: 7, JSON: []byte(tt.in)}})
			lines, rejects := compare(s, score.ASCII, rows)
			if tt.reason != "" {
				passert.Empty(s, lines)
				passert.Equals(s, rejects, `{"file":"f","offset":7,"reason":"`+tt.reason+`"}`)
			} else {
				passert.Equals(s, lines, tt.want)
				passert.Empty(s, rejects)
			}
			ptest.RunAndValidate(t, p)
		})
	}
}

// TestFiles compares rows of several files, with and without patterns, compressed and not.
func TestFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	texts := load.Texts(load.Messy, 300, 400, 2)
	var want []string
	files := map[string]string{}
	add := func(name string, i int) {
		keys := []string{"n", fmt.Sprint(i), "text1", texts[i], "text2", texts[(i+1)%len(texts)]}
		if strings.HasPrefix(name, "c.csv") {
			files[name] += fmt.Sprintf("%d,\"%s\",\"%s\"\n", i, strings.ReplaceAll(keys[3], `"`, `""`), strings.ReplaceAll(keys[5], `"`, `""`))
			keys[3], keys[5] = strings.ReplaceAll(keys[3], "\r\n", "\n"), strings.ReplaceAll(keys[5], "\r\n", "\n")
		} else {
			files[name] += jsonRow(keys...) + "\n"
		}
		r := score.Compare([]byte(keys[3]), []byte(keys[5]), score.Unicode)
		want = append(want, fmt.Sprintf(`%s,"similarity":%v,"interpretation":"%s"}`, strings.TrimSuffix(jsonRow(keys...), "}"), r.Similarity(), r.Interpretation()))
	}
	files["c.csv"], files["c.csv.gz"], files["b.jsonl"] = "n,text1,text2\n", "n,text1,text2\n", "\uFEFF\n \r\n"
	names := []string{"a1.jsonl", "a2.jsonl", "b.jsonl", "z.jsonl.gz", "c.csv", "c.csv.gz"}
	for i := range texts {
		add(names[i%len(names)], i)
	}
	files["a3.jsonl"] = ""
	files["unread.jsonl"] = "not read\n"
	for name, content := range files {
		if !strings.HasSuffix(name, ".gz") {
			writeFile(t, name, content)
			continue
		}
		f, err := os.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		w := gzip.NewWriter(f)
		w.Write([]byte(content))
		w.Close()
		f.Close()
	}
	o := newOptions(t, "compare", "-input", "a*.jsonl,b.jsonl,z.*,c.*", "-words", "unicode", "-part", "5000", "-shards", "3", "-output", "new/out.jsonl")
	c := o.execute(t)
	var outs []string
	for i := range 3 {
		outs = append(outs, shardName(o.output, i, 3))
	}
	checkLines(t, "rows", linesOf(t, outs...), want)
	checkLines(t, "rejected", linesOf(t, o.rejected), nil)
	parts := int64(3) // that are whole
	for _, name := range []string{"a1.jsonl", "a2.jsonl", "b.jsonl"} {
		parts += int64(len(files[name])+4999) / 5000
	}
	if c["parts"] < parts || parts < 10 {
		t.Errorf("got %d parts, want %d or more", c["parts"], parts)
	}
	checkCounters(t, c, map[string]int64{"compared": int64(len(texts)), "rejected": 0})
}
