package main

import (
	"errors"
	"fmt"
	"log/slog"
	"strings"

	"github.com/muxwell/muxwell/similarity/internal/command"
	"github.com/muxwell/muxwell/similarity/service"
)

// A byteSize is a flag's value, a number of bytes: 500000, 512KiB, 4MiB.
type byteSize int

func (b *byteSize) String() string { return command.FormatSize(int64(*b)) }

func (b *byteSize) Set(s string) error {
	n, ok := command.ParseSize(s, 1, service.MaxMaxBody)
	if !ok {
		return fmt.Errorf("must be from 1 to %d bytes, such as 500000, 512KiB or 4MiB", service.MaxMaxBody)
	}
	*b = byteSize(n)
	return nil
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
