package load

import "fmt"

// A Kind is a kind of texts.
type Kind uint8

const (
	Plain Kind = iota // words of a to z, spaces and periods
	Messy             // the same among everything else that a text can have
)

// String returns the name that [ParseKind] takes.
func (k Kind) String() string {
	switch k {
	case Plain:
		return "plain"
	case Messy:
		return "messy"
	}
	return fmt.Sprintf("Kind(%d)", uint8(k))
}

// ParseKind returns the kind of a name, plain or messy.
func ParseKind(name string) (Kind, error) {
	for _, k := range []Kind{Plain, Messy} {
		if k.String() == name {
			return k, nil
		}
	}
	return 0, fmt.Errorf("load: unknown kind %q of texts: must be plain or messy", name)
}
