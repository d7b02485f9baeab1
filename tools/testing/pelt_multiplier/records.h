/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reading what a guest has recorded: NAME.data and NAME.names.
 */
#ifndef RECORDS_H
#define RECORDS_H

#include <stddef.h>

#include "pelt_record.h"

/* One period of PELT, which calls it a millisecond: 1024 * 1024 ns. */
#define PELT_MS		(1024.0 * 1024.0)
/* The half-life at 1.00, in PELT's milliseconds */
#define HALF_LIFE	32.0

/* Inode of the root cgroup, and so id of the root cfs_rq */
#define ROOT_ID		1

struct task {
	u32	pid;
	u32	group;
	u32	top;	/* group below the root, for who needs it */
	char	name[32];
	char	factor[16];
};

struct recording {
	struct pelt_record	*r;
	size_t			n;
	struct task		*tasks;
	size_t			nr_tasks;
};

/**
 * recording_read() - Read a recording; exits with a message on any error
 * @rec: the result
 * @base: the path without .data and .names
 */
void recording_read(struct recording *rec, const char *base);

/**
 * recording_free() - Free what recording_read() has allocated
 * @rec: the recording
 */
void recording_free(struct recording *rec);

/**
 * record_util() - Utilization with its fraction, which util_avg has lost
 * @r: a record
 *
 * util_sum / get_pelt_divider(), see kernel/sched/pelt.h: LOAD_AVG_MAX is 47742.
 *
 * Return: 0 to 1024.
 */
static inline double record_util(const struct pelt_record *r)
{
	return r->util_sum / (47742.0 - 1024 + r->period_contrib);
}

#endif /* RECORDS_H */
