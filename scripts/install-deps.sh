#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Install the Debian packages named as arguments, if any is missing.
set -eu

[ $# -gt 0 ] || exit 0

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
	echo "Not a Debian system. Please install what these Debian packages contain:" >&2
	echo "  $*" >&2
	echo "and run again with DEPS= on make's command line." >&2
	exit 1
fi

missing=
for package; do
	# shellcheck disable=SC2016 # ${Status} is dpkg-query's
	case $(dpkg-query -W -f '${Status}' "$package" 2>/dev/null) in
	*' installed') ;;
	*) missing="$missing $package" ;;
	esac
done
[ -n "$missing" ] || exit 0

root=
if [ "$(id -u)" -ne 0 ]; then
	if ! command -v sudo >/dev/null; then
		echo "These Debian packages are missing:$missing" >&2
		echo "Install them as root, or install sudo." >&2
		exit 1
	fi
	root=sudo
fi

echo "Installing Debian packages:$missing"
$root apt-get -qq update
# shellcheck disable=SC2086 # a list of words
$root env DEBIAN_FRONTEND=noninteractive \
	apt-get -qq install -y --no-install-recommends $missing >/dev/null
