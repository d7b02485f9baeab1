#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# configure.sh TREE OBJ FRAGMENT...: configure OBJ as tinyconfig plus fragments,
# and fail if a line of a fragment did not survive. .config keeps its time stamp
# if it does not change.
set -eu

tree=$1
obj=$2
shift 2

new=$obj.config
rm -rf "$new"
mkdir -p "$new" "$obj"
make -s -C "$tree" O="$new" tinyconfig >/dev/null
cat "$@" >> "$new/.config"
make -s -C "$tree" O="$new" olddefconfig >/dev/null 2>&1

survived() {
	case $1 in
	'#'*)
		option=${1#\# }
		! grep -q "^${option%% *}=" "$new/.config"
		;;
	*)
		grep -qxF "$1" "$new/.config"
		;;
	esac
}

lost=$(grep -hE '^(CONFIG_|# CONFIG_.* is not set)' "$@" | while read -r line; do
	survived "$line" || echo "$line"
done)
if [ -n "$lost" ]; then
	printf 'These lines did not survive in %s/.config:\n%s\n' "$obj" "$lost" >&2
	exit 1
fi

cmp -s "$new/.config" "$obj/.config" || mv "$new/.config" "$obj/.config"
rm -rf "$new"
