#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# demo.sh RESULTS RAMP: figures and curves from what the guest's demo recorded.
set -eu

results=$1
ramp=$2
data=$results/demo/data
curves=$results/demo/curves

mkdir -p "$curves"
status=0
"$ramp" -v -r 3 -d "$curves" "$data/four" "$data/half" > "$results/demo-all.tsv" || status=$?
cut -f 1-6 "$results/demo-all.tsv" > "$results/demo.tsv"

echo
awk -F '\t' '
NR == 1 {
	printf "%-12s %6s %-6s %10s %10s %11s %11s\n", "group", "factor", "level",
	       "to 50 %", "to 80 %", "half-life", "asleep"
	next
}
{
	printf "%-12s %6s %-6s", $1, $2, $3
	for (i = 4; i <= 7; i++)
		printf $i == "nan" ? "" : " %5.1f/%5.1f", $i, $i * 1.048576
	print ""
}
END {
	print "asleep: half-life of the group\047s share at the root after its task went to sleep."
	print "Each pair: PELT milliseconds of 1024 x 1024 ns / milliseconds. PELT calls its"
	print "half-life 32 ms; it is 32 periods of 1.048576 ms."
}' "$results/demo-all.tsv"

gnuplot -e "dir='$curves'; out='$results/demo'" "$(dirname "$0")/demo.gnuplot"

echo
echo "Figures: $results/demo.tsv"
echo "Curves:  $results/demo.png $results/demo.svg"
[ "$status" -eq 0 ] || echo "The root run queue misses the expectation by over 3 %"
exit "$status"
