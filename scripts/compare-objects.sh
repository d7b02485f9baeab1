#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# compare-objects.sh A B: the machine code of all objects in two folders must be
# the same.
set -eu

a=$1
b=$2
objects=$(cd "$a" && find . -name '*.o' ! -name '.*' | sort)
[ "$objects" = "$(cd "$b" && find . -name '*.o' ! -name '.*' | sort)" ] || {
	echo "$a and $b hold different objects" >&2
	exit 1
}

# objdump names the file in its second line.
code() {
	objdump -dr "$1" | sed 2d
}

count=0
different=0
for object in $objects; do
	count=$((count + 1))
	[ "$(code "$a/$object" | sha256sum)" = "$(code "$b/$object" | sha256sum)" ] && continue
	echo "$object differs" >&2
	different=$((different + 1))
done
echo "$count objects, $different different"
[ "$count" -gt 0 ] && [ "$different" -eq 0 ]
