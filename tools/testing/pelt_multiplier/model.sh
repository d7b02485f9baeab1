#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# model.sh BUILD COMPARE RESULTS BATCH...: record batches of random workloads in
# guests and compare each with the model. BUILD has the kernels and initramfs. A
# BATCH is KERNEL:CPUS:WORKLOADS:SEED[:OPTIONS of pelt_random].
set -eu

build=$1
compare=$2
results=$3
shift 3
here=$(dirname "$0")
rows=$results/model.rows
failures=0
start=$(date +%s)

mkdir -p "$results"
: > "$rows"

run_batch() {
	IFS=: read -r kernel cpus workloads seed options <<-END
		$1
	END
	out=$results/model
	control=
	[ "$kernel" = patched ] || control=-c
	echo "[$2] $kernel kernel, $cpus CPUs, $workloads workloads from seed $seed ${options:-}" \
		"($(($(date +%s) - start)) s so far)"
	"$here/../../../qemu/run.sh" -k "$build/$kernel/arch/x86/boot/bzImage" \
		-i "$build/$kernel.cpio" -t random -o "$out" -c "$cpus" -n 3 \
		-T $((60 + workloads * cpus * 10)) \
		-a "pelt.random=-n,$workloads,-s,$seed,-c,$cpus${options:+,$options}" || return 1
	set --
	last=$((seed + workloads))
	while [ "$seed" -lt "$last" ]; do
		set -- "$@" "$out/data/$seed"
		seed=$((seed + 1))
	done
	"$compare" $control -w 3 -t "$rows" "$@"
}

number=0
for batch; do
	number=$((number + 1))
	run_batch "$batch" "$number/$#" || failures=$((failures + 1))
done

# Batches together; the largest 99.9th percentile of a batch is an upper bound.
awk -F '\t' '
{
	key = $1 "\t" $2
	n[key] += $3
	if ($4 > max[key]) max[key] = $4
	if ($5 > p999[key]) p999[key] = $5
	bias[key] += $3 * $6
}
END {
	for (key in n)
		printf "%s\t%d\t%.3f\t%.3f\t%.4f\n", key, n[key], max[key], p999[key],
		       bias[key] / n[key]
}' "$rows" | sort > "$rows.sorted"
{
	printf 'level\tfactor\tsamples\tmax_err\tp999_err\tbias\n'
	cat "$rows.sorted"
} > "$results/model.tsv"
rm "$rows" "$rows.sorted"

echo
cat "$results/model.tsv"
echo "$number batches, $failures of them with an excess; $results/model.tsv"
[ "$failures" -eq 0 ]
