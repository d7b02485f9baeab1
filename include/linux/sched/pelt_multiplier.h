/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Per-cgroup PELT multiplier: the state it adds to the scheduler's structures.
 *
 * Empty structures when the option is off, so that the structures they are
 * embedded in keep their layout without an #ifdef there.
 */
#ifndef _LINUX_SCHED_PELT_MULTIPLIER_H
#define _LINUX_SCHED_PELT_MULTIPLIER_H

#ifdef CONFIG_PELT_MULTIPLIER

#include <linux/list.h>
#include <linux/seqlock.h>
#include <linux/types.h>

struct pelt_boundary;

/**
 * struct pelt_multiplier_clock - a clock that runs @factor times as fast
 * @anchor: raw time of the last change of @factor, in ns
 * @base: scaled time at @anchor, in ns
 * @factor: by how much time is multiplied since then, 1024 = 1.00
 *
 * See pelt_multiplier_clock_read().
 */
struct pelt_multiplier_clock {
	u64	anchor;
	u64	base;
	u32	factor;
};

/**
 * struct pelt_multiplier_sums - the three sums of a sched_avg
 * @util: in units of util_sum
 * @runnable: in units of runnable_sum
 * @load: in units of an entity's load_sum, which carries no weight
 */
struct pelt_multiplier_sums {
	s64	util;
	s64	runnable;
	s64	load;
};

/**
 * struct pelt_multiplier_cfs_rq - embedded in struct cfs_rq
 * @clock: what this cfs_rq is tracked with; written under the rq lock
 * @seq: lets migrate_se_pelt_lag() read @clock without the rq lock
 * @pending: what corrections added to the cfs_rq's sums and its entity one
 *	level up has not taken over yet
 * @pending_time: the last_update_time of the cfs_rq up to which @pending is aged
 */
struct pelt_multiplier_cfs_rq {
	struct pelt_multiplier_clock	clock;
	seqcount_t			seq;
	struct pelt_multiplier_sums	pending;
	u64				pending_time;
};

/**
 * struct pelt_multiplier_rq - embedded in struct rq
 * @boundaries: the boundary entities of this CPU that are queued or not zero
 * @last_update: when they were brought up to date, in rq_clock_pelt() ns
 */
struct pelt_multiplier_rq {
	struct list_head	boundaries;
	u64			last_update;
};

/**
 * struct pelt_multiplier_tg - embedded in struct task_group
 * @request: what was written to cpu.pelt_multiplier, 1024 = 1.00, or 0 for
 *	"inherit"; written under the mutex
 * @effective: the factor in force; written under the mutex, read by each
 *	cfs_rq of the group at its next update
 * @next: @effective to be, while a change is being prepared
 * @cap: what a request below this group is limited to, belongs to @next
 * @boundary: per-CPU state of a group whose factor differs from its parent's;
 *	once allocated it stays until the group is freed
 */
struct pelt_multiplier_tg {
	u32				request;
	u32				effective;
	u32				next;
	u32				cap;
	struct pelt_boundary __percpu	*boundary;
};

#else /* !CONFIG_PELT_MULTIPLIER: */

struct pelt_multiplier_cfs_rq { };
struct pelt_multiplier_rq { };
struct pelt_multiplier_tg { };

/* Raw time is all there is, and the function keeps its name in the object code. */
#define __cfs_rq_clock_pelt	cfs_rq_clock_pelt

#endif /* !CONFIG_PELT_MULTIPLIER */

#endif /* _LINUX_SCHED_PELT_MULTIPLIER_H */
