//go:build !linux

package main

import (
	"os/exec"
	"syscall"
)

func allowedCores() []int { return nil }

func startOn(cmd *exec.Cmd, _ int) error { return cmd.Start() }

func apart() *syscall.SysProcAttr { return nil }
