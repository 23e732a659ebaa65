package mux

import (
	"net/url"
	"strconv"
	"testing"
)

// BenchmarkFirstValue has the rows of gorilla/mux's Benchmark_findQueryKey.
//
//	go test -run - -bench FirstValue .
func BenchmarkFirstValue(b *testing.B) {
	for i, query := range []string{
		"a=1&b=2",
		"ascii=%3Ckey%3A+0x90%3E",
		"a=20&%20%3F&=%23+%25%21%3C%3E%23%22%7B%7D%7C%5C%5E%5B%5D%60%E2%98%BA%09:%2F@$%27%28%29%2A%2C%3B&a=30",
		"a=xxxxxxxxxxxxxxxx&bbb=YYYYYYYYYYYYYYY&cccc=ppppppppppppppppppp&ddddd=ttttttttttttttttt&a=uuuuuuuuuuuuu",
		"a=;b=;c=;d=;e=;f=;g=;h=;i=,j=;k=",
	} {
		b.Run(strconv.Itoa(i), func(b *testing.B) {
			keys, _ := url.ParseQuery(query)
			b.ReportAllocs()
			for b.Loop() {
				for key := range keys {
					firstValue(query, key)
				}
			}
		})
	}
}
