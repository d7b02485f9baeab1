// SPDX-License-Identifier: GPL-2.0-only
/*
 * compare - the kernel's averages against the exact model, at every update
 *
 *   compare [-t TSV] [-c] [-w SECONDS] [-v] RECORDING...
 *
 * Prints, for each level (task, group, root) and each factor in force there: the
 * number of samples, the largest and the 99.9th percentile of the absolute error
 * and the bias (mean signed error) of utilization, in units of 1024, and the same
 * for runnable; -t writes the part for utilization as tab-separated values to TSV.
 * -w leaves out the time at the beginning in which the tasks come to rest, -c calls
 * all factors "control", as for an unpatched kernel, -v prints samples that are
 * wrong. Fails if any error is beyond the bound that follows from the
 * kernel's own rounding, see bound_of().
 */
#include <err.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model.h"

#define MAX_ROWS	64
#define MAX_PENDING	512

struct errors {
	double	*e;
	size_t	n, size;
	double	sum;
	size_t	beyond;
	double	worst;		/* largest error in relation to its bound */
};

struct row {
	const char	*level;
	u32		factor;
	struct errors	util;
	struct errors	runnable;
};

static struct row rows[MAX_ROWS];
static int nr_rows;
static int control, verbose;
static double warm_up;

/* Samples of the root that were not compared */
static size_t learned;
/*
 * Samples of groups at moments in which the root was not updated: a switch between two
 * groups updates entities up to the first common cfs_rq only, and corrections of others
 * on it are made at the root's next update, at the latest at the next tick.
 */
static size_t partial;

/* Samples of the present moment of a CPU; an object's last one is valid. */
static struct pelt_record pending[MAX_CPUS][MAX_PENDING];
static int nr_pending[MAX_CPUS];

/* When a CPU's first record was made */
static u64 started[MAX_CPUS];

static struct row *find_row(const struct pelt_record *r)
{
	const char *level = r->kind == PELT_TASK ? "task" : r->id == ROOT_ID ? "root" : "group";
	int i;

	for (i = 0; i < nr_rows; i++)
		if (rows[i].level == level && (control || rows[i].factor == r->factor))
			return &rows[i];
	if (nr_rows == MAX_ROWS)
		errx(1, "too many rows");
	rows[nr_rows] = (struct row) { .level = level, .factor = r->factor };
	return &rows[nr_rows++];
}

static void count(struct errors *s, double error, double bound)
{
	if (s->n == s->size) {
		s->size = s->size ? 2 * s->size : 4096;
		s->e = reallocarray(s->e, s->size, sizeof(*s->e));
		if (!s->e)
			err(1, "memory");
	}
	s->e[s->n++] = fabs(error);
	s->sum += error;
	s->worst = fmax(s->worst, fabs(error) / bound);
	s->beyond += fabs(error) > bound;
}

/* Boundaries, also former ones, whose corrections are in the averages of @r */
static int boundaries(const struct model *m, const struct pelt_record *r)
{
	int i, n = 0;

	if (r->kind == PELT_TASK)
		return 0;
	for (i = 0; i < m->nr_groups; i++) {
		u32 at = m->group[i].id;
		int inside = r->kind == PELT_GROUP && at == r->id;

		if (!m->cfs_rq[i][r->cpu].was_boundary)
			continue;
		while (at != ROOT_ID && at != r->id)
			at = model_parent(m, at);
		n += inside || (at == r->id && m->group[i].id != r->id);
	}
	return n;
}

/*
 * By how much the kernel may be wrong, in units of 1024 for each signal of height
 * 1. With y^32 = 1/2 and P = 1 - y:
 *
 *  - all moments of one window weigh the same; over one window this is wrong by at
 *    most P^2 / 8, over all by 1024 P / 8;
 *  - sums are rounded down at each of up to 1 / P windows that still count, by 1 of
 *    LOAD_AVG_MAX / 1024 each: 1;
 *  - a change of state is attributed to the next multiple of 1024 ns: model.c
 *    adds P / 1024 for each and lets it age;
 *  - corrections of a boundary entity may be outstanding for half a window of the
 *    faster clock: 1024 (1 - y^(1/2)), and are windows and roundings of their own;
 *  - conversions of a sum to another window and back: 1.
 */
static double bound_of(const struct model *m, const struct pelt_record *r,
		       const struct values *v, int signals)
{
	const double p = 1 - exp2(-1.0 / 32);
	double own = 1024 * p / 8 + 1;
	double outstanding = 1024 * (1 - exp2(-1.0 / 64)) + own;

	return 1 + v->bound + signals * own + signals * boundaries(m, r) * outstanding;
}

static int is_root(const struct pelt_record *r)
{
	return r->kind == PELT_CFS_RQ && r->id == ROOT_ID;
}

static void compare_one(struct model *m, const struct pelt_record *r)
{
	double divider = 47742.0 - 1024 + r->period_contrib;
	struct row *row;
	double util, runnable, bound;
	struct values v;
	int shares;

	if (is_root(r) && model_learn_others(m, r)) {
		learned++;
		return;
	}
	shares = model_values(m, r, &v);
	if (!shares || r->time < started[r->cpu] + warm_up * 1e9)
		return;
	row = find_row(r);
	bound = bound_of(m, r, &v, 1);
	util = record_util(r) - v.util;
	count(&row->util, util, bound);
	runnable = r->runnable_sum / divider - v.runnable;
	count(&row->runnable, runnable, bound_of(m, r, &v, shares));

	if (verbose && fabs(util) > bound)
		fprintf(stderr, "cpu %u time %.6f kind %u id %u on %u: util %.2f, model %.2f\n",
			r->cpu, r->time / 1e9, r->kind, r->id, r->on, record_util(r), v.util);
	if (verbose && fabs(runnable) > bound_of(m, r, &v, shares))
		fprintf(stderr, "cpu %u time %.6f kind %u id %u on %u: runnable %.2f, model %.2f\n",
			r->cpu, r->time / 1e9, r->kind, r->id, r->on,
			r->runnable_sum / divider, v.runnable);
}

static void flush(struct model *m, int cpu)
{
	const struct pelt_record *p = pending[cpu];
	int i, complete = 0;

	for (i = 0; i < nr_pending[cpu]; i++)
		complete |= is_root(&p[i]);
	for (i = 0; i < nr_pending[cpu]; i++) {
		if (complete || p[i].kind == PELT_TASK)
			compare_one(m, &p[i]);
		else
			partial++;
	}
	nr_pending[cpu] = 0;
}

static void add_pending(const struct pelt_record *r)
{
	struct pelt_record *p = pending[r->cpu];
	int i;

	for (i = 0; i < nr_pending[r->cpu]; i++)
		if (p[i].kind == r->kind && p[i].id == r->id)
			break;
	if (i == MAX_PENDING)
		errx(1, "too many samples at one time");
	p[i] = *r;
	if (i == nr_pending[r->cpu])
		nr_pending[r->cpu]++;
}

static void compare_recording(const struct recording *rec)
{
	static struct model m;
	size_t i;

	model_init(&m);
	memset(started, 0, sizeof(started));
	for (i = 0; i < rec->n; i++) {
		const struct pelt_record *r = &rec->r[i];

		if (r->cpu >= MAX_CPUS)
			errx(1, "cpu %u", r->cpu);
		if (nr_pending[r->cpu] && pending[r->cpu][0].time < r->time)
			flush(&m, r->cpu);
		if (!started[r->cpu])
			started[r->cpu] = r->time;
		model_event(&m, r);
		if (r->flags & PELT_F_UPDATE)
			add_pending(r);
	}
	for (i = 0; i < MAX_CPUS; i++)
		flush(&m, i);
}

static int by_value(const void *a, const void *b)
{
	double d = *(const double *)a - *(const double *)b;

	return d < 0 ? -1 : d > 0;
}

static double percentile(struct errors *s, double part)
{
	qsort(s->e, s->n, sizeof(*s->e), by_value);
	return s->n ? s->e[(size_t)((s->n - 1) * part)] : 0;
}

static void print_errors(FILE *f, const char *format, struct errors *s)
{
	fprintf(f, format, s->n, percentile(s, 1), percentile(s, 0.999), s->n ? s->sum / s->n : 0);
}

static void factor_name(const struct row *row, char *name, size_t size)
{
	if (control)
		snprintf(name, size, "control");
	else
		snprintf(name, size, "%.2f", row->factor / 1024.0);
}

static size_t report(FILE *tsv)
{
	size_t beyond = 0;
	char factor[16];
	int i;

	printf("%-6s %8s | %8s %8s %8s %8s %6s | %8s %8s %8s %6s\n", "level", "factor", "samples",
	       "max", "99.9 %", "bias", "/bound", "max", "99.9 %", "bias", "/bound");
	for (i = 0; i < nr_rows; i++) {
		struct row *r = &rows[i];

		factor_name(r, factor, sizeof(factor));
		printf("%-6s %8s | ", r->level, factor);
		print_errors(stdout, "%8zu %8.2f %8.2f %8.3f", &r->util);
		printf(" %6.2f | %8.2f %8.2f %8.3f %6.2f\n", r->util.worst,
		       percentile(&r->runnable, 1), percentile(&r->runnable, 0.999),
		       r->runnable.n ? r->runnable.sum / r->runnable.n : 0, r->runnable.worst);
		if (tsv) {
			fprintf(tsv, "%s\t%s\t", r->level, factor);
			print_errors(tsv, "%zu\t%.3f\t%.3f\t%.4f\n", &r->util);
		}
		beyond += r->util.beyond + r->runnable.beyond;
	}
	return beyond;
}

int main(int argc, char **argv)
{
	struct recording rec;
	FILE *tsv = NULL;
	size_t beyond;
	int option;

	while ((option = getopt(argc, argv, "t:cvw:")) != -1) {
		switch (option) {
		case 't':
			tsv = fopen(optarg, "a");
			if (!tsv)
				err(1, "%s", optarg);
			break;
		case 'c':
			control = 1;
			break;
		case 'w':
			warm_up = atof(optarg);
			break;
		case 'v':
			verbose = 1;
			break;
		default:
			return 2;
		}
	}

	for (; optind < argc; optind++) {
		recording_read(&rec, argv[optind]);
		compare_recording(&rec);
		recording_free(&rec);
	}
	beyond = report(tsv);
	if (tsv && fclose(tsv))
		err(1, "writing");
	if (!nr_rows)
		errx(1, "nothing to compare");
	printf("%zu values beyond the bound\n", beyond);
	printf("not compared: %zu samples of the root, see model.h, %zu of groups without it\n",
	       learned, partial);
	return beyond ? 1 : 0;
}
