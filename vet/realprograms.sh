#!/usr/bin/env bash
# Migrates public programs to muxwell, and runs their tests before and after. See "usage"
# below.
#
# The programs are modules of the Go module proxy at fixed versions. What the migration
# leaves to be edited by hand is in testdata/realprograms/NAME.patch.
set -euo pipefail
shopt -s inherit_errexit
export LC_ALL=C # compare names byte by byte in sort and comm
unset CDPATH
cd "$(dirname "${BASH_SOURCE[0]}")"
here=$PWD
root=$(cd .. && pwd)

# name, module@version, routers, packages that are migrated and tested
programs=(
	"go-dockerclient github.com/fsouza/go-dockerclient@v1.13.3 gorilla ./..."
	"toxiproxy github.com/Shopify/toxiproxy/v2@v2.5.0 gorilla ./..."
	"faas-provider github.com/openfaas/faas-provider@v0.25.3 gorilla ./..."
	"watchman github.com/moov-io/watchman@v0.31.3 gorilla ./cmd/server"
	"lambda-proxy github.com/awslabs/aws-lambda-go-api-proxy@v0.16.2 chi,gorilla ./chi/... ./gorillamux/... ./core/..."
	"jwtauth github.com/go-chi/jwtauth/v5@v5.3.3 chi ./..."
	"oapi-codegen github.com/deepmap/oapi-codegen@v1.13.4 chi ./examples/petstore-expanded/chi/... ./examples/petstore-expanded/strict/... ./internal/test/server ./internal/test/strict-server/... ./internal/test/issues/... ./pkg/chi-middleware"
	"go-http-metrics github.com/slok/go-http-metrics@v0.13.0 chi,gorilla,servemux ./middleware/... ./test/integration ./examples/chi ./examples/gorilla"
	"connect connectrpc.com/connect@v1.19.1 servemux ."
)

usage() {
	cat <<-TEXT
		Usage: vet/realprograms.sh [-k DIR] [PROGRAM...]

		Migrates the programs, or all of them, and runs their tests before and after.
		Prints a table, and exits with 1 if a test passes before and not after.

		  -k   keep the programs in a directory, instead of a temporary one

		It needs Go and the Go module proxy. The programs:

	TEXT
	local program name module rest
	for program in "${programs[@]}"; do
		read -r name module rest <<<"$program"
		printf '  %-16s %s\n' "$name" "$module"
	done
}

fail() {
	printf 'FAIL: %s\n' "$*" >&2
	exit 1
}

# run_tests OUT PACKAGE... writes a line "RESULT PACKAGE TEST" for each test of the module
# here, sorted. Tests that fail are no error.
run_tests() {
	local out=$1
	shift
	go test -vet=off -count=1 -timeout=9m -json "$@" >"$out.json" 2>"$out.err" || true
	sed -nE 's/^\{"Time":"[^"]*","Action":"(pass|fail|skip)","Package":"([^"]*)","Test":"(([^"\\]|\\.)*)".*/\1 \2 \3/p' \
		"$out.json" | sed -E 's/_*(\\\\|[^ -~]).*//; s/(127\.0\.0\.1|localhost):[0-9]+/ADDRESS/g' | sort >"$out"
	if [ ! -s "$out" ]; then
		tail -n 20 "$out.err" "$out.json" >&2
		fail "no test ran"
	fi
}

# count RESULT FILE counts the tests with this result.
count() { grep -c "^$1 " "$2" || true; }

results() { printf '%s passed, %s failed' "$(count pass "$1")" "$(count fail "$1")"; }

# These count in a report: rewritten uses, places to edit, and places to check.
automatic() { sed -nE '/"rewritten": \{/,/\}/s/^.*": ([0-9]+),?$/\1/p' "$1" | awk '{ n += $1 } END { print n + 0 }'; }
messages() { grep -c '"message": ' "$1" || true; }
checks() { grep -c '"kept": true' "$1" || true; }

check() {
	local name=$1 module=$2 from=$3 dir lost src
	shift 3
	mkdir -p "$tmp/$name" || fail "$name: cannot create a directory"
	dir=$(cd "$tmp" && GOFLAGS='' go mod download -json "$module" | sed -nE 's/^\t"Dir": "(.*)",?$/\1/p')
	[ -n "$dir" ] || fail "$module cannot be downloaded"
	src=$tmp/$name/src
	rm -rf "$src"
	cp -R "$dir" "$src"
	chmod -R u+w "$src"
	cd "$src"
	go mod edit -go=1.26.0 # as muxwell requires; it changes defaults of the standard library
	printf '%s: before\n' "$module" >&2
	run_tests "$tmp/$name/before" "$@"
	printf '%s: migrate\n' "$module" >&2
	"$tmp/muxwell-vet" migrate -from "$from" -w -partial -json -replace "$root" "$@" >"$tmp/$name/report.json" || [ $? = 1 ]
	if [ -e "$here/testdata/realprograms/$name.patch" ]; then
		patch -s -p1 <"$here/testdata/realprograms/$name.patch"
	fi
	go test -vet=off -run '^$' "$@" >/dev/null # it compiles
	printf '%s: after\n' "$module" >&2
	run_tests "$tmp/$name/after" "$@"
	lost=$(comm -23 <(grep '^pass ' "$tmp/$name/before") <(grep '^pass ' "$tmp/$name/after"))
	if [ -n "$lost" ]; then # a second run: some tests depend on the time
		run_tests "$tmp/$name/again" "$@"
		lost=$(comm -23 <(printf '%s\n' "$lost") <(grep '^pass ' "$tmp/$name/again"))
	fi
	printf '| %s | %s | %s | %s | %s | %s | %s | %s |\n' "${module%@*} ${module#*@}" "${from//,/, }" \
		"$(automatic "$tmp/$name/report.json")" "$(($(messages "$tmp/$name/report.json") - $(checks "$tmp/$name/report.json")))" "$(checks "$tmp/$name/report.json")" \
		"$(results "$tmp/$name/before")" "$(results "$tmp/$name/after")" "$(grep -c . <<<"$lost" || true)" >>"$tmp/table"
	[ -z "$lost" ] || fail "passed before and not after:"$'\n'"$lost"
}

tmp=''
while getopts k:h option; do
	case $option in
	k) tmp=$OPTARG ;;
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
go build -o "$tmp/muxwell-vet" ./cmd/muxwell-vet
export GOWORK=off GOFLAGS=-mod=mod
: >"$tmp/table"
failed=0
for program in "${programs[@]}"; do
	read -r name module from packages <<<"$program"
	if [ $# -gt 0 ] && [[ " $* " != *" $name "* ]]; then
		continue
	fi
	# After || or if, bash would not stop at the first failing command.
	set +e
	# shellcheck disable=SC2086 # a list of packages
	(
		set -e
		check "$name" "$module" "$from" $packages
	)
	status=$?
	[ "$status" = 0 ] || failed=1
	set -e
done
printf '\n| program | router | rewritten | to edit | to check | tests before | after | lost |\n'
printf '| --- | --- | --: | --: | --: | --- | --- | --: |\n'
cat "$tmp/table"
exit $failed
