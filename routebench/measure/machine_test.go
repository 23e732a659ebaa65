package measure

import (
	"maps"
	"runtime"
	"runtime/debug"
	"testing"
)

func TestMachine(t *testing.T) {
	m := Machine()
	if m.Cores != runtime.NumCPU() || m.GOOS != runtime.GOOS || m.GOARCH != runtime.GOARCH || m.Go != runtime.Version() {
		t.Errorf("%+v is not what package runtime says", m)
	}
	if runtime.GOOS == "linux" && (m.Memory < 1<<20 || m.OS == "") {
		t.Errorf("%+v has no memory or operating system", m)
	}
}

func TestVersions(t *testing.T) {
	if got := Versions(); got[""] != runtime.Version() {
		t.Errorf("Go is %q, want %q", got[""], runtime.Version())
	}
	info := func(settings ...debug.BuildSetting) *debug.BuildInfo {
		return &debug.BuildInfo{
			Main: debug.Module{Path: "example.com/main", Version: "v0.0.0-2026"},
			Deps: []*debug.Module{
				{Path: "example.com/a", Version: "v1.2.3"},
				{Path: "example.com/work", Version: "(devel)"},
				{Path: "example.com/folder", Version: "v0.0.0", Replace: &debug.Module{Path: "../folder"}},
				{Path: "example.com/fork", Version: "v1.0.0", Replace: &debug.Module{Path: "example.com/other", Version: "v1.9.2"}},
			},
			Settings: settings,
		}
	}
	for _, tt := range []struct {
		name  string
		info  *debug.BuildInfo
		devel string // "" for no modules
	}{
		{"no revision", info(), "(devel)"},
		{"revision", info(debug.BuildSetting{Key: "vcs.revision", Value: "0123456789abcdef"}), "(devel) 0123456789ab"},
		{"modified", info(
			debug.BuildSetting{Key: "vcs.revision", Value: "0123"}, debug.BuildSetting{Key: "vcs.modified", Value: "true"},
		), "(devel) 0123+dirty"},
		{"no information", nil, ""},
	} {
		want := map[string]string{"": runtime.Version()}
		if tt.devel != "" {
			maps.Copy(want, map[string]string{
				"example.com/main": tt.devel, "example.com/a": "v1.2.3", "example.com/work": tt.devel,
				"example.com/folder": tt.devel, "example.com/fork": "v1.9.2",
			})
		}
		if got := versions(tt.info); !maps.Equal(got, want) {
			t.Errorf("%s: %v, want %v", tt.name, got, want)
		}
	}
}
