#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# selftest.sh KERNEL INITRAMFS OUT: a guest that misbehaves must be reported as
# a failure, for the right reason, and a good one must pass.
set -eu

kernel=$1
initramfs=$2
out=$3
here=$(dirname "$0")
wrong=0
mkdir -p "$out"

# try FAULT EXPECTED-STATUS EXPECTED-WORDS [SECONDS]
try() {
	status=0
	said=$("$here/run.sh" -k "$kernel" -i "$initramfs" -t fault -o "$out/$1" \
		-a "pelt.fault=$1" -T "${4:-60}") || status=$?
	if [ "$status" -eq "$2" ] && echo "$said" | grep -qE "$3"; then
		echo "  $1: $said"
	else
		echo "  $1: unexpected status $status: $said"
		wrong=$((wrong + 1))
	fi
}

try none 0 '1 cases'
try hang 1 'hangs' 20
try spin 1 'hangs' 20
try panic 1 'Kernel panic|BUG'
try warn 1 'WARNING|Kernel panic'
try oops 1 'BUG|Oops|Kernel panic'
try complain 1 'BUG: not really'
try reboot 1 'without a word'
try forged 1 'without a word'
try few 1 'planned 1 cases, saw 0'
try noplan 1 'no plan'
try notok 1 'not ok 1'
try skip 1 'SKIP'
try bail 1 'Bail out'
[ "$wrong" -eq 0 ]
