#!/usr/bin/env bash
# Runs the checks of muxwell-vet on large public programs. See "usage" below.
#
# The programs are modules of the Go module proxy at fixed versions. Packages whose
# dependencies the proxy does not deliver are left out.
set -euo pipefail
shopt -s inherit_errexit
export LC_ALL=C # sort byte by byte
unset CDPATH
cd "$(dirname "${BASH_SOURCE[0]}")"
results=$PWD/testdata/survey

# name, module@version, and the version of the modules that its go.mod replaces by directories,
# if that is not the one in go.mod
programs=(
PROGRAMS
)

usage() {
	cat <<-TEXT
		Usage: vet/survey.sh [-k DIR] [-w] [PROGRAM...]

		Runs the checks on the programs, or all of them, and prints a table.

		  -k   keep the programs and their dependencies in a directory, instead of a
		       temporary one
		  -w   write the table and the findings to vet/testdata/survey

		It needs Go, the Go module proxy, jq, 15 GB of disk and 10 GB of memory. The programs:

	TEXT
	local program name module rest
	for program in "${programs[@]}"; do
		read -r name module rest <<<"$program"
		printf '  %-12s %s\n' "$name" "$module"
	done
}

fail() {
	printf 'FAIL: %s\n' "$*" >&2
	exit 1
}

# local_replacements prints the modules that go.mod replaces by directories, which are not in the
# zip file of the module.
local_replacements() {
	go mod edit -json | jq -r '.Replace[]? | select(.New.Path | startswith(".")) | .Old.Path + (if .Old.Version then "@" + .Old.Version else "" end)'
}

# load makes the directory NAME/src with a module.
load() {
	local name=$1 module=$2 version=${3:-} dir old
	mkdir -p "$tmp/$name"
	dir=$(cd "$tmp" && go mod download -json "$module" | jq -r .Dir)
	[ -d "$dir" ] || fail "$module cannot be downloaded"
	cp -R "$dir" "$tmp/$name/src.part"
	chmod -R u+w "$tmp/$name/src.part"
	cd "$tmp/$name/src.part"
	for old in $(local_replacements); do
		go mod edit -dropreplace="$old"
		[ -z "$version" ] || go mod edit -replace="${old%@*}=${old%@*}@$version"
	done
	mv "$tmp/$name/src.part" "$tmp/$name/src"
}

# check writes the row of a program to NAME/row and the findings to NAME/findings.
check() {
	local name=$1 module=$2
	[ -d "$tmp/$name/src" ] || load "$@"
	cd "$tmp/$name/src"
	"$tmp/survey" ./... >"$tmp/$name/row" 2>"$tmp/$name/findings"
	local row
	read -ra row <"$tmp/$name/row"
	{
		printf '| %s' "${module%@*} ${module#*@}"
		printf ' | %s' "${row[@]}"
		printf ' |\n'
	} >>"$tmp/table"
	{
		printf '# %s\n' "$module"
		sort "$tmp/$name/findings"
	} >>"$tmp/findings"
}

tmp=''
write=''
while getopts k:wh option; do
	case $option in
	k) tmp=$OPTARG ;;
	w) write=true ;;
	h)
		usage
		exit
		;;
	*)
		usage >&2
		exit 2
		;;
	esac
done
shift $((OPTIND - 1))
for name in "$@"; do
	printf '%s\n' "${programs[@]%% *}" | grep -qx -- "$name" || fail "unknown program $name; -h lists them"
done

if [ -z "$tmp" ]; then
	tmp=$(mktemp -d)
	trap 'rm -rf "$tmp"' EXIT
fi
mkdir -p "$tmp"
go build -o "$tmp/survey" ./internal/survey
# A cache of its own, which can be removed.
export GOMODCACHE=$tmp/mod GOFLAGS='-mod=mod -modcacherw' GOWORK=off
cat >"$tmp/table" <<-TEXT
	| program | packages | with dependencies | routes | known | pattern | conflict | params | params.unread | middleware | CPU s | MiB |
	| --- | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: |
TEXT
: >"$tmp/findings"
failed=0
for program in "${programs[@]}"; do
	read -ra args <<<"$program"
	if [ $# -gt 0 ] && [[ " $* " != *" ${args[0]} "* ]]; then
		continue
	fi
	printf '%s\n' "${args[1]}" >&2
	# After || or if, bash would not stop at the first failing command.
	set +e
	(
		set -e
		check "${args[@]}"
	)
	status=$?
	set -e
	[ "$status" = 0 ] || failed=1
done
cat "$tmp/table"
if [ -n "$write" ] && [ "$failed" = 0 ]; then
	mkdir -p "$results"
	cp "$tmp/table" "$results/table.md"
	cp "$tmp/findings" "$results/findings.txt"
fi
exit $failed
