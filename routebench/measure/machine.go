package measure

import (
	"runtime"
	"strings"

	"github.com/shirou/gopsutil/v4/cpu"
	"github.com/shirou/gopsutil/v4/host"
	"github.com/shirou/gopsutil/v4/mem"

	"github.com/muxwell/muxwell/routebench/result"
)

// Machine describes this machine. Fields that the operating system does not report are
// empty.
func Machine() result.Machine {
	m := result.Machine{Cores: runtime.NumCPU(), GOOS: runtime.GOOS, GOARCH: runtime.GOARCH, Go: runtime.Version()}
	if infos, err := cpu.Info(); err == nil && len(infos) > 0 {
		m.CPU = strings.Join(strings.Fields(infos[0].ModelName), " ")
	}
	if v, err := mem.VirtualMemory(); err == nil {
		m.Memory = v.Total
	}
	if h, err := host.Info(); err == nil {
		m.OS = strings.TrimSpace(h.Platform + " " + h.PlatformVersion)
	}
	return m
}
