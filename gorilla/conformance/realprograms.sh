#!/usr/bin/env bash
# Runs the tests of public programs that use github.com/gorilla/mux, unchanged and
# with this repository's package instead. See "usage" below.
#
# The programs are modules of the Go module proxy at fixed versions, so the tests
# do not change. The swap is what a user does: it changes the import path in the
# program's source and adds a requirement to its go.mod.
set -euo pipefail
shopt -s inherit_errexit
export LC_ALL=C # compare names byte by byte in sort, comm and sed
unset CDPATH
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
root=$PWD

# name, module@version, packages whose tests use the router
programs=(
	"distribution github.com/distribution/distribution/v3@v3.1.2 ./registry/api/v2 ./registry/handlers ./internal/dcontext"
	"fake-gcs-server github.com/fsouza/fake-gcs-server@v1.56.1 ./fakestorage"
	"jaeger github.com/jaegertracing/jaeger@v1.76.0 ./cmd/query/app/... ./cmd/collector/app/handler ./internal/sampling/http"
	"dskit github.com/grafana/dskit@v0.0.0-20260703122047-de1ec7541c44 ./server ./middleware"
)
# Tests that require the behavior of v1.8.1. For a request without variables,
# mux.Vars returns an empty map there, and nil in gorilla/mux's main branch.
known="\
pass github.com/distribution/distribution/v3/registry/api/v2 TestRouter
pass github.com/distribution/distribution/v3/registry/api/v2 TestRouter/(base)/prefix/v2/
pass github.com/distribution/distribution/v3/registry/api/v2 TestRouter/(base)/v2/"
theirs=github.com/gorilla/mux
ours=github.com/muxwell/muxwell/gorilla/mux

usage() {
	cat <<-TEXT
		Usage: gorilla/conformance/realprograms.sh [-t IMPORT_PATH@VERSION] [PROGRAM...]

		Runs the router tests of the programs, or of all of them, twice: unchanged, and
		with every import of $theirs replaced. Prints a table, and exits
		with 1 if a test passes before the swap and fails after it. Known tests that
		also fail with the main branch of $theirs are counted
		separately, "as main".

		  -t   a published package to swap in, such as github.com/minio/mux@v1.9.2,
		       instead of $ours of this repository

		It needs Go and the Go module proxy. It writes to Go's caches and to a
		temporary directory, which it removes. The programs:

	TEXT
	local program name module packages
	for program in "${programs[@]}"; do
		read -r name module packages <<<"$program"
		printf '  %-16s %s\n' "$name" "$module"
	done
}

fail() {
	printf 'FAIL: %s\n' "$*" >&2
	exit 1
}

# run_tests OUT PACKAGE... writes a line "RESULT PACKAGE TEST" for each test of
# the module here, sorted. Tests that fail are no error. Names of tests are cut
# where they leave ASCII: there they are random.
run_tests() {
	local out=$1
	shift
	# The fields of an event have a fixed order, and those without Output end a test.
	go test -count=1 -timeout=9m -json "$@" >"$out.json" 2>"$out.err" || true
	sed -nE 's/^\{"Time":"[^"]*","Action":"(pass|fail|skip)","Package":"([^"]*)","Test":"(([^"\\]|\\.)*)".*/\1 \2 \3/p' \
		"$out.json" | sed -E 's/_*(\\\\|[^ -~]).*//' | sort >"$out"
	if [ ! -s "$out" ]; then
		tail -n 20 "$out.err" "$out.json" >&2
		fail "no test ran"
	fi
}

# count RESULT FILE counts the tests with this result.
count() { grep -c "^$1 " "$2" || true; }

# swap_imports replaces the import in every Go file of the module here.
swap_imports() {
	local files
	files=$(grep -rlF --include='*.go' "\"$theirs\"" .)
	mapfile -t files <<<"$files"
	sed -i "s#\"$theirs\"#\"$target\"#" "${files[@]}"
	if [ -n "$version" ]; then
		go get "$target@$version"
	else
		go mod edit -require="$module_path@v0.0.0" -replace="$module_path=$module_dir"
	fi
	printf '%s\n' "${#files[@]}"
}

# check NAME MODULE PACKAGE... runs the tests of one program, adds a row to the
# table, and fails if a test has a worse result.
check() {
	local name=$1 module=$2 dir lost differ files
	shift 2
	mkdir "$tmp/$name" || fail "$name: cannot create a directory"
	# GOFLAGS= : download the module without the caller's flags.
	dir=$(cd "$tmp" && GOFLAGS='' go mod download -json "$module" | sed -nE 's/^\t"Dir": "(.*)",?$/\1/p')
	[ -n "$dir" ] || fail "$module cannot be downloaded"
	cp -R "$dir" "$tmp/$name/src"
	chmod -R u+w "$tmp/$name/src"
	cd "$tmp/$name/src"
	printf '%s: before the swap\n' "$module" >&2
	run_tests "$tmp/$name/before" "$@"
	files=$(swap_imports)
	printf '%s: after the swap\n' "$module" >&2
	run_tests "$tmp/$name/after" "$@"
	# Tests that passed before and have no "pass" line after.
	lost=$(comm -23 <(grep '^pass ' "$tmp/$name/before") <(grep '^pass ' "$tmp/$name/after"))
	differ=$(comm -12 <(printf '%s\n' "$lost") <(printf '%s\n' "$known"))
	lost=$(comm -23 <(printf '%s\n' "$lost") <(printf '%s\n' "$known"))
	[ "$(count pass "$tmp/$name/before")" -gt 0 ] || fail "$module: no test passes before the swap"
	printf '| %s | %s | %s | %s | %s | %s | %s |\n' "$module" "$*" "$files" \
		"$(results "$tmp/$name/before")" "$(results "$tmp/$name/after")" \
		"$(grep -c . <<<"$differ" || true)" "$(grep -c . <<<"$lost" || true)" >>"$tmp/table"
	[ -z "$lost" ] || fail "passed before the swap and not after:"$'\n'"$lost"
}

# results FILE prints a summary of the results.
results() { printf '%s passed, %s failed, %s skipped' "$(count pass "$1")" "$(count fail "$1")" "$(count skip "$1")"; }

version=''
target=$ours
while getopts t:h option; do
	case $option in
	t)
		target=${OPTARG%@*}
		version=${OPTARG#*@}
		[ "$target" != "$OPTARG" ] || fail "-t must be IMPORT_PATH@VERSION"
		;;
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

export GOWORK=off GOFLAGS=-mod=mod
if [ -z "$version" ]; then
	read -r module_path module_dir < <(cd "$root/gorilla/mux" && go list -m -f '{{.Path}} {{.Dir}}')
	[ -n "$module_dir" ] || fail "no module of $ours in this repository"
fi

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
touch "$tmp/table"
failed=0
for program in "${programs[@]}"; do
	read -r name module packages <<<"$program"
	if [ $# -gt 0 ] && [[ " $* " != *" $name "* ]]; then
		continue
	fi
	# After || or if, bash would not stop at the first failing command.
	set +e
	# shellcheck disable=SC2086 # a list of packages
	(
		set -e
		check "$name" "$module" $packages
	)
	status=$?
	[ "$status" = 0 ] || failed=1
	set -e
done
printf '\nswapped in: %s\n\n' "$target${version:+@$version}"
printf '| program | packages | files changed | before | after | as main | lost |\n'
printf '| --- | --- | --: | --- | --- | --: | --: |\n'
cat "$tmp/table"
exit $failed
