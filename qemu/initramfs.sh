#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# initramfs.sh OUT FILE...: pack busybox, init and FILEs; *.ko go to /modules,
# everything else to /tests.
set -eu

out=$1
shift
here=$(dirname "$0")
root=$out.root

rm -rf "$root"
for folder in bin dev proc sys tmp tests modules results; do
	mkdir -p "$root/$folder"
done
cp /bin/busybox "$root/bin/"
cp "$here/init" "$root/init"
for file; do
	case $file in
	*.ko) cp "$file" "$root/modules/" ;;
	*) cp "$file" "$root/tests/" ;;
	esac
done
(cd "$root" && find . | LC_ALL=C sort | cpio --quiet -o -H newc) > "$out.new"
mv "$out.new" "$out"
rm -rf "$root"
