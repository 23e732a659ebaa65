#!/usr/bin/env bash
# Runs the tests of public programs that use github.com/gorilla/mux, unchanged and
# with this repository's package instead. See "usage" below.
#
# The programs are modules of the Go module proxy at fixed versions, so the tests
# do not change. Each is swapped in the two ways of docs/migrate-from-gorilla.md: by a
# replace directive in go.mod, and by changing the import path in the source.
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
	"toxiproxy github.com/Shopify/toxiproxy/v2@v2.5.0 ."
	"notary github.com/theupdateframework/notary@v0.7.0 ./server/handlers ./utils ./client"
	"moby github.com/moby/moby/v2@v2.0.0-beta.24 ./daemon/server ./pkg/authorization"
	"kin-openapi github.com/getkin/kin-openapi@v0.152.0 ./openapi3filter ./routers/gorillamux"
	"oauth2-proxy github.com/oauth2-proxy/oauth2-proxy/v7@v7.8.1 . ./pkg/upstream"
	"weaveworks-common github.com/weaveworks/common@v0.0.0-20230728070032-dd9e68f319d5 ./middleware ./server"
	"otelmux go.opentelemetry.io/contrib/instrumentation/github.com/gorilla/mux/otelmux@v0.58.0 ."
	"dd-trace github.com/DataDog/dd-trace-go/contrib/gorilla/mux/v2@v2.1.0 ."
	"dd-trace-v1 gopkg.in/DataDog/dd-trace-go.v1@v1.74.8 ./contrib/gorilla/mux"
)
# Tests that fail after a swap as documented: expressions for "WAY PACKAGE TEST".
# A spec of oauth2-proxy expects a redirect to name the host of the request. The package
# of dd-trace-v1 passes routers to a package that imports gorilla/mux itself.
known='(replace|sed) github\.com/oauth2-proxy/oauth2-proxy/v7/pkg/upstream TestUpstreamSuite
sed gopkg\.in/DataDog/dd-trace-go\.v1/contrib/gorilla/mux .*'
theirs=github.com/gorilla/mux
ours=github.com/muxwell/muxwell/gorilla/mux

usage() {
	cat <<-TEXT
		Usage: gorilla/conformance/realprograms.sh [-t IMPORT_PATH@VERSION] [PROGRAM...]

		Runs the router tests of the programs, or of all of them, three times: unchanged,
		with a replace directive for $theirs in go.mod ("replace"), and
		with every import of $theirs changed in the source ("sed").
		Prints a table, and exits with 1 if a test passes before a swap and fails twice
		after it. Tests that fail as documented are counted separately, "known".

		  -t   a published package to swap in, such as github.com/minio/mux@v1.9.2,
		       instead of $ours of this repository; only "sed"

		It needs Go and the Go module proxy. It writes to Go's caches and to a
		temporary directory, which it removes. The programs:

	TEXT
	local program name module packages
	for program in "${programs[@]}"; do
		read -r name module packages <<<"$program"
		printf '  %-18s %s\n' "$name" "$module"
	done
}

fail() {
	printf 'FAIL: %s\n' "$*" >&2
	exit 1
}

# run_tests OUT PACKAGE... writes a line "RESULT PACKAGE TEST" for each test of
# the module here, sorted. Tests that fail are no error. Names of tests are cut
# where they leave ASCII: there they are random. Vet is off: with the newer go
# line of a swap it checks more.
run_tests() {
	local out=$1
	shift
	# The fields of an event have a fixed order, and those without Output end a test.
	go test -vet=off -count=1 -timeout=9m -json "$@" >"$out.json" 2>"$out.err" || true
	sed -nE 's/^\{"Time":"[^"]*","Action":"(pass|fail|skip)","Package":"([^"]*)","Test":"(([^"\\]|\\.)*)".*/\1 \2 \3/p' \
		"$out.json" | sed -E 's/_*(\\\\|[^ -~]).*//' | sort >"$out"
	[ -s "$out" ] || tail -n 20 "$out.err" "$out.json" >&2
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

# replace_module adds the directives to the go.mod of the module here. The second one
# is for the repository, which has no version.
replace_module() {
	go mod edit -replace="$theirs=$module_dir/gorilla/replace" -replace="$module_path=$module_dir"
}

# keep_defaults makes the module here keep the run-time defaults of its go line, which
# a swap raises.
keep_defaults() {
	go mod edit -godebug="default=go$(sed -nE 's/^go ([0-9]+\.[0-9]+).*/\1/p' go.mod)"
}

# check NAME MODULE PACKAGE... runs the tests of one program, adds a row to the
# table, and fails if a test has a worse result.
check() {
	local name=$1 module=$2 dir files lost replaced=-
	shift 2
	mkdir "$tmp/$name" || fail "$name: cannot create a directory"
	# GOFLAGS= : download the module without the caller's flags.
	dir=$(cd "$tmp" && GOFLAGS='' go mod download -json "$module" | sed -nE 's/^\t"Dir": "(.*)",?$/\1/p')
	[ -n "$dir" ] || fail "$module cannot be downloaded"
	cp -R "$dir" "$tmp/$name/src"
	chmod -R u+w "$tmp/$name/src"
	cd "$tmp/$name/src"
	# What go.mod replaces by other folders of the program's repository is not here.
	sed -i -E '/=> \.\.?\//d' go.mod
	touch go.sum
	printf '%s: before the swap\n' "$module" >&2
	run_tests "$tmp/$name/before" "$@"
	[ "$(count pass "$tmp/$name/before")" -gt 0 ] || fail "$module: no test passes before the swap"
	: >"$tmp/$name/lost"
	if [ -z "$version" ]; then
		printf '%s: with a replace directive\n' "$module" >&2
		cp go.mod go.sum "$tmp/$name"
		keep_defaults
		replace_module
		compare "$tmp/$name" replace "$@"
		replaced=$(results "$tmp/$name/replace")
		mv "$tmp/$name/go.mod" "$tmp/$name/go.sum" .
	fi
	printf '%s: with other imports\n' "$module" >&2
	keep_defaults
	files=$(swap_imports)
	compare "$tmp/$name" sed "$@"
	printf '| %s | %s | %s | %s | %s | %s | %s | %s |\n' "$module" "$*" "$(results "$tmp/$name/before")" \
		"$replaced" "$files" "$(results "$tmp/$name/sed")" \
		"$(grep -cxEf "$tmp/known" "$tmp/$name/lost" || true)" "$(grep -cvxEf "$tmp/known" "$tmp/$name/lost" || true)" >>"$tmp/table"
	lost=$(grep -vxEf "$tmp/known" "$tmp/$name/lost" || true)
	[ -z "$lost" ] || fail "passed before the swap and not after:"$'\n'"$lost"
}

# compare DIR WAY PACKAGE... runs the tests after a swap, those that are lost twice. It
# writes the results to DIR/WAY and adds the tests to DIR/lost that passed before.
compare() {
	local dir=$1 way=$2
	shift 2
	run_tests "$dir/$way" "$@"
	if lost_tests "$dir" "$way" | grep -qvxEf "$tmp/known"; then
		mv "$dir/$way" "$dir/first"
		run_tests "$dir/again" "$@"
		# A test that passes once has passed: "pass" is before "fail" in reverse order.
		sort -k2 -k1,1r "$dir/first" "$dir/again" | awk '{ name = substr($0, index($0, " ") + 1) } name != last { print } { last = name }' |
			sort >"$dir/$way"
	fi
	lost_tests "$dir" "$way" >>"$dir/lost"
}

# lost_tests DIR WAY prints the tests that passed before and have no "pass" line after.
lost_tests() {
	comm -23 <(grep '^pass ' "$1/before") <(grep '^pass ' "$1/$2") | sed "s/^pass/$2/"
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
printf '%s\n' "$known" >"$tmp/known"
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
printf '| program | packages | before | replace | files changed | sed | known | lost |\n'
printf '| --- | --- | --- | --- | --: | --- | --: | --: |\n'
cat "$tmp/table"
exit $failed
