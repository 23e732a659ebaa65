package deploy

import (
	"strconv"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// arg returns the value of a flag that a container's program is started with.
func arg(t *testing.T, c *corev1.Container, name string) string {
	t.Helper()
	for _, a := range c.Args {
		if value, ok := strings.CutPrefix(a, "-"+name+"="); ok {
			return value
		}
	}
	t.Fatalf("there is no -%s in %q", name, c.Args)
	return ""
}

// variable returns the value of an environment variable.
func variable(t *testing.T, c *corev1.Container, name string) string {
	t.Helper()
	for _, v := range c.Env {
		if v.Name == name {
			return v.Value
		}
	}
	t.Fatalf("there is no variable %s", name)
	return ""
}

// byteCount returns the number of a size as Go writes it, 256KiB.
func byteCount(t *testing.T, s string) int64 {
	t.Helper()
	q, err := resource.ParseQuantity(strings.TrimSuffix(s, "B"))
	if err != nil {
		t.Fatalf("%q: %v", s, err)
	}
	return q.Value()
}

func number(t *testing.T, s string) int64 {
	t.Helper()
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func duration(t *testing.T, s string) time.Duration {
	t.Helper()
	d, err := time.ParseDuration(s)
	if err != nil {
		t.Fatal(err)
	}
	return d
}
