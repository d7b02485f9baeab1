/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An exact model of load tracking with a factor for each group
 *
 * PELT (kernel/sched/pelt.c) weights the past by y^n, n periods of 1024 * 1024 ns
 * ago, y^32 = 1/2. Its continuous form, for a signal s(t) that is 0 or 1 (running),
 * or a number of tasks (runnable), and an average x, in units of 1024:
 *
 *   dx/dt = (1024 s - x) * ln 2 / H,    H = 32 * 1024 * 1024 ns = 2^25 ns
 *
 * so that over a time d in which s does not change
 *
 *   x(t + d) = x(t) 2^(-d/H) + 1024 s (1 - 2^(-d/H))			(M1)
 *
 * A factor f makes d the f-fold. Time is that of the cfs_rq whose average it is:
 * the run queue's invariant clock, which the recorder gives, less the time for
 * which the cfs_rq was throttled.
 *
 * (M1) is linear in s, and each s is the sum over tasks. So the model holds, for
 * each task and for each level L from the task's own cfs_rq up to the root, the
 * share x of this task in L's average, aged by (M1) over L's time with the factor
 * of the task's own group. Everything else is a sum:
 *
 *   average of a group's entity on L    = sum of the shares of the group's tasks
 *   average of the cfs_rq L	       = sum of the shares of all tasks below L
 *
 * At level L a task is runnable only while no cfs_rq below L is throttled. Tasks
 * that are not tracked (kernel threads, in the root group) are one more share; it
 * is learned from the root's averages while one of them is created, exits or
 * changes its CPU, in which moments the root is not compared.
 *
 * Load
 *
 * load_avg of an entity is its weight times the average of "on the run queue"
 * (0 or 1), by (M1); that of a cfs_rq is the sum over its entities. For a group's
 * entity with a factor of its own or a factor below it, "on the run queue" is not
 * a sum over tasks; see model_load() for what is compared there.
 *
 * Tolerance: see model_bound().
 */
#ifndef MODEL_H
#define MODEL_H

#include "records.h"

#define MAX_TASKS	32
#define MAX_GROUPS	32
#define MAX_CPUS	8
#define MAX_DEPTH	6

/* Half-life at 1.00, in ns */
#define HALF_LIFE_NS	33554432.0

struct share {
	double	util;
	double	runnable;
	double	bound;		/* of the kernel's error, see model_bound() */
	double	raw;		/* time of the level up to which it is aged */
};

/* A task on the CPU and in the group where its share is; or the untracked ones */
struct mtask {
	u32		id;
	int		used;
	int		cpu;
	int		group;		/* index */
	int		leaving;	/* gone, but the kernel has not noticed yet */
	int		arriving;	/* and not leaving, though on its way */
	int		on_rq;
	int		running;
	int		runnable;
	struct share	level[MAX_DEPTH];	/* 0: its own cfs_rq */
};

struct mgroup {
	u32	id;
	u32	parent_id;
};

/* A group's cfs_rq on one CPU */
struct mcfs_rq {
	int	known;
	int	frozen;
	int	throttled;
	double	raw;			/* while frozen */
	double	offset;			/* else: run queue's time - raw time */
	double	factor;
	int	boundary;		/* its entity ages at its own factor */
	int	was_boundary;
	int	runnable;		/* of the root cfs_rq: all below it */
};

struct model {
	struct mtask	task[MAX_TASKS];
	struct mgroup	group[MAX_GROUPS];
	int		nr_groups;
	struct mcfs_rq	cfs_rq[MAX_GROUPS][MAX_CPUS];
	double		time[MAX_CPUS];
	int		others_unknown[MAX_CPUS];	/* root samples until known again */
};

struct values {
	double	util;
	double	runnable;
	double	bound;
};

void model_init(struct model *m);
void model_event(struct model *m, const struct pelt_record *r);
u32 model_parent(const struct model *m, u32 id);
int model_learn_others(struct model *m, const struct pelt_record *r);
int model_values(const struct model *m, const struct pelt_record *r, struct values *v);

#endif /* MODEL_H */
