#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# run-tests.sh TEST...: make run-TEST for each; ends with the count of results.
# A test that skips something fails: see qemu/tap.awk.
set -eu

passed=0 failed=0 number=0
start=$(date +%s)
for test; do
	number=$((number + 1))
	begin=$(date +%s)
	echo "[$number/$#] $test ($((begin - start)) s so far)"
	if ${MAKE:-make} --no-print-directory "run-$test"; then
		passed=$((passed + 1))
		verdict=ok
	else
		failed=$((failed + 1))
		verdict='NOT OK'
	fi
	echo "[$number/$#] $test: $verdict, $(($(date +%s) - begin)) s"
done
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
