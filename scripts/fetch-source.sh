#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# fetch-source.sh TARBALL|TREE DEST: make DEST the pristine kernel source.
# Whatever is interrupted leaves no DEST behind.
set -eu

from=$1
dest=$2

rm -rf "$dest.new"
mkdir -p "$dest.new"
if [ -d "$from" ]; then
	[ -f "$from/kernel/sched/fair.c" ] || { echo "$from is no kernel source" >&2; exit 1; }
	echo "Copying $from"
	cp -a "$from/." "$dest.new/"
	make -s -C "$dest.new" mrproper
else
	echo "Unpacking $from"
	tar -C "$dest.new" --strip-components=1 -xf "$from"
fi
rm -rf "$dest"
mv "$dest.new" "$dest"
