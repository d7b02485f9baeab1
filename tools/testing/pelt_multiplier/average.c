// SPDX-License-Identifier: GPL-2.0-only
/*
 * average - the root's utilization over time against the time in which tasks ran
 *
 *   average [-w SECONDS] [-d PERCENT] RECORDING...
 *
 * The average of utilization over time is the share of time in which something
 * runs, whatever the factor; only its swing depends on the factor. Prints both and
 * the maximum for each recording, from WARM-UP seconds on. -d fails if they differ
 * by more.
 */
#include <err.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "records.h"

struct sums {
	double	time;
	double	util;		/* integral */
	double	max;
	double	busy;		/* time in which a tracked task was running */
};

/* Between two updates of an idle CPU the root decays, else it is nearly linear. */
static double mean(double a, double b)
{
	if (a > 1 && b > 1 && fabs(a / b - 1) > 0.01)
		return (a - b) / log(a / b);
	return (a + b) / 2;
}

static void sum_root(const struct recording *rec, u64 from, struct sums *s)
{
	const struct pelt_record *last = NULL;
	size_t i;

	for (i = 0; i < rec->n; i++) {
		const struct pelt_record *r = &rec->r[i];

		if (r->kind != PELT_CFS_RQ || r->id != ROOT_ID ||
		    !(r->flags & PELT_F_UPDATE) || r->time < from)
			continue;
		if (last && r->time > last->time) {
			double passed = r->time - last->time;

			s->time += passed;
			s->util += passed * mean(record_util(last), record_util(r));
		}
		s->max = fmax(s->max, record_util(r));
		last = r;
	}
}

static void sum_busy(const struct recording *rec, u64 from, struct sums *s)
{
	const struct pelt_record *last = NULL;
	size_t i;
	u32 pid;

	for (size_t t = 0; t < rec->nr_tasks; t++, last = NULL) {
		pid = rec->tasks[t].pid;
		for (i = 0; i < rec->n; i++) {
			const struct pelt_record *r = &rec->r[i];

			if (r->kind != PELT_TASK || r->id != pid)
				continue;
			if (last && last->time >= from && (last->flags & PELT_F_RUNNING))
				s->busy += r->time - last->time;
			last = r;
		}
	}
}

int main(int argc, char **argv)
{
	double warm_up = 0, tolerance = 0;
	int option, failures = 0;
	struct recording rec;

	while ((option = getopt(argc, argv, "w:d:")) != -1) {
		switch (option) {
		case 'w':
			warm_up = atof(optarg);
			break;
		case 'd':
			tolerance = atof(optarg);
			break;
		default:
			return 2;
		}
	}
	if (optind == argc)
		errx(1, "no recording");

	printf("%-20s %10s %10s %10s\n", "root run queue", "average", "ran", "maximum");
	for (; optind < argc; optind++) {
		struct sums s = { };
		const char *name = strrchr(argv[optind], '/');
		double average, ran;
		u64 from;

		recording_read(&rec, argv[optind]);
		from = rec.r[0].time + (u64)(warm_up * 1e9);
		sum_root(&rec, from, &s);
		sum_busy(&rec, from, &s);
		average = s.util / s.time;
		ran = 1024 * s.busy / s.time;
		printf("%-20s %10.1f %10.1f %10.1f\n", name ? name + 1 : argv[optind],
		       average, ran, s.max);
		if (!(fabs(average / ran - 1) * 100 <= tolerance))
			failures++;
		recording_free(&rec);
	}
	if (tolerance && failures)
		printf("%d averages are off by over %g %%\n", failures, tolerance);
	return tolerance && failures ? 1 : 0;
}
