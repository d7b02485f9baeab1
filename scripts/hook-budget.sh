#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# hook-budget.sh HOOKS LIMIT: count the lines that the hooks add to existing C and
# header files, and fail beyond LIMIT.
set -eu

while read -r patch; do
	cat "$1/$patch"
done < "$1/series" | awk -v limit="$2" -v hooks="$1" '
/^--- / { next }
/^\+\+\+ / { file = $2; sub(/^b\//, "", file); next }
file ~ /\.[ch]$/ && /^\+/ { added[file]++; total++ }
file ~ /\.[ch]$/ && /^-/ { removed++ }
END {
	for (file in added)
		printf "  %-28s +%d\n", file, added[file] | "sort"
	close("sort")
	printf "%s: %d lines added to C and header files (limit %d), %d removed\n",
	       hooks, total, limit, removed
	exit !total || total > limit
}'
