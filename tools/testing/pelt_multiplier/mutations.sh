#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# mutations.sh BUILD COMPARE RESULTS HOOKS: break the kernel on purpose in each way of
# mutations/ and expect the model to notice. The patched tree is made whole again in
# the end, and by the next make if this is interrupted.
set -eu

build=$1
compare=$2
results=$3
hooks=$4
root=$(pwd)
here=$root/$(dirname "$0")
overlay=$build/mutant
missed=0
number=0

# From the folder that has kernel/, include/ and the hooks
build_tree() {
	cd "$1"
	"$root/scripts/prepare-tree.sh" "$build/src-stock" "$build/src-patched" \
		"$hooks" kernel include
	make -C "$build/src-patched" O="$build/patched" -j"$(nproc)" bzImage \
		> "$build/mutant.log" 2>&1 || { tail "$build/mutant.log" >&2; exit 1; }
}

# In both kinds of random workloads; which one finds it depends on the mutation.
noticed() {
	for options in -s,1000 -s,2000,-t; do
		"$root/qemu/run.sh" -k "$build/patched/arch/x86/boot/bzImage" \
			-i "$build/patched.cpio" -t random -o "$results/mutation" -n 3 -T 300 \
			-a "pelt.random=-n,20,$options" || return 1
		set --
		for file in "$results/mutation/data"/*.data; do
			set -- "$@" "${file%.data}"
		done
		"$compare" -w 3 "$@" > "$results/mutation/compare" && continue
		grep beyond "$results/mutation/compare"
		return 0
	done
	return 1
}

for patch in "$here"/mutations/*.patch; do
	number=$((number + 1))
	name=$(basename "$patch" .patch)
	echo "[$number] $name: $(head -n 1 "$patch")"
	rm -rf "$overlay"
	mkdir -p "$overlay"
	cp -r --parents kernel include "$hooks" "$overlay/"
	patch -d "$overlay" -p1 --fuzz=0 -s < "$patch"
	(build_tree "$overlay")
	if noticed; then
		echo "[$number] $name: noticed"
	else
		echo "[$number] $name: MISSED"
		missed=$((missed + 1))
	fi
done
rm -rf "$overlay"
(build_tree .)
echo "$number mutations, $missed missed"
[ "$missed" -eq 0 ]
