# SPDX-License-Identifier: GPL-2.0-only
# Sourced by the guest's tests: groups, loads and one recording of them.
set -eu
control=/sys/kernel/debug/pelt_recorder/control
cgroup=/sys/fs/cgroup

insmod /modules/pelt_recorder.ko
mkfifo /tmp/done
echo +cpu > $cgroup/cgroup.subtree_control

# group NAME [FACTOR]: create it; a factor needs the patched kernel
group() {
	mkdir -p "$cgroup/$1"
	[ -z "${2:-}" ] || echo "$2" > "$cgroup/$1/cpu.pelt_multiplier"
}

# load ...: start a load; it waits for record
loads=0
load() {
	pelt_load "$@" &
	loads=$((loads + 1))
}

# record NAME: let all loads run to their end, save the recording
record() {
	until [ "$(grep -c . /results/names 2>/dev/null)" = "$loads" ]; do
		sleep 0.1
	done
	echo clear > $control
	echo start > $control
	touch /tmp/go
	# Forks and exits would show at the root; this is the only process that waits.
	# Open for writing too, so that it does not end with the first load.
	dd of=/dev/null bs=1 count="$loads" 0<> /tmp/done 2> /dev/null
	echo stop > $control
	killall pelt_load
	wait
	cat /sys/kernel/debug/pelt_recorder/data > "/results/$1.data"
	mv /results/names "/results/$1.names"
	echo forget > $control
	rm /tmp/go
	loads=0
}

# repeat N SEGMENT...: the segments, N times
repeat() {
	count=$1
	shift
	while [ "$count" -gt 0 ]; do
		echo "$@"
		count=$((count - 1))
	done
}
