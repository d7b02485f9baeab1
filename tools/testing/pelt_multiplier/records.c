// SPDX-License-Identifier: GPL-2.0-only
#include <err.h>
#include <stdio.h>
#include <stdlib.h>

#include "records.h"

static FILE *open_part(const char *base, const char *suffix)
{
	char path[512];
	FILE *f;

	snprintf(path, sizeof(path), "%s.%s", base, suffix);
	f = fopen(path, "r");
	if (!f)
		err(1, "%s", path);
	return f;
}

static void read_data(struct recording *rec, FILE *f)
{
	size_t size = 0, got;

	do {
		size += 65536;
		rec->r = reallocarray(rec->r, size, sizeof(*rec->r));
		if (!rec->r)
			err(1, "memory");
		got = fread(rec->r + rec->n, sizeof(*rec->r), size - rec->n, f);
		rec->n += got;
	} while (rec->n == size);

	if (!rec->n || !feof(f))
		errx(1, "no records");
}

static void read_names(struct recording *rec, FILE *f)
{
	struct task t = { };

	while (fscanf(f, "task %u %31s %u %15s\n", &t.pid, t.name, &t.group, t.factor) == 4) {
		rec->tasks = reallocarray(rec->tasks, rec->nr_tasks + 1, sizeof(t));
		if (!rec->tasks)
			err(1, "memory");
		rec->tasks[rec->nr_tasks++] = t;
	}
	if (!rec->nr_tasks || !feof(f))
		errx(1, "names cannot be read");
}

void recording_read(struct recording *rec, const char *base)
{
	FILE *f;

	*rec = (struct recording) { };
	f = open_part(base, "data");
	read_data(rec, f);
	fclose(f);
	f = open_part(base, "names");
	read_names(rec, f);
	fclose(f);
}

void recording_free(struct recording *rec)
{
	free(rec->r);
	free(rec->tasks);
}
