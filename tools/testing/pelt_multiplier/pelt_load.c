// SPDX-License-Identifier: GPL-2.0-only
/*
 * pelt_load - a task that is busy and sleeps as told, in the guest
 *
 *   pelt_load [-g GROUP] [-c CPU] [-n NAME] SEGMENT...
 *
 * Joins GROUP (a folder below the cgroup2 mount; none: the root), pins itself
 * to CPU, asks the recorder to track it, appends a line
 *
 *   task PID NAME GROUP-INODE FACTOR
 *
 * to /results/names, waits for /tmp/go, runs the segments, writes a byte to
 * /tmp/done and sleeps until it is killed, so that nothing exits while recorded.
 * The segments:
 * bMS is busy, sMS sleeps; milliseconds of wall time, fractions allowed.
 */
#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define CGROUP	"/sys/fs/cgroup"
#define CONTROL	"/sys/kernel/debug/pelt_recorder/control"

static long long now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000LL + ts.tv_nsec;
}

static void sleep_until(long long ns)
{
	struct timespec ts = { ns / 1000000000, ns % 1000000000 };

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL) == EINTR)
		;
}

static void write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY);

	if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		err(1, "%s: writing '%s'", path, text);
	close(fd);
}

static void join_group(const char *group)
{
	char path[256], pid[16];

	snprintf(path, sizeof(path), CGROUP "/%s/cgroup.procs", group);
	snprintf(pid, sizeof(pid), "%d", getpid());
	write_file(path, pid);
}

static void pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		err(1, "cpu %d", cpu);
}

/* An unpatched kernel has no such file, and 1.00 in force. */
static void read_factor(const char *group, char *factor, size_t size)
{
	char path[256];
	FILE *f;

	snprintf(factor, size, "1.00");
	snprintf(path, sizeof(path), CGROUP "/%s/cpu.pelt_multiplier.effective", group);
	f = fopen(path, "r");
	if (!f)
		return;
	if (fscanf(f, "%15s", factor) != 1)
		errx(1, "%s: cannot be read", path);
	fclose(f);
}

static void announce(const char *name, const char *group)
{
	char path[256], factor[16], line[300], text[32];
	struct stat st;
	int fd;

	snprintf(path, sizeof(path), CGROUP "/%s", group);
	if (stat(path, &st))
		err(1, "%s", path);
	read_factor(group, factor, sizeof(factor));
	snprintf(line, sizeof(line), "task %d %s %llu %s\n", getpid(), name,
		 (unsigned long long)st.st_ino, factor);

	fd = open("/results/names", O_WRONLY | O_APPEND | O_CREAT, 0644);
	if (fd < 0 || write(fd, line, strlen(line)) != (ssize_t)strlen(line))
		err(1, "/results/names");
	close(fd);

	snprintf(text, sizeof(text), "track %d", getpid());
	write_file(CONTROL, text);
}

static void run_segment(const char *segment)
{
	long long end = now_ns() + (long long)(atof(segment + 1) * 1e6);

	switch (segment[0]) {
	case 'b':
		while (now_ns() < end)
			;
		break;
	case 's':
		sleep_until(end);
		break;
	default:
		errx(1, "no segment: %s", segment);
	}
}

int main(int argc, char **argv)
{
	const char *group = "", *name = "load";
	int option;

	while ((option = getopt(argc, argv, "g:c:n:")) != -1) {
		switch (option) {
		case 'g':
			group = optarg;
			break;
		case 'c':
			pin(atoi(optarg));
			break;
		case 'n':
			name = optarg;
			break;
		default:
			return 2;
		}
	}

	join_group(group);
	announce(name, group);
	while (access("/tmp/go", F_OK))
		usleep(20000);

	for (int i = optind; i < argc; i++)
		run_segment(argv[i]);

	write_file("/tmp/done", "x");
	for (;;)
		pause();
}
