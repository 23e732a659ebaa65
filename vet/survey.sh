#!/usr/bin/env bash
# Runs the checks of muxwell-vet on large public programs. See "usage" below.
#
# The programs are modules of the Go module proxy at fixed versions. Packages whose
# dependencies the proxy does not deliver, or that need cgo, are left out.
# shellcheck disable=SC2317 # it does not see that "$step" calls functions
set -euo pipefail
shopt -s inherit_errexit
export LC_ALL=C # sort byte by byte
unset CDPATH
cd "$(dirname "${BASH_SOURCE[0]}")"
results=$PWD/testdata/survey

# name, module@version, and the version of the modules that its go.mod replaces by directories,
# if that is not the one in go.mod
programs=(
	"kubernetes k8s.io/kubernetes@v1.37.2 v0.37.2"
	"tailscale tailscale.com@v1.102.5"
	"rclone github.com/rclone/rclone@v1.76.0"
	"temporal go.temporal.io/server@v1.31.4"
	"prometheus github.com/prometheus/prometheus@v0.316.0"
	"boulder github.com/letsencrypt/boulder@v0.20260825.0"
	"etcd go.etcd.io/etcd/server/v3@v3.7.3"
	"geth github.com/ethereum/go-ethereum@v1.17.10"
	"x-build golang.org/x/build@v0.0.0-20260918145456-c0ee0fbd16a3"
	"gitea code.gitea.io/gitea@v1.27.3"
	"cortex github.com/cortexproject/cortex@v1.21.1"
	"cilium github.com/cilium/cilium@v1.20.2"
	"argo-cd github.com/argoproj/argo-cd/v3@v3.5.7"
)

usage() {
	cat <<-TEXT
		Usage: vet/survey.sh [-k DIR] [-t] [-w] [PROGRAM...]

		Runs the checks on the programs, or all of them, and prints a table.

		  -k   keep the programs, their dependencies and what was found in a directory,
		       instead of a temporary one; a later run continues from there
		  -t   instead run go vet -vettool twice on each program, and print what it costs
		       if the dependencies are compiled, and if nothing has changed
		  -w   write the table and the findings to vet/testdata/survey, or with -t the
		       costs

		It needs Go, the Go module proxy, jq, GNU time for -t, 15 GB of disk and 10 GB of memory. The programs:

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
	if [ ! -s "$tmp/$name/row" ]; then
		"$tmp/survey" ./... >"$tmp/$name/row" 2>"$tmp/$name/findings"
	fi
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

# costs runs go vet -vettool twice. The dependencies are compiled before.
costs() {
	local name=$1 module=$2 run
	[ -d "$tmp/$name/src" ] || load "$@"
	cd "$tmp/$name/src"
	export GOCACHE=$tmp/gocache
	unset CGO_ENABLED
	go vet ./... >/dev/null 2>&1 || true # it compiles them
	for run in 'nothing cached' 'nothing changed'; do
		command time -f '%U %S %M' -o "$tmp/$name/cost" go vet -vettool="$tmp/muxwell-vet" ./... >"$tmp/$name/vettool" 2>&1 || true
		printf '%s, %s: ' "$module" "$run"
		tail -n 1 "$tmp/$name/cost" | awk '{ printf "%.0f CPU s, %.0f MiB in the largest process\n", $1 + $2, $3 / 1024 }'
	done >>"$tmp/costs"
}

tmp=''
write=''
step=check
while getopts k:twh option; do
	case $option in
	k) tmp=$OPTARG ;;
	t) step=costs ;;
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
go build -o "$tmp/muxwell-vet" ./cmd/muxwell-vet
# A cache of its own, which can be removed.
export GOMODCACHE=$tmp/mod GOFLAGS='-mod=mod -modcacherw' GOWORK=off CGO_ENABLED=0
cat >"$tmp/table" <<-TEXT
	| program | packages | with dependencies | routes | known | pattern | conflict | params | params.unread | middleware | CPU s | MiB |
	| --- | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: |
TEXT
: >"$tmp/findings"
: >"$tmp/costs"
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
		"$step" "${args[@]}"
	)
	status=$?
	set -e
	[ "$status" = 0 ] || failed=1
done
if [ "$step" = costs ]; then
	cat "$tmp/costs"
else
	cat "$tmp/table" "$tmp/findings"
fi
if [ -n "$write" ] && [ "$failed" = 0 ]; then
	mkdir -p "$results"
	if [ "$step" = costs ]; then
		cp "$tmp/costs" "$results/vettool.txt"
	else
		cp "$tmp/table" "$results/table.md"
		cp "$tmp/findings" "$results/findings.txt"
	fi
fi
exit $failed
