// SPDX-License-Identifier: GPL-2.0-only
/*
 * cpu.pelt_multiplier and cpu.pelt_multiplier.effective on cgroup v2.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/limits.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../kselftest.h"
#include "cgroup_util.h"

#define REQUEST		"cpu.pelt_multiplier"
#define EFFECTIVE	"cpu.pelt_multiplier.effective"
#define DEEP		16

/* Write exactly @len bytes at once. Returns 0 or -errno. */
static int write_bytes(const char *cgroup, const char *file, const char *text, size_t len)
{
	char path[PATH_MAX];
	ssize_t ret;
	int fd;

	snprintf(path, sizeof(path), "%s/%s", cgroup, file);
	fd = open(path, O_WRONLY);
	if (fd < 0)
		return -errno;
	ret = write(fd, text, len);
	if (ret < 0)
		ret = -errno;
	close(fd);

	return ret == (ssize_t)len ? 0 : ret < 0 ? ret : -EIO;
}

static int request(const char *cgroup, const char *text)
{
	return write_bytes(cgroup, REQUEST, text, strlen(text));
}

/* True if a file holds @want and a newline, and nothing else. */
static bool holds(const char *cgroup, const char *file, const char *want)
{
	char buf[64] = "";

	if (cg_read(cgroup, file, buf, sizeof(buf)))
		return false;
	if (strlen(buf) != strlen(want) + 1 || strncmp(buf, want, strlen(want)) ||
	    buf[strlen(want)] != '\n') {
		ksft_print_msg("%s/%s: want %s, got %s", cgroup, file, want, buf);
		return false;
	}
	return true;
}

static bool in_force(const char *cgroup, const char *want)
{
	return holds(cgroup, EFFECTIVE, want);
}

/* Create @root/@name with the cpu controller on for what will be below it. */
static char *create(const char *root, const char *name)
{
	char *cgroup = cg_name(root, name);

	if (cgroup && !cg_create(cgroup) &&
	    !cg_write(cgroup, "cgroup.subtree_control", "+cpu"))
		return cgroup;
	free(cgroup);
	return NULL;
}

static void destroy(char *cgroup)
{
	if (cgroup)
		cg_destroy(cgroup);
	free(cgroup);
}

/* A chain a, a/b, a/b/c ... of @n groups; destroyed by destroy_chain(). */
static bool create_chain(const char *root, char **groups, int n)
{
	int i;

	for (i = 0; i < n; i++) {
		groups[i] = create(i ? groups[i - 1] : root, i ? "sub" : "pelt_test");
		if (!groups[i])
			return false;
	}
	return true;
}

static void destroy_chain(char **groups, int n)
{
	while (n--)
		destroy(groups[n]);
}

/* The root has no such files: its factor is the system's. */
static int test_not_on_root(const char *root)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/" REQUEST, root);
	if (!access(path, F_OK) || errno != ENOENT)
		return KSFT_FAIL;
	snprintf(path, sizeof(path), "%s/" EFFECTIVE, root);
	if (!access(path, F_OK) || errno != ENOENT)
		return KSFT_FAIL;
	return KSFT_PASS;
}

/* A new group inherits, and 1.00 is in force. 0644 and 0444, owned by root. */
static int test_defaults(const char *root)
{
	char *a[1] = { };
	struct stat st;
	char path[PATH_MAX];
	int ret = KSFT_FAIL;

	if (!create_chain(root, a, 1))
		goto cleanup;
	if (!holds(a[0], REQUEST, "inherit") || !in_force(a[0], "1.00"))
		goto cleanup;
	snprintf(path, sizeof(path), "%s/" REQUEST, a[0]);
	if (stat(path, &st) || (st.st_mode & 07777) != 0644)
		goto cleanup;
	snprintf(path, sizeof(path), "%s/" EFFECTIVE, a[0]);
	if (stat(path, &st) || (st.st_mode & 07777) != 0444)
		goto cleanup;
	ret = KSFT_PASS;
cleanup:
	destroy_chain(a, 1);
	return ret;
}

/* What is accepted, how it reads back, and that this can be written again. */
static int test_read_back(const char *root)
{
	static const struct {
		const char *text, *back;
	} cases[] = {
		{ "0.25", "0.25" },	{ "0.33", "0.33" },	{ "0.5", "0.50" },
		{ "1", "1.00" },	{ "1.0", "1.00" },	{ "1.00\n", "1.00" },
		{ "1.5", "1.50" },	{ "2.07", "2.07" },	{ "4", "4.00" },
		{ "4\n", "4.00" },	{ " 4.0\t\n", "4.00" },	{ "\n4", "4.00" },
		{ "08.10", "8.10" },	{ "15.99", "15.99" },	{ "16", "16.00" },
		{ "16.00", "16.00" },	{ "inherit", "inherit" },
		{ "4", "4.00" },	{ "\tinherit \n", "inherit" },
	};
	char *a[1] = { };
	int ret = KSFT_FAIL;
	size_t i;

	if (!create_chain(root, a, 1))
		goto cleanup;
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		const char *effective = cases[i].back;

		if (!strcmp(effective, "inherit"))
			effective = "1.00";
		if (request(a[0], cases[i].text) ||
		    !holds(a[0], REQUEST, cases[i].back) || !in_force(a[0], effective))
			goto cleanup;
		if (request(a[0], cases[i].back) || !holds(a[0], REQUEST, cases[i].back))
			goto cleanup;
	}
	ret = KSFT_PASS;
cleanup:
	destroy_chain(a, 1);
	return ret;
}

static bool refused(const char *cgroup, const char *text, size_t len, int want)
{
	int got = write_bytes(cgroup, REQUEST, text, len);

	if (got != -want)
		ksft_print_msg("'%.40s': want %s, got %s\n", text, strerror(want),
			       strerror(-got));
	return got == -want && holds(cgroup, REQUEST, "3.00") && in_force(cgroup, "3.00");
}

/* A number out of range is -ERANGE, and nothing changes. */
static int test_out_of_range(const char *root)
{
	static const char *const cases[] = {
		"0", "0.0", "0.00", "0.24", "16.01", "17", "100", "1600", "-1", "-0", "-0.5",
		"-4.00", "2147483648", "4294967296", "4294967300", "18446744073709551616",
		"18446744073709551620", "123456789012345678901234567890", "-99999999999999999999",
	};
	char *a[1] = { };
	int ret = KSFT_FAIL;
	size_t i;

	if (!create_chain(root, a, 1) || request(a[0], "3"))
		goto cleanup;
	for (i = 0; i < ARRAY_SIZE(cases); i++)
		if (!refused(a[0], cases[i], strlen(cases[i]), ERANGE))
			goto cleanup;
	ret = KSFT_PASS;
cleanup:
	destroy_chain(a, 1);
	return ret;
}

/* Anything else is -EINVAL, and nothing changes. */
static int test_invalid(const char *root)
{
	static const char *const cases[] = {
		"\n", " ", " \t\n", "x", "four", "4x", "x4", "4 4", "4\n5", "4.", ".5", ".", "-",
		"--4", "- 4", "+4", "1.234", "0.250", "1.2.3", "1,5", "0x4", "4e0", "nan", "inf",
		"max", "min", "default", "Inherit", "INHERIT", "inherit4", "inherit inherit",
		"inheri", "4%", "4\x80", "\xc2\xbd",
	};
	char *a[1] = { };
	char big[4000];
	int ret = KSFT_FAIL;
	size_t i;

	memset(big, 'x', sizeof(big));
	if (!create_chain(root, a, 1) || request(a[0], "3"))
		goto cleanup;
	for (i = 0; i < ARRAY_SIZE(cases); i++)
		if (!refused(a[0], cases[i], strlen(cases[i]), EINVAL))
			goto cleanup;
	if (!refused(a[0], "4\0", 2, EINVAL) || !refused(a[0], "4\0x", 3, EINVAL) ||
	    !refused(a[0], "\0004", 2, EINVAL) || !refused(a[0], big, sizeof(big), EINVAL))
		goto cleanup;
	ret = KSFT_PASS;
cleanup:
	destroy_chain(a, 1);
	return ret;
}

/* The effective factor cannot be written, not even by root. */
static int test_effective_is_read_only(const char *root)
{
	char *a[1] = { };
	int ret = KSFT_FAIL, err;

	if (!create_chain(root, a, 1))
		goto cleanup;
	err = write_bytes(a[0], EFFECTIVE, "4", 1);
	if ((err == -EACCES || err == -EINVAL) && in_force(a[0], "1.00"))
		ret = KSFT_PASS;
cleanup:
	destroy_chain(a, 1);
	return ret;
}

/*
 * An unset group is transparent:
 *
 *   a(4) - b(inherit) - c(inherit)
 */
static int test_inherit(const char *root)
{
	int ret = KSFT_FAIL;
	char *g[3] = { };

	if (!create_chain(root, g, 3))
		goto cleanup;
	if (request(g[0], "4") || !in_force(g[0], "4.00") ||
	    !in_force(g[1], "4.00") || !in_force(g[2], "4.00"))
		goto cleanup;
	if (!holds(g[1], REQUEST, "inherit") || !holds(g[2], REQUEST, "inherit"))
		goto cleanup;
	if (request(g[0], "0.5") || !in_force(g[2], "0.50"))
		goto cleanup;
	if (request(g[0], "inherit") || !in_force(g[0], "1.00") || !in_force(g[2], "1.00"))
		goto cleanup;
	ret = KSFT_PASS;
cleanup:
	destroy_chain(g, 3);
	return ret;
}

/* Without a request above, nothing limits a request: a(inherit) - b(16). */
static int test_not_capped_by_unset(const char *root)
{
	int ret = KSFT_FAIL;
	char *g[2] = { };

	if (!create_chain(root, g, 2))
		goto cleanup;
	if (request(g[1], "16") || !in_force(g[1], "16.00") || !in_force(g[0], "1.00"))
		goto cleanup;
	ret = KSFT_PASS;
cleanup:
	destroy_chain(g, 2);
	return ret;
}

/*
 * min(request, effective factor of the nearest ancestor with a request), and
 * what was requested comes into force when the cap goes:
 *
 *   a(2) - b(inherit) - c(8) - d(4) - e(0.25)
 */
static int test_cap(const char *root)
{
	int ret = KSFT_FAIL;
	char *g[5] = { };

	if (!create_chain(root, g, 5))
		goto cleanup;
	if (request(g[2], "8") || request(g[3], "4") || request(g[4], "0.25"))
		goto cleanup;
	if (!in_force(g[2], "8.00") || !in_force(g[3], "4.00") || !in_force(g[4], "0.25"))
		goto cleanup;

	if (request(g[0], "2"))
		goto cleanup;
	if (!in_force(g[1], "2.00") || !in_force(g[2], "2.00") ||
	    !in_force(g[3], "2.00") || !in_force(g[4], "0.25"))
		goto cleanup;
	if (!holds(g[2], REQUEST, "8.00") || !holds(g[3], REQUEST, "4.00"))
		goto cleanup;

	if (request(g[0], "6") || !in_force(g[2], "6.00") || !in_force(g[3], "4.00"))
		goto cleanup;
	if (request(g[0], "inherit") || !in_force(g[0], "1.00") || !in_force(g[1], "1.00") ||
	    !in_force(g[2], "8.00") || !in_force(g[3], "4.00") || !in_force(g[4], "0.25"))
		goto cleanup;
	ret = KSFT_PASS;
cleanup:
	destroy_chain(g, 5);
	return ret;
}

/* 1.00 is a request like others: a battery saver over everything below. */
static int test_cap_by_one(const char *root)
{
	int ret = KSFT_FAIL;
	char *g[2] = { };

	if (!create_chain(root, g, 2))
		goto cleanup;
	if (request(g[1], "4") || request(g[0], "1") || !in_force(g[1], "1.00") ||
	    !holds(g[1], REQUEST, "4.00"))
		goto cleanup;
	if (request(g[0], "inherit") || !in_force(g[1], "4.00"))
		goto cleanup;
	ret = KSFT_PASS;
cleanup:
	destroy_chain(g, 2);
	return ret;
}

/* A group created below a set one, and one at the end of a deep hierarchy. */
static int test_new_and_deep(const char *root)
{
	char *g[DEEP] = { }, *new = NULL;
	int ret = KSFT_FAIL, i;

	if (!create_chain(root, g, DEEP))
		goto cleanup;
	if (request(g[0], "4"))
		goto cleanup;
	new = create(g[DEEP - 1], "new");
	if (!new || !in_force(new, "4.00") || !holds(new, REQUEST, "inherit"))
		goto cleanup;

	for (i = 1; i < DEEP; i++)
		if (request(g[i], i % 2 ? "8" : "0.5"))
			goto cleanup;
	if (!in_force(g[1], "4.00") || !in_force(new, "0.50"))
		goto cleanup;
	ret = KSFT_PASS;
cleanup:
	destroy(new);
	destroy_chain(g, DEEP);
	return ret;
}

static int hog(const char *cgroup, void *arg)
{
	(void)cgroup;
	(void)arg;
	while (getppid() != 1)
		;
	return 0;
}

/* Let a busy task see many changes, moves and removals of its group. */
static int test_change_and_remove_under_load(const char *root)
{
	static const char *const factors[] = { "4", "0.25", "16", "inherit", "1", "2.5" };
	char *g[3] = { }, *other = NULL;
	int ret = KSFT_FAIL, i;
	pid_t pid = -1;

	other = create(root, "pelt_other");
	if (!other || !create_chain(root, g, 2))
		goto cleanup;
	pid = cg_run_nowait(other, hog, NULL);
	if (pid <= 0)
		goto cleanup;

	for (i = 0; i < 60; i++) {
		if (request(g[0], factors[i % 6]) || request(g[1], factors[i % 5]))
			goto cleanup;
		g[2] = cg_name(g[1], "leaf");
		if (cg_create(g[2]) || request(g[2], factors[i % 4]) || cg_enter(g[2], pid))
			goto cleanup;
		usleep(i * 500);
		if (request(g[2], factors[(i + 1) % 6]) || cg_enter(root, pid) ||
		    cg_destroy(g[2]))
			goto cleanup;
		free(g[2]);
		g[2] = NULL;
	}
	ret = KSFT_PASS;
cleanup:
	if (pid > 0) {
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
	}
	destroy_chain(g, 3);
	destroy(other);
	return ret;
}

/* Many groups come and go, each a boundary. */
static int test_many_groups(const char *root)
{
	char *a[1] = { }, *child[200] = { };
	int ret = KSFT_FAIL, i;

	if (!create_chain(root, a, 1) || request(a[0], "8"))
		goto cleanup;
	for (i = 0; i < 200; i++) {
		child[i] = cg_name_indexed(a[0], "child", i);
		if (cg_create(child[i]) || request(child[i], i % 2 ? "4" : "16"))
			goto cleanup;
	}
	for (i = 0; i < 200; i++)
		if (!in_force(child[i], i % 2 ? "4.00" : "8.00"))
			goto cleanup;
	if (request(a[0], "2"))
		goto cleanup;
	for (i = 0; i < 200; i++)
		if (!in_force(child[i], "2.00"))
			goto cleanup;
	ret = KSFT_PASS;
cleanup:
	destroy_chain(child, 200);
	destroy_chain(a, 1);
	return ret;
}

static int writer(const char *cgroup, void *arg)
{
	const char *factor = arg;
	int i;

	for (i = 0; i < 300; i++)
		if (request(cgroup, i % 3 ? factor : "inherit"))
			return 1;
	return request(cgroup, factor);
}

/* Writers at all levels at once: in the end each level is what the rule says. */
static int test_many_writers(const char *root)
{
	static char *const factors[] = { "8", "4", "2", "16" };
	int ret = KSFT_FAIL, status, i;
	pid_t pid[4] = { };
	char *g[4] = { };

	if (!create_chain(root, g, 4))
		goto cleanup;
	for (i = 0; i < 4; i++) {
		pid[i] = fork();
		if (!pid[i])
			exit(writer(g[i], factors[i]));
	}
	ret = KSFT_PASS;
	for (i = 0; i < 4; i++)
		if (pid[i] <= 0 || waitpid(pid[i], &status, 0) != pid[i] || status)
			ret = KSFT_FAIL;
	if (!in_force(g[0], "8.00") || !in_force(g[1], "4.00") ||
	    !in_force(g[2], "2.00") || !in_force(g[3], "2.00"))
		ret = KSFT_FAIL;
cleanup:
	destroy_chain(g, 4);
	return ret;
}

/* As user @uid: 0 if all went as it should. */
static int unprivileged(uid_t uid, const char *theirs, const char *above, int want)
{
	pid_t pid = fork();
	int status;

	if (!pid) {
		if (setgid(uid) || setuid(uid))
			exit(10);
		if (request(theirs, "4") != want)
			exit(11);
		/* The delegated group's own files stay root's. */
		exit(request(above, "4") == -EACCES ? 0 : 12);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return -1;
	return status;
}

/*
 * The owner of a delegated subtree rules below it, within the cap, and nobody
 * else does:
 *
 *   a(2, root's) - b(owned by TEST_UID)
 */
static int test_delegation(const char *root)
{
	char *g[2] = { }, path[PATH_MAX];
	int ret = KSFT_FAIL;

	if (!create_chain(root, g, 2) || request(g[0], "2"))
		goto cleanup;
	snprintf(path, sizeof(path), "%s/" REQUEST, g[1]);
	if (chown(path, TEST_UID, TEST_UID))
		goto cleanup;
	if (unprivileged(TEST_UID, g[1], g[0], 0) || !holds(g[1], REQUEST, "4.00") ||
	    !in_force(g[1], "2.00"))
		goto cleanup;
	if (request(g[1], "inherit") ||
	    unprivileged(TEST_UID - 1, g[1], g[0], -EACCES) || !holds(g[1], REQUEST, "inherit"))
		goto cleanup;
	ret = KSFT_PASS;
cleanup:
	destroy_chain(g, 2);
	return ret;
}

#define T(x) { x, #x }
static const struct cpu_pelt_multiplier_test {
	int (*fn)(const char *root);
	const char *name;
} tests[] = {
	T(test_not_on_root),
	T(test_defaults),
	T(test_read_back),
	T(test_out_of_range),
	T(test_invalid),
	T(test_effective_is_read_only),
	T(test_inherit),
	T(test_not_capped_by_unset),
	T(test_cap),
	T(test_cap_by_one),
	T(test_new_and_deep),
	T(test_change_and_remove_under_load),
	T(test_many_groups),
	T(test_many_writers),
	T(test_delegation),
};

#undef T

/* Skip with a reason where the kernel does not have the feature. */
static void require_feature(const char *root)
{
	char *group = cg_name(root, "pelt_probe");
	char buf[64];
	int missing;

	if (cg_create(group))
		ksft_exit_skip("cannot create a cgroup, not root?\n");
	missing = cg_read(group, REQUEST, buf, sizeof(buf));
	destroy(group);
	if (missing)
		ksft_exit_skip("this kernel has no " REQUEST "\n");
}

int main(void)
{
	char root[PATH_MAX];
	size_t i;

	ksft_print_header();
	if (cg_find_unified_root(root, sizeof(root), NULL))
		ksft_exit_skip("cgroup v2 isn't mounted\n");
	if (cg_read_strstr(root, "cgroup.subtree_control", "cpu") &&
	    cg_write(root, "cgroup.subtree_control", "+cpu"))
		ksft_exit_skip("Failed to set cpu controller\n");
	require_feature(root);
	ksft_set_plan(ARRAY_SIZE(tests));

	for (i = 0; i < ARRAY_SIZE(tests); i++)
		ksft_test_result(tests[i].fn(root) == KSFT_PASS, "%s\n", tests[i].name);

	ksft_finished();
}
