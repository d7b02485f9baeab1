#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# build-kernel.sh TREE OBJ NAME TARGET...: build, showing how far it is. The
# number of objects to come is counted by a dry run. V=1 shows commands instead.
set -eu

tree=$1
obj=$2
name=$3
shift 3
log=$obj.log
start=$(date +%s)
jobs=$(nproc)

if [ "${V:-0}" = 1 ]; then
	exec make -C "$tree" O="$obj" -j"$jobs" V=1 "$@"
fi

make -C "$tree" O="$obj" -j"$jobs" prepare modules_prepare > "$log" 2>&1 || {
	tail -n 30 "$log" >&2
	exit 1
}
# Stops at the first object that needs another one; -k goes on.
total=$(make -C "$tree" O="$obj" -k -n "$@" 2>/dev/null | grep -cE "echo '  (CC|AS) " || true)

report() {
	echo "$name: about $(grep -cE '^  (CC|AS) ' "$log") of $total objects," \
	     "$(($(date +%s) - start)) s"
}

: > "$log"
make -C "$tree" O="$obj" -j"$jobs" "$@" > "$log" 2>&1 &
pid=$!
trap 'kill $pid 2>/dev/null; wait $pid; exit 1' INT TERM HUP
while kill -0 $pid 2>/dev/null; do
	sleep 1
	i=$((${i:-0} + 1))
	[ $((i % 15)) -ne 0 ] || report
done
if ! wait $pid; then
	grep -E 'error|warning|\*\*\*' "$log" >&2 || tail -n 30 "$log" >&2
	echo "$name: build failed, see $log" >&2
	exit 1
fi
report
