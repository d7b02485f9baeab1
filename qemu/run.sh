#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# run.sh -k KERNEL -i INITRAMFS -t TEST -o OUT [-c CPUS] [-n SHIFT] [-T SECONDS]
#        [-a ARGUMENTS]
# Boot KERNEL and let PID 1 run /tests/TEST. -n SHIFT gives the guest a clock
# that counts instructions, 2^SHIFT ns each, and so makes it deterministic.
# Leaves OUT/console.log, OUT/tap and OUT/data/. Succeeds only if PID 1 has said
# its word and the TAP is in order, and prints one line in any case.
set -eu

cpus=1 icount='' limit=120 more=''
while getopts k:i:t:o:c:n:T:a: option; do
	case $option in
	k) kernel=$OPTARG ;;
	i) initramfs=$OPTARG ;;
	t) test=$OPTARG ;;
	o) out=$OPTARG ;;
	c) cpus=$OPTARG ;;
	n) icount="-icount shift=$OPTARG,sleep=off" ;;
	T) limit=$OPTARG ;;
	a) more=$OPTARG ;;
	*) exit 2 ;;
	esac
done

fail() {
	echo "$test: $1 ($out)"
	exit 1
}

rm -rf "$out"
mkdir -p "$out/data"
truncate -s 256M "$out/disk"
word=passed-$$-$(date +%s)

# A socket a CPU: the MP table that a kernel without ACPI reads lists sockets only.
# KVM is no option: a guest whose CPU is shared with others has no exact time.
status=0
# shellcheck disable=SC2086 # $icount is several words or none
timeout --foreground "$limit" qemu-system-x86_64 -accel tcg -cpu max $icount \
	-smp "$cpus,sockets=$cpus" -m 1G -nodefaults -display none -no-reboot \
	-kernel "$kernel" -initrd "$initramfs" \
	-append "console=ttyS0 panic=-1 panic_on_warn=1 oops=panic reboot=k \
pelt.test=$test pelt.word=$word $more" \
	-chardev file,id=console,path="$out/console.log" -serial chardev:console \
	-chardev file,id=tap,path="$out/tap.raw" -serial chardev:tap \
	-drive file="$out/disk",format=raw,if=virtio \
	> "$out/qemu.log" 2>&1 < /dev/null || status=$?

tr -d '\r' < "$out/tap.raw" > "$out/tap"
rm "$out/tap.raw"
tar -C "$out/data" -xf "$out/disk" 2>/dev/null || true
rm "$out/disk"

[ "$status" -ne 124 ] || fail "hangs, stopped after $limit s"
[ "$status" -eq 0 ] || fail "QEMU failed with $status: $(tail -n 1 "$out/qemu.log")"
if [ "$(tail -n 1 "$out/tap")" != "$word" ]; then
	reason=$(grep -aE 'Kernel panic|WARNING:|BUG:|Oops' "$out/console.log" | head -n 1 || true)
	reason=${reason:-$(grep -aE 'has complained' "$out/tap" || true)}
	fail "${reason:-ended without a word}"
fi
verdict=$(sed '$d' "$out/tap" | awk -f "$(dirname "$0")/tap.awk") || fail "$verdict"
echo "$test: $verdict"
