// SPDX-License-Identifier: GPL-2.0-only
/*
 * pelt_random - random workloads, recorded one by one, in the guest
 *
 *   pelt_random [-n WORKLOADS] [-s SEED] [-c CPUS] [-t]
 *
 * Each workload has one to three levels of groups with random factors and up to
 * five tasks in bursts of 50 us to 300 ms and gaps of 1 ms to 2 s, while a
 * controller changes factors and nice values and either moves tasks between groups
 * and CPUs or, with -t, limits those groups by cpu.max that hold tasks. Both at once
 * is left out: when a task comes or goes, the kernel copies a group's averages to its
 * entity, also those from before it was throttled; see propagate_entity_load_avg().
 *
 * A workload is determined by SEED plus its number, which is its file's name. On an
 * unpatched kernel all factors are left out. Recordings go to
 * /results/NUMBER.{data,names}.
 */
#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define CGROUP		"/sys/fs/cgroup"
#define RECORDER	"/sys/kernel/debug/pelt_recorder"
#define MAX_GROUPS	6
#define MAX_TASKS	5
#define NS_PER_MS	1000000LL
/* In which everything decays to zero, also at 0.25 */
#define REST_MS		4000
#define BUSY_MS		3000

static const char *const factors[] = {
	"0.25", "0.33", "0.5", "1", "1.5", "2", "4", "8", "16", "inherit", "inherit",
};

static char groups[MAX_GROUPS][128];
static int nr_groups;
static pid_t tasks[MAX_TASKS];
static int nr_tasks, nr_cpus = 1, throttle, patched;

static long long now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000LL + ts.tv_nsec;
}

static void sleep_ns(long long ns)
{
	struct timespec ts = { ns / 1000000000, ns % 1000000000 };

	nanosleep(&ts, NULL);
}

static int pick(int n)
{
	return random() % n;
}

/* Logarithmic, so that all magnitudes are as likely */
static long long between(double low, double high)
{
	return low * pow(high / low, (random() % 10001) / 10000.0);
}

static int try_write(const char *folder, const char *file, const char *text)
{
	char path[256];
	int fd, ret;

	snprintf(path, sizeof(path), "%s/%s", folder, file);
	fd = open(path, O_WRONLY);
	if (fd < 0)
		return -errno;
	ret = write(fd, text, strlen(text)) == (ssize_t)strlen(text) ? 0 : -errno;
	close(fd);
	return ret;
}

static void must_write(const char *folder, const char *file, const char *text)
{
	int ret = try_write(folder, file, text);

	if (ret)
		errx(1, "%s/%s: '%s': %s", folder, file, text, strerror(-ret));
}

static void join(int group, pid_t pid)
{
	char text[16];

	snprintf(text, sizeof(text), "%d", pid);
	must_write(groups[group], "cgroup.procs", text);
}

static void set_factor(int group)
{
	if (patched)
		must_write(groups[group], "cpu.pelt_multiplier",
			   factors[pick(sizeof(factors) / sizeof(*factors))]);
}

/*
 * A group with groups below it cannot hold processes; it gets a leaf for them
 * beside its other child.
 */
static void make_groups(void)
{
	int depth = 1 + pick(3), i;

	nr_groups = 0;
	snprintf(groups[0], sizeof(*groups), CGROUP "/random");
	for (i = 1; i < depth; i++)
		snprintf(groups[i], sizeof(*groups), "%.100s/g%d", groups[i - 1], i);
	for (i = 0; i < depth; i++)
		if (mkdir(groups[i], 0755))
			err(1, "%s", groups[i]);
	nr_groups = depth;
	for (i = 0; i + 1 < depth; i++) {
		must_write(groups[i], "cgroup.subtree_control", "+cpu");
		snprintf(groups[nr_groups], sizeof(*groups), "%.100s/leaf", groups[i]);
		if (mkdir(groups[nr_groups], 0755))
			err(1, "%s", groups[nr_groups]);
		nr_groups++;
	}
	patched = !access(CGROUP "/random/cpu.pelt_multiplier", F_OK);
	for (i = 0; i < nr_groups; i++)
		set_factor(i);
}

/* Those that hold tasks: the innermost one and the leaves */
static int pick_populated(void)
{
	int depth = (nr_groups + 1) / 2;

	return depth - 1 + pick(nr_groups - depth + 1);
}

static void pin(pid_t pid, int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(pid, sizeof(set), &set))
		err(1, "cpu %d", cpu);
}

static void run_task(unsigned int seed, int start, int done)
{
	long long end;
	char c;

	srandom(seed);
	if (read(start, &c, 1) < 0)
		err(1, "start");
	sleep_ns(REST_MS * NS_PER_MS);
	end = now_ns() + BUSY_MS * NS_PER_MS;
	while (now_ns() < end) {
		long long busy = now_ns() + between(50e3, 300e6);

		while (now_ns() < busy)
			;
		sleep_ns(between(1e6, 2e9));
	}
	if (write(done, "x", 1) != 1)
		err(1, "done");
	for (;;)
		pause();
}

static void start_tasks(unsigned int seed, int start[2], int done[2])
{
	char text[32];
	int i;

	nr_tasks = 1 + pick(MAX_TASKS);
	for (i = 0; i < nr_tasks; i++) {
		tasks[i] = fork();
		if (!tasks[i]) {
			close(start[1]);
			run_task(seed * 100 + i, start[0], done[1]);
		}
		if (tasks[i] < 0)
			err(1, "fork");
		pin(tasks[i], pick(nr_cpus));
		join(pick_populated(), tasks[i]);
		snprintf(text, sizeof(text), "track %d", tasks[i]);
		must_write(RECORDER, "control", text);
	}
}

static void one_action(void)
{
	char text[32];

	switch (pick(4)) {
	case 0:
		setpriority(PRIO_PROCESS, tasks[pick(nr_tasks)], pick(21) - 10);
		break;
	case 1:
		if (throttle) {
			snprintf(text, sizeof(text), "%d 100000", 5000 + pick(60000));
			must_write(groups[pick_populated()], "cpu.max", pick(3) ? text : "max");
		} else if (pick(2)) {
			pin(tasks[pick(nr_tasks)], pick(nr_cpus));
		} else {
			join(pick_populated(), tasks[pick(nr_tasks)]);
		}
		break;
	default:
		set_factor(pick(nr_groups));
	}
}

static void control(void)
{
	long long end = now_ns() + (REST_MS + BUSY_MS) * NS_PER_MS;

	sleep_ns(REST_MS * NS_PER_MS);
	while (now_ns() < end) {
		sleep_ns(between(3e6, 400e6));
		one_action();
	}
}

static void save(unsigned int seed)
{
	static char buf[1 << 16];
	char path[64];
	ssize_t n;
	int in, out;

	snprintf(path, sizeof(path), "/results/%u.data", seed);
	in = open(RECORDER "/data", O_RDONLY);
	out = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
	if (in < 0 || out < 0)
		err(1, "%s", path);
	while ((n = read(in, buf, sizeof(buf))) > 0)
		if (write(out, buf, n) != n)
			err(1, "%s", path);
	if (n < 0)
		err(1, "the recording");
	close(in);
	close(out);

	snprintf(path, sizeof(path), "/results/%u.names", seed);
	out = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
	for (int i = 0; i < nr_tasks; i++)
		dprintf(out, "task %d random 0 1.00\n", tasks[i]);
	close(out);
}

static void remove_groups(void)
{
	int i, tries;

	for (i = 0; i < nr_tasks; i++) {
		kill(tasks[i], SIGKILL);
		waitpid(tasks[i], NULL, 0);
	}
	/* An exiting task leaves its group a little later. */
	for (i = nr_groups; i-- > 0; ) {
		for (tries = 0; rmdir(groups[i]); tries++) {
			if (errno != EBUSY || tries == 1000)
				err(1, "%s", groups[i]);
			sleep_ns(NS_PER_MS);
		}
	}
}

static void run_workload(unsigned int seed)
{
	int start[2], done[2], i;
	char c;

	if (pipe(start) || pipe(done))
		err(1, "pipe");
	srandom(seed);
	make_groups();
	start_tasks(seed, start, done);

	must_write(RECORDER, "control", "clear");
	must_write(RECORDER, "control", "start");
	close(start[1]);
	control();
	for (i = 0; i < nr_tasks; i++)
		if (read(done[0], &c, 1) != 1)
			err(1, "done");
	must_write(RECORDER, "control", "stop");
	save(seed);
	must_write(RECORDER, "control", "forget");

	close(start[0]);
	close(done[0]);
	close(done[1]);
	remove_groups();
}

int main(int argc, char **argv)
{
	int option, workloads = 1, i;
	unsigned int seed = 1;

	while ((option = getopt(argc, argv, "n:s:c:t")) != -1) {
		switch (option) {
		case 'n':
			workloads = atoi(optarg);
			break;
		case 's':
			seed = atoi(optarg);
			break;
		case 'c':
			nr_cpus = atoi(optarg);
			break;
		case 't':
			throttle = 1;
			break;
		default:
			return 2;
		}
	}

	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("1..%d\n", workloads);
	for (i = 0; i < workloads; i++) {
		run_workload(seed + i);
		printf("ok %d workload %u\n", i + 1, seed + i);
	}
	return 0;
}
