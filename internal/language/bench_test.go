package language

import "testing"

func BenchmarkFind(b *testing.B) {
	uuid := `[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`
	re := func(expr string) *Set { return set(b, expr) }
	tests := []struct {
		name    string
		in, out []*Set
		hints   []string
		answer  Answer
	}{
		{name: "pair=texts", in: []*Set{Text("a"), Text("b")}, answer: None},
		{name: "pair=text-number", in: []*Set{Text("new"), re(`[0-9]+`)}, answer: None},
		{name: "pair=hint", in: []*Set{re(`[a-z]+`), Any()}, hints: []string{"id"}, answer: Found},
		{name: "pair=number-alpha", in: []*Set{re(`[0-9]+`), re(`[a-zA-Z]+`)}, answer: None},
		{name: "pair=alpha-hex", in: []*Set{re(`[a-z]+`), re(`[a-f0-9]+`)}, answer: Found},
		{name: "pair=any-without-number", in: []*Set{Any()}, out: []*Set{re(`[0-9]+`)}, answer: Found},
		{name: "pair=alpha-without-word", in: []*Set{re(`[a-z]+`)}, out: []*Set{re(`\w+`)}, answer: None},
		{name: "pair=verbs", in: []*Set{Concat(Any(), Text(":apply")), Concat(Any(), Text(":cancel"))}, answer: None},
		{name: "pair=uuid-alpha", in: []*Set{re(uuid), re(`[a-z]+`)}, answer: None},
		{name: "pair=uuid-slug", in: []*Set{re(uuid), re(`[a-z0-9]+(?:-[a-z0-9]+)*`)}, answer: Found},
		{name: "pair=letters-number", in: []*Set{re(`\pL+`), re(`\pN+`)}, answer: None},
		{name: "pair=boundaries", in: []*Set{re(`^\b[a-z]+\b$`), re(`^[0-9]+$`)}, answer: None},
		{name: "pair=hostile", in: []*Set{re(`[ab]{30,}`)}, out: []*Set{re(`(a|b)*a(a|b){20}`), re(`(a|b)*b(a|b){20}`)}, answer: Unknown},
	}
	for _, tt := range tests {
		b.Run(tt.name, func(b *testing.B) {
			if witness, answer := Find(tt.in, tt.out, tt.hints...); answer != tt.answer {
				b.Fatalf("got %q, %v; want %v", witness, answer, tt.answer)
			}
			b.ReportAllocs()
			for b.Loop() {
				Find(tt.in, tt.out, tt.hints...)
			}
		})
	}
}

func BenchmarkNew(b *testing.B) {
	for _, expr := range []string{`[0-9]+`, `^[a-z]+$`, `[0-9a-f]{8}-[0-9a-f]{4}`, `\pL+`, `[a-z]{1,1000}`} {
		b.Run("expr="+expr, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				set(b, expr)
			}
		})
	}
}
