#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# compare-tap.sh SOURCES A B: folders A and B hold what the tests in SOURCES have
# printed on two kernels. They must say the same of each case, and of all cases.
set -eu

sources=$1
a=$2
b=$3

# Children print again what was in the buffer when they were forked.
results() {
	grep -E '^(not )?ok [0-9]+ ' "$1" | awk '!seen[$0]++'
}

total=0
for file in "$a"/*.tap; do
	name=$(basename "$file" .tap)
	results "$file" > "$a/$name.results"
	results "$b/$name.tap" > "$b/$name.results"
	cases=$(wc -l < "$a/$name.results")
	expected=$(grep -c '^	T(' "$sources/$name.c")
	if [ "$cases" -ne "$expected" ]; then
		echo "$name has $expected cases, saw $cases" >&2
		exit 1
	fi
	diff "$a/$name.results" "$b/$name.results" || {
		echo "$name differs: < is $a, > is $b" >&2
		exit 1
	}
	echo "$name: $cases cases, the same on both kernels," \
		"$(grep -c '^not ok' "$a/$name.results" || true) fail on both," \
		"$(grep -c 'SKIP' "$a/$name.results" || true) skip on both"
	grep -E '^not ok|SKIP' "$a/$name.results" || true
	total=$((total + cases))
done
[ "$total" -gt 0 ]
