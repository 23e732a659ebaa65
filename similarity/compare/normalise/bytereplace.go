package normalise

import "github.com/muxwell/muxwell/bytereplace"

var table = bytereplace.Must(bytereplace.Build(
	bytereplace.LowerASCII(),
	bytereplace.Keep(`\w\s`),
	bytereplace.Map(`\t\n\f\r`, ` `),
))
