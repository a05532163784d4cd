#!/bin/sh
# Measure the hook's cost at each call as ratios: an empty Go program, planlint-hook and planlint hook with a
# session of 1,000 calls behind them, an empty node program, and a guard written for node (cc-safety-net).
# Usage: scripts/bench-hook.sh [ROUNDS]. Run it on a quiet machine. Figures are in docs/performance.md.
set -eu
cd "$(dirname "$0")/.."
npm_folder=""
if command -v npm >/dev/null; then
	npm_folder="${PLANLINT_BENCH_NPM:-${TMPDIR:-/tmp}/planlint-bench-npm}"
	if [ ! -x "$npm_folder/node_modules/.bin/cc-safety-net" ]; then
		npm install --silent --no-audit --no-fund --prefix "$npm_folder" cc-safety-net@2.4.5 || {
			echo "bench-hook: cc-safety-net could not be installed; it is left out" >&2
			npm_folder=""
		}
	fi
else
	echo "bench-hook: no npm; cc-safety-net is left out" >&2
fi
exec go run ./internal/hookbench -n "${1:-60}" -npm "$npm_folder"
