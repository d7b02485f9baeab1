#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# complaints.sh BUILD ARGUMENTS OBJECT...: build the objects of kernel/sched anew
# with ARGUMENTS on the patched and the unpatched tree; the patched one must not
# complain of anything that the unpatched one does not.
set -eu

build=$1
arguments=$2
shift 2

# Messages without line numbers, which the hooks move, and without the tree
complain() {
	objects=
	for object; do
		if [ -f "$build/$tree/kernel/sched/$object" ]; then
			rm "$build/$tree/kernel/sched/$object"
			objects="$objects kernel/sched/$object"
		fi
	done
	# shellcheck disable=SC2086 # lists of words
	make -C "$build/src-$tree" O="$build/$tree" $arguments $objects 2>&1 |
		tee "$build/$tree-complaints.log" |
		grep -E ': (warning|error):' |
		sed -E "s,^.*/(src-$tree|$tree)/,,; s,:[0-9]+:([0-9]+:)?,:," | sort -u
	grep -q "kernel/sched/fair" "$build/$tree-complaints.log" || {
		echo "nothing was built, see $build/$tree-complaints.log" >&2
		exit 1
	}
}

tree=stock
stock=$(complain "$@")
tree=patched
patched=$(complain "$@")

new=$(printf '%s\n' "$patched" | grep -vxF -e "${stock:-nothing}" || true)
echo "$arguments: $(printf '%s' "$stock" | grep -c .) kinds of complaints on the unpatched tree," \
	"$(printf '%s' "$new" | grep -c .) new ones"
[ -z "$new" ] || { echo "$new"; exit 1; }
