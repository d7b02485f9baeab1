#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# prepare-tree.sh STOCK DEST HOOKS OVERLAY...: make DEST the pristine source
# STOCK plus the hook patches in HOOKS plus the files in the OVERLAY folders.
# Only files whose content differs are written, so that make rebuilds little;
# DEST.stamp is new if any that the kernel is built from was written.
set -eu

stock=$1
dest=$2
hooks=$3
shift 3

work=$dest.work
rm -rf "$work"
mkdir -p "$work"

# A copy made of hard links; nothing below writes to a file in place.
if [ ! -d "$dest" ]; then
	rm -rf "$dest.new"
	cp -al "$stock" "$dest.new"
	mv "$dest.new" "$dest"
fi

touched() {
	while read -r patch; do
		sed -n 's,^+++ b/,,p' "$hooks/$patch"
	done < "$hooks/series" | sort -u
}

touched | while read -r file; do
	mkdir -p "$work/$(dirname "$file")"
	cp "$stock/$file" "$work/$file"
done

while read -r patch; do
	patch -d "$work" -p1 --fuzz=0 --no-backup-if-mismatch -s < "$hooks/$patch" || {
		echo "$hooks/$patch does not apply; see above for the hunk" >&2
		exit 1
	}
done < "$hooks/series"

for folder; do
	find "$folder" -type f | while read -r file; do
		mkdir -p "$work/$(dirname "$file")"
		cp "$file" "$work/$file"
	done
done

(cd "$work" && find . -type f | sort) > "$work.list"

# What an earlier run has put there and this one does not: restore or remove.
if [ -f "$dest.list" ]; then
	comm -23 "$dest.list" "$work.list" | while read -r file; do
		rm -f "$dest.stamp"
		rm -f "$dest/$file"
		[ ! -f "$stock/$file" ] || cp "$stock/$file" "$dest/$file"
	done
fi

while read -r file; do
	cmp -s "$work/$file" "$dest/$file" && continue
	case $file in
	./tools/* | ./Documentation/*) ;;
	*) rm -f "$dest.stamp" ;;
	esac
	mkdir -p "$dest/$(dirname "$file")"
	mv -f "$work/$file" "$dest/$file"
done < "$work.list"
mv "$work.list" "$dest.list"
rm -rf "$work"
[ -f "$dest.stamp" ] || touch "$dest.stamp"
