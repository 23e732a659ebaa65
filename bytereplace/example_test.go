package bytereplace_test

import (
	"fmt"

	"github.com/muxwell/muxwell/bytereplace"
)

func ExampleNew() {
	r, err := bytereplace.New("\t", " ", "\n", " ", "\r", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%q\n", r.Replace("a\tb\r\nc"))
	// Output: "a b c"
}

func ExampleNew_error() {
	_, err := bytereplace.New("<", "(", "&", "&amp;")
	fmt.Println(err)
	// Output: bytereplace: pair 2 ("&", "&amp;"): new is 5 bytes long, not one or none; use strings.NewReplacer for longer texts
}

func ExampleBuild() {
	r, err := bytereplace.Build(
		bytereplace.LowerASCII(),
		bytereplace.Keep(`\w\s`), // delete everything but [0-9A-Za-z_] and white space
		bytereplace.Map(`\t\n\f\r`, ` `),
	)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%q\n", r.Replace("Hello,\tWorld!\nIt's [snake_case]."))
	// Output: "hello world its snake_case"
}

func ExampleBuild_error() {
	_, err := bytereplace.Build(
		bytereplace.LowerASCII(),
		bytereplace.Keep(`[a-z]`),
	)
	fmt.Println(err)
	// Output: bytereplace: step 2, Keep(`[a-z]`): class `[a-z]` at offset 0: a class is written without brackets around it; write \[ for the byte
}

func ExampleMap() {
	rot13 := bytereplace.Must(bytereplace.Build(bytereplace.Map("A-Za-z", "N-ZA-Mn-za-m")))
	fmt.Println(rot13.Replace("Hello, World!"))

	printable := bytereplace.Must(bytereplace.Build(bytereplace.Map(`^\n -~`, "?")))
	fmt.Println(printable.Replace("a\x00b\xff"))
	// Output:
	// Uryyb, Jbeyq!
	// a?b?
}

func ExampleReplacer_AppendReplace() {
	digits := bytereplace.Must(bytereplace.Build(bytereplace.Keep(`\d`)))
	buf := make([]byte, 0, 64) // used again for each text: no allocation
	for _, number := range []string{"+44 (0)20 7946 0000", "030/901820"} {
		buf = digits.AppendReplace(buf[:0], number)
		fmt.Printf("%s\n", buf)
	}
	// Output:
	// 4402079460000
	// 030901820
}

func ExampleReplacer_ReplaceInPlace() {
	lines := []byte("one\r\ntwo\r\n")
	lines = bytereplace.Must(bytereplace.New("\r", "")).ReplaceInPlace(lines)
	fmt.Printf("%q\n", lines)
	// Output: "one\ntwo\n"
}
