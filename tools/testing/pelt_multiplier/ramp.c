// SPDX-License-Identifier: GPL-2.0-only
/*
 * ramp - from a recording: how fast a task's burst was seen at each level
 *
 *   ramp [-d DIR] [-h PERCENT] [-r PERCENT] [-a PERCENT] [-v] RECORDING...
 *
 * For each task in a group whose utilization has passed 512: the time from its wake-up to
 * 50 % and 80 % of 1024 at the task, its group's cfs_rq and the root cfs_rq, and
 * the half-life that follows, by least squares over
 *
 *   log2(1 - util / 1024) = -t / half_life
 *
 * and likewise, over log2(util), for how the share of its group at the root decays
 * after the task went to sleep. The kernel keeps that share up to date if the group
 * has a factor of its own; else it is the root less the one task in the root group. All
 * as tab-separated values on stdout, in PELT's milliseconds of 1024 * 1024 ns.
 *
 * -d writes the curves to DIR, -v prints them to stderr. -h fails if a half-life
 * is off 32 / factor by more, -r if the root's 50 % or 80 % times
 * are, -a if the half-life asleep is.
 */
#include <err.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "records.h"

enum curve_level { TASK, GROUP, ROOT, NR_LEVELS, SHARE };

static const char *const level_names[] = { "task", "group", "root" };

struct point {
	double	t;
	double	util;
};

/* The part of a level's curve from one moment to another */
struct curve {
	struct point	*p;
	size_t		n;
};

struct figures {
	double	t50;
	double	t80;
	double	half_life;
	double	decay;
};

static double tolerance_half_life, tolerance_root, tolerance_asleep;
static const char *folder;
static int verbose, failures, judged;

/* The group below the root that the task's group is in */
static u32 top_group(const struct recording *rec, u32 group)
{
	size_t i;

	for (i = 0; i < rec->n; i++) {
		const struct pelt_record *r = &rec->r[i];

		if (r->kind == PELT_CFS_RQ && r->id == group && r->on != ROOT_ID)
			return top_group(rec, r->on);
	}
	return group;
}

static int is_level(const struct pelt_record *r, const struct task *t, enum curve_level level)
{
	switch (level) {
	case TASK:
		return r->kind == PELT_TASK && r->id == t->pid;
	case GROUP:
		return r->kind == PELT_CFS_RQ && r->id == t->group;
	case SHARE:
		return r->kind == PELT_GROUP && r->on == ROOT_ID && r->id == t->top;
	default:
		return r->kind == PELT_CFS_RQ && r->id == ROOT_ID;
	}
}

/* The last record of a moment is the valid one: corrections come after updates. */
static void curve_cut(struct curve *c, const struct recording *rec, const struct task *t,
		      enum curve_level level, u64 from, u64 to, int less_root_task)
{
	double others = 0;
	size_t i;

	c->p = calloc(rec->n, sizeof(*c->p));
	if (!c->p)
		err(1, "memory");
	for (c->n = 0, i = 0; i < rec->n; i++) {
		const struct pelt_record *r = &rec->r[i];
		double at = (r->time - from) / PELT_MS;

		if (less_root_task && r->kind == PELT_TASK && r->on == ROOT_ID)
			others = record_util(r);
		if (r->time < from || r->time > to || !is_level(r, t, level) ||
		    (less_root_task && !others))
			continue;
		if (!c->n || c->p[c->n - 1].t < at)
			c->n++;
		c->p[c->n - 1] = (struct point) { at, record_util(r) - others };
	}
}

/* Linear between the points around it; NAN if never reached */
static double time_to(const struct curve *c, double util)
{
	size_t i;

	for (i = 1; i < c->n; i++) {
		const struct point *a = &c->p[i - 1], *b = &c->p[i];

		if (a->util < util && b->util >= util)
			return a->t + (b->t - a->t) * (util - a->util) / (b->util - a->util);
	}
	return NAN;
}

/* Half-life of log2(y) by least squares; y = rest of the ramp, or the util */
static double fit(const struct curve *c, int rising)
{
	double n = 0, st = 0, sl = 0, stt = 0, stl = 0;
	size_t i;

	for (i = 0; i < c->n; i++) {
		double y = rising ? 1024 - c->p[i].util : c->p[i].util;
		double t = c->p[i].t, l = log2(y);

		if (y > 960)
			continue;
		if (y < 64)
			break;
		n++;
		st += t;
		sl += l;
		stt += t * t;
		stl += t * l;
	}
	return n < 4 ? NAN : -(n * stt - st * st) / (n * stl - st * sl);
}

/*
 * The first time that the task is on the run queue from zero to beyond 512: when
 * it is woken, and when it goes to sleep.
 */
static int find_burst(const struct recording *rec, const struct task *t, u64 *from, u64 *to)
{
	int awake = 0, from_zero = 0, busy = 0;
	size_t i;

	for (i = 0; i < rec->n; i++) {
		const struct pelt_record *r = &rec->r[i];

		if (!is_level(r, t, TASK))
			continue;
		if (!awake && (r->flags & PELT_F_ON_RQ)) {
			from_zero = record_util(r) < 1;
			*from = r->time;
		}
		awake = r->flags & PELT_F_ON_RQ;
		*to = r->time;
		busy |= awake && from_zero && record_util(r) >= 512;
		if (busy && !awake)
			break;
	}

	return busy;
}

static void write_curve(const struct curve *c, const struct task *t, const char *what)
{
	char path[512];
	size_t i;
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s-%s-%s.dat", folder, t->name, t->factor, what);
	f = fopen(path, "w");
	if (!f)
		err(1, "%s", path);
	for (i = 0; i < c->n; i++)
		fprintf(f, "%.4f\t%.3f\n", c->p[i].t, c->p[i].util);
	if (fclose(f))
		err(1, "%s", path);
}

static double util_at(const struct curve *c, double t)
{
	size_t i;

	for (i = 1; i < c->n; i++) {
		const struct point *a = &c->p[i - 1], *b = &c->p[i];

		if (b->t >= t)
			return a->util + (b->util - a->util) * (t - a->t) / (b->t - a->t);
	}
	return c->n ? c->p[c->n - 1].util : NAN;
}

static void print_curves(const struct task *t, const struct curve c[NR_LEVELS], double factor)
{
	double step = 4 / factor, at;

	fprintf(stderr, "\n%s at %s: utilization (1024 = 100 %%) after the wake-up\n",
		t->name, t->factor);
	fprintf(stderr, "%10s %8s %8s %8s\n", "PELT ms", "task", "group", "root");
	for (at = step; at < 100 / factor; at += step)
		fprintf(stderr, "%10.2f %8.0f %8.0f %8.0f\n", at, util_at(&c[TASK], at),
			util_at(&c[GROUP], at), util_at(&c[ROOT], at));
}

static void judge(const struct task *t, enum curve_level level, const char *what,
		  double got, double want, double percent)
{
	if (!percent)
		return;
	judged++;
	if (fabs(got / want - 1) * 100 <= percent)
		return;
	failures++;
	fprintf(stderr, "%s at %s, %s: %s is %.3f, not %.3f within %g %%\n",
		t->name, t->factor, level_names[level], what, got, want, percent);
}

static void report(const struct task *t, enum curve_level level,
		   const struct figures *f, double factor)
{
	printf("%s\t%s\t%s\t%.3f\t%.3f\t%.3f\t%.3f\n", t->name, t->factor,
	       level_names[level], f->t50, f->t80, f->half_life, f->decay);

	judge(t, level, "half-life", f->half_life, HALF_LIFE / factor, tolerance_half_life);
	if (level != ROOT)
		return;
	judge(t, level, "time to 50 %", f->t50, HALF_LIFE / factor, tolerance_root);
	judge(t, level, "time to 80 %", f->t80, HALF_LIFE * log2(5) / factor, tolerance_root);
	judge(t, level, "half-life asleep", f->decay, HALF_LIFE / factor, tolerance_asleep);
}

static double fit_asleep(const struct recording *rec, const struct task *t,
			 struct curve *c, u64 from, u64 to)
{
	double half_life;

	curve_cut(c, rec, t, SHARE, from, to, 0);
	half_life = fit(c, 0);
	if (!isnan(half_life))
		return half_life;
	free(c->p);
	curve_cut(c, rec, t, ROOT, from, to, 1);
	return fit(c, 0);
}

static void examine(const struct recording *rec, const struct task *t)
{
	double factor = atof(t->factor), asleep;
	struct curve up[NR_LEVELS], down;
	struct figures f;
	u64 from = 0, to = 0;
	int level;

	if (!find_burst(rec, t, &from, &to))
		return;

	asleep = fit_asleep(rec, t, &down, to, to + (u64)(250e6 / factor));
	for (level = 0; level < NR_LEVELS; level++) {
		curve_cut(&up[level], rec, t, level, from, to, 0);
		f = (struct figures) {
			.t50		= time_to(&up[level], 512),
			.t80		= time_to(&up[level], 1024 * 0.8),
			.half_life	= fit(&up[level], 1),
			.decay		= level == ROOT ? asleep : NAN,
		};
		report(t, level, &f, factor);
		if (folder)
			write_curve(&up[level], t, level_names[level]);
	}
	if (folder)
		write_curve(&down, t, "decay");
	free(down.p);
	if (verbose)
		print_curves(t, up, factor);
	for (level = 0; level < NR_LEVELS; level++)
		free(up[level].p);
}

int main(int argc, char **argv)
{
	struct recording rec;
	int option;
	size_t i;

	while ((option = getopt(argc, argv, "d:h:r:a:v")) != -1) {
		switch (option) {
		case 'd':
			folder = optarg;
			break;
		case 'h':
			tolerance_half_life = atof(optarg);
			break;
		case 'r':
			tolerance_root = atof(optarg);
			break;
		case 'a':
			tolerance_asleep = atof(optarg);
			break;
		case 'v':
			verbose = 1;
			break;
		default:
			return 2;
		}
	}

	printf("group\tfactor\tlevel\tt50_ms\tt80_ms\thalf_life_ms\tdecay_half_life_ms\n");
	for (; optind < argc; optind++) {
		recording_read(&rec, argv[optind]);
		for (i = 0; i < rec.nr_tasks; i++) {
			rec.tasks[i].top = top_group(&rec, rec.tasks[i].group);
			if (rec.tasks[i].group != ROOT_ID)
				examine(&rec, &rec.tasks[i]);
		}
		recording_free(&rec);
	}

	if ((tolerance_half_life || tolerance_root || tolerance_asleep) && !judged)
		errx(1, "nothing to judge");
	return failures ? 1 : 0;
}
