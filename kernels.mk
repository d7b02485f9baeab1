# SPDX-License-Identifier: GPL-2.0-only
# One line a kernel: the Debian package with its source.
SOURCE_PACKAGE_6.12 := linux-source-6.12
