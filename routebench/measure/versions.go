package measure

import (
	"runtime"
	"runtime/debug"
)

// Versions returns the versions of the modules in this program, by path. The version of Go
// is at "". A module that is built from a directory has the version (devel), followed by
// the revision if the build has it.
func Versions() map[string]string {
	info, _ := debug.ReadBuildInfo()
	return versions(info)
}

// versions is Versions for a build.
func versions(info *debug.BuildInfo) map[string]string {
	out := map[string]string{"": runtime.Version()}
	if info == nil {
		return out
	}
	revision := revision(info.Settings)
	for _, m := range append([]*debug.Module{&info.Main}, info.Deps...) {
		if m.Path == "" {
			continue
		}
		version := m.Version
		if m.Replace != nil {
			version = m.Replace.Version
		}
		if version == "" || version == "(devel)" || m == &info.Main {
			version = devel(revision)
		}
		out[m.Path] = version
	}
	return out
}

// devel returns the version of a module of the repository that is at a revision.
func devel(revision string) string {
	if revision == "" {
		return "(devel)"
	}
	return "(devel) " + revision
}

// revision returns the revision that a build is of, or "".
func revision(settings []debug.BuildSetting) string {
	revision, modified := "", ""
	for _, s := range settings {
		switch {
		case s.Key == "vcs.revision":
			revision = s.Value[:min(12, len(s.Value))]
		case s.Key == "vcs.modified" && s.Value == "true":
			modified = "+dirty"
		}
	}
	if revision == "" {
		return ""
	}
	return revision + modified
}
