/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What pelt_recorder writes and the programs on the host read.
 */
#ifndef PELT_RECORD_H
#define PELT_RECORD_H

#ifdef __KERNEL__
#include <linux/types.h>
#else
#include <stdint.h>
typedef uint64_t u64;
typedef uint32_t u32;
typedef uint16_t u16;
#endif

enum pelt_record_kind {
	PELT_TASK,	/* a task's entity */
	PELT_GROUP,	/* a group's entity on its parent's cfs_rq */
	PELT_CFS_RQ,	/* a group's own cfs_rq */
};

/* The values are those of a load-tracking update; else only a state changed. */
#define PELT_F_UPDATE		0x01
#define PELT_F_ON_RQ		0x02
#define PELT_F_RUNNING		0x04
/* Attached to its cfs_rq: last_update_time is set */
#define PELT_F_ATTACHED		0x08
/* The cfs_rq's clock stands still */
#define PELT_F_FROZEN		0x10
/* The cfs_rq itself is throttled, its entity is not queued */
#define PELT_F_THROTTLED	0x20
/* Blocked tasks have left and are still contained in the averages */
#define PELT_F_REMOVED		0x40
/* The task is being taken off its CPU for good, its share with it */
#define PELT_F_LEAVING		0x80
/* Of the root cfs_rq: it runs a task that is not tracked */
#define PELT_F_OTHER_RUNNING	0x100
/* Of the root cfs_rq: a task that is not tracked comes or goes, with its share */
#define PELT_F_OTHERS_CHANGE	0x200
/* Of a group's entity: its shadow is in force */
#define PELT_F_BOUNDARY		0x400

/**
 * struct pelt_record - one entity or cfs_rq at one moment
 * @time: the run queue's raw time, rq_clock_pelt(), in ns
 * @raw: raw time of the cfs_rq (that the entity is on), less its throttled time
 * @anchor: raw time of the last change of the cfs_rq's factor
 * @load_sum: sums and averages as in struct sched_avg
 * @runnable_sum: see @load_sum
 * @util_sum: see @load_sum
 * @period_contrib: position in the current window, in units of 1024 ns
 * @util_avg: see @load_sum
 * @runnable_avg: see @load_sum
 * @load_avg: see @load_sum
 * @weight: the entity's weight, or the cfs_rq's sum of weights
 * @runnable: how many tasks count as runnable
 * @factor: the factor in force on the cfs_rq, 1024 = 1.00
 * @id: pid of a task, inode number of a group's cgroup
 * @on: the group whose cfs_rq an entity is on; the parent of a cfs_rq's group
 * @kind: enum pelt_record_kind
 * @cpu: the CPU
 * @flags: PELT_F_*
 */
struct pelt_record {
	u64	time;
	u64	raw;
	u64	anchor;
	u64	load_sum;
	u64	runnable_sum;
	u32	util_sum;
	u32	period_contrib;
	u32	util_avg;
	u32	runnable_avg;
	u32	load_avg;
	u32	weight;
	u32	runnable;
	u32	factor;
	u32	id;
	u32	on;
	u16	kind;
	u16	cpu;
	u32	flags;
};

#endif /* PELT_RECORD_H */
