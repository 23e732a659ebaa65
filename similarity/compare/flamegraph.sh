#!/usr/bin/env bash
# Draws where the time of a request goes, from its body to that of its answer: a flame
# graph as SVG for each of
#
#   similarity/compare/flamegraph.sh FOLDER
#
# the pipeline that one first writes, package score, and package score without assembly.
# It needs go, and inferno-flamegraph in the PATH: cargo install inferno.
set -euo pipefail

if [ $# != 1 ] || [ ! -d "$1" ]; then
	echo "Usage: $0 FOLDER, one that exists" >&2
	exit 2
fi
command -v inferno-flamegraph >/dev/null || {
	echo "inferno-flamegraph is not in the PATH: cargo install inferno" >&2
	exit 1
}
out=$(cd "$1" && pwd)
cd "$(dirname "${BASH_SOURCE[0]}")"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# collapse makes of pprof's stacks, innermost function first, a line each with the
# outermost first and the time behind it, from the root function on.
collapse() {
	awk -v root="$1" '
		function flush(   i, line, on) {
			for (i = n; i > 0; i--) {
				if (index(stack[i], root)) on = 1
				if (on) line = line (line == "" ? "" : ";") stack[i]
			}
			if (on) print line, time
			n = 0
		}
		/^-+\+/ { flush(); body = 1; next }
		!body { next }
		# The first line of a stack has the time before it.
		/^ *[0-9.]+(ns|us|ms|s) / { time = $1; unit = time; gsub(/[0-9.]/, "", unit); time += 0
			time = int(time * (unit == "s" ? 1e6 : unit == "ms" ? 1e3 : unit == "us" ? 1 : 1e-3))
			sub(/^ *[^ ]+ +/, ""); stack[++n] = $0; next }
		NF { sub(/^ +/, ""); stack[++n] = $0 }
		END { flush() }' |
		sed 's/ (inline)//g; s#github.com/muxwell/muxwell/similarity/##g; s#compare/original\.##g'
}

# draw NAME TITLE BENCHMARK ROOT [VARIABLE...]
draw() {
	local name=$1 title=$2 bench=$3 root=$4
	shift 4
	env "$@" go test -run - -bench "Answer/text=plain/pipeline=$bench\$" -cpu 1 -benchtime 5s \
		-cpuprofile "$tmp/$name.prof" -o "$tmp/$name.test" ./original
	env "$@" go tool pprof -traces "$tmp/$name.test" "$tmp/$name.prof" 2>/dev/null | collapse "$root" |
		inferno-flamegraph --title "$title" --countname µs --width 1200 --minwidth 0.5 --deterministic >"$out/flame-$name.svg"
	echo "$out/flame-$name.svg"
}

draw regexp "As first written: encoding/json, two regular expressions, maps" regexp 'original.BenchmarkAnswer.func1'
draw muxwell "Package score" muxwell score.AppendAnswer
draw purego "Package score without assembly" muxwell-purego score.AppendAnswer GOFLAGS=-tags=purego
