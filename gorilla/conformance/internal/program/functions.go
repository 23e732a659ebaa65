package program

// The functions that programs pass to a package are numbered. The texts here describe them
// in Go; the machines implement them with their own types.

// Number of kinds of functions.
const (
	MatcherCount  = len(matchers)
	VarsFuncCount = len(varsFuncs)
)

// The matchers, by number.
const (
	MatchTrue = iota
	MatchFalse
	MatchHeader
	MatchShortPath
	MatchNoError
	MatchMethodError
	SetVars
	SetHandler
	SetRoute
	SetMethodError
	SetNoError
	SetVarsFalse
	SetHandlerFalse
	CutPath
	SetMethod
	SetHost
)

var matchers = [...]string{
	MatchTrue:        `return true`,
	MatchFalse:       `return false`,
	MatchHeader:      `return r.Header.Get("X-M") != ""`,
	MatchShortPath:   `return len(r.URL.Path) < 9`,
	MatchNoError:     `return m.MatchErr == nil`,
	MatchMethodError: `return m.MatchErr == mux.ErrMethodMismatch`,
	SetVars:          `if m.Vars == nil { m.Vars = map[string]string{} }; m.Vars["set"] = r.Method; return true`,
	SetHandler:       `m.Handler = handler(99); return true`,
	SetRoute:         `m.Route = v%d; return true`,
	SetMethodError:   `m.MatchErr = mux.ErrMethodMismatch; return true`,
	SetNoError:       `m.MatchErr = nil; return true`,
	SetVarsFalse:     `m.Vars = map[string]string{"left": "over"}; return false`,
	SetHandlerFalse:  `m.Handler = handler(98); return false`,
	CutPath:          `r.URL.Path = strings.TrimPrefix(r.URL.Path, "/a"); return true`,
	SetMethod:        `r.Method = "POST"; return true`,
	SetHost:          `r.Host = "www.example.com"; return true`,
}

// PureMatcher reports whether a matcher only reads the request.
func PureMatcher(n int) bool { return n <= MatchShortPath }

// The functions for BuildVarsFunc, by number.
const (
	VarsFix = iota
	VarsUpper
	VarsAppend
	VarsNil
	VarsCopy
)

var varsFuncs = [...]string{
	VarsFix:    `m["id"] = "7"; return m`,
	VarsUpper:  `for k, v := range m { m[k] = strings.ToUpper(v) }; return m`,
	VarsAppend: `for k, v := range m { m[k] = v + "b" }; return m`,
	VarsNil:    `return nil`,
	VarsCopy:   `return maps.Clone(m)`,
}
