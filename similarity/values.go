package main

import (
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"strings"

	"github.com/muxwell/muxwell/similarity/service"
)

// A byteSize is a flag's value, a number of bytes: 500000, 512KiB, 4MiB.
type byteSize int

// units are in descending order, so that String uses the largest that fits.
var units = []struct {
	name  string
	bytes int
}{{"MiB", 1 << 20}, {"KiB", 1 << 10}, {"", 1}}

func (b *byteSize) String() string {
	for _, u := range units {
		if n := int(*b); n%u.bytes == 0 {
			return strconv.Itoa(n/u.bytes) + u.name
		}
	}
	panic("unreachable")
}

func (b *byteSize) Set(s string) error {
	for _, u := range units {
		digits, ok := strings.CutSuffix(s, u.name)
		if !ok {
			continue
		}
		n, err := strconv.Atoi(digits)
		if err != nil || n < 1 || n > service.MaxMaxBody/u.bytes {
			break
		}
		*b = byteSize(n * u.bytes)
		return nil
	}
	return fmt.Errorf("must be from 1 to %d bytes, such as 500000, 512KiB or 4MiB", service.MaxMaxBody)
}

// A level is a flag's value, a level of package slog by its name.
type level slog.Level

func (l *level) String() string { return strings.ToLower(slog.Level(*l).String()) }

func (l *level) Set(s string) error {
	for _, known := range []slog.Level{slog.LevelDebug, slog.LevelInfo, slog.LevelWarn, slog.LevelError} {
		if strings.EqualFold(s, known.String()) {
			*l = level(known)
			return nil
		}
	}
	return errors.New("must be debug, info, warn or error")
}
