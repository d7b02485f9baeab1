// SPDX-License-Identifier: GPL-2.0-only
/*
 * Per-cgroup PELT multiplier: cgroup files and effective factors
 *
 * A group's request is what was written to its file. Its effective factor is
 * what is in force:
 *
 *   root:	the system's factor, 1.00
 *   unset:	the parent's effective factor
 *   set:	min(request, effective factor of the nearest ancestor that has a
 *		request), or the request if there is no such ancestor
 *
 * So an unset group is transparent, and a set one rules and caps its subtree.
 * This is how utilization clamps work, see cpu_util_update_eff(), with
 * inheritance added.
 *
 * A change is prepared first (factors computed, boundary state allocated) and
 * then published, group by group, parents first. Nothing is changed if
 * preparing fails. Publishing takes no rq lock: see __pelt_multiplier_adopt().
 */
#include <linux/cgroup.h>
#include <linux/ctype.h>
#include <linux/mmu_context.h>
#include <linux/seq_file.h>

#include "sched.h"
#include "pelt.h"

DEFINE_STATIC_KEY_FALSE(sched_pelt_multiplier_used);

/* Serialises all writers of struct pelt_multiplier_tg. */
static DEFINE_MUTEX(pelt_multiplier_mutex);

/**
 * pelt_multiplier_parse() - Parse a factor
 * @buf: the text, terminated by a NUL
 * @len: its length without the NUL; a NUL inside is an error
 * @factor: the result, 1024 = 1.00, or PELT_MULTIPLIER_INHERIT
 *
 * Accepts "inherit" or a decimal from 0.25 to 16.00 with up to two fraction
 * digits, with white space around it. Unlike cgroup_parse_float() it rejects
 * trailing characters and further digits and does not round.
 *
 * Return: 0, -ERANGE for a well-formed number out of range (also a negative
 * one), or -EINVAL for anything else; @factor is then unchanged.
 */
static int pelt_multiplier_parse(const char *buf, size_t len, u32 *factor)
{
	static const char inherit[] = "inherit";
	const char *end = buf + len;
	bool negative = false;
	u32 hundredths = 0;
	int digits = 0;

	while (buf < end && isspace(*buf))
		buf++;
	while (buf < end && isspace(end[-1]))
		end--;

	if (end - buf == sizeof(inherit) - 1 && !memcmp(buf, inherit, end - buf)) {
		*factor = PELT_MULTIPLIER_INHERIT;
		return 0;
	}

	if (buf < end && *buf == '-') {
		negative = true;
		buf++;
	}

	/* Anything from 1000 up is out of range whatever follows. */
	for (; buf < end && isdigit(*buf); buf++, digits++)
		hundredths = min(hundredths * 10 + (*buf - '0'), 1000U);
	if (!digits)
		return -EINVAL;
	hundredths *= 100;

	if (buf < end && *buf == '.') {
		u32 unit = 10;

		for (buf++, digits = 0; buf < end && isdigit(*buf); buf++, digits++) {
			hundredths += unit * (*buf - '0');
			unit /= 10;
		}
		if (digits < 1 || digits > 2)
			return -EINVAL;
	}
	if (buf != end)
		return -EINVAL;

	if (negative || hundredths < 25 || hundredths > 1600)
		return -ERANGE;

	*factor = DIV_ROUND_CLOSEST(hundredths << PELT_MULTIPLIER_SHIFT, 100);
	return 0;
}

/**
 * pelt_multiplier_format() - Format a factor so that it can be parsed again
 * @buf: where to, at least 12 bytes
 * @size: the size of @buf
 * @factor: 1024 = 1.00, or PELT_MULTIPLIER_INHERIT
 *
 * A hundredth is 10.24 units, so that each value of the form %u.%02u comes
 * back as it was written.
 */
static void pelt_multiplier_format(char *buf, size_t size, u32 factor)
{
	u32 hundredths = (factor * 100 + PELT_MULTIPLIER_ONE / 2) >> PELT_MULTIPLIER_SHIFT;

	if (factor == PELT_MULTIPLIER_INHERIT)
		strscpy(buf, "inherit", size);
	else
		snprintf(buf, size, "%u.%02u", hundredths / 100, hundredths % 100);
}

/* Boundary state allocated in advance, as it cannot be under RCU. */
struct boundary_pool {
	struct pelt_boundary __percpu	**state;
	int				needed;
	int				allocated;
};

static bool tg_needs_boundary(struct task_group *tg)
{
	struct pelt_multiplier_tg *pm = &tg->pelt_multiplier;

	return tg->parent && !pm->boundary &&
	       pm->next != tg->parent->pelt_multiplier.next;
}

/* Compute the factor to be; parents come first. */
static int tg_compute(struct task_group *tg, void *data)
{
	struct pelt_multiplier_tg *pm = &tg->pelt_multiplier;
	struct pelt_multiplier_tg *parent;
	struct boundary_pool *pool = data;

	if (!tg->parent)
		return 0;

	parent = &tg->parent->pelt_multiplier;
	pm->next = parent->next;
	pm->cap = parent->cap;
	if (pm->request != PELT_MULTIPLIER_INHERIT) {
		pm->next = min(pm->request, parent->cap);
		pm->cap = pm->next;
	}

	if (tg_needs_boundary(tg))
		pool->needed++;

	return 0;
}

/*
 * Publish. A group that was created since tg_compute() is unset, and so is no
 * boundary, but has to be computed.
 */
static int tg_publish(struct task_group *tg, void *data)
{
	struct pelt_multiplier_tg *pm = &tg->pelt_multiplier;
	struct boundary_pool *pool = data;

	tg_compute(tg, pool);
	if (tg_needs_boundary(tg) && !WARN_ON_ONCE(!pool->allocated))
		/* Pairs with the address dependency in boundary_of(). */
		smp_store_release(&pm->boundary, pool->state[--pool->allocated]);

	WRITE_ONCE(pm->effective, pm->next);
	return 0;
}

static void walk_groups(struct task_group *tg, tg_visitor visitor, struct boundary_pool *pool)
{
	rcu_read_lock();
	walk_tg_tree_from(tg, visitor, tg_nop, pool);
	rcu_read_unlock();
}

static void pool_free(struct boundary_pool *pool)
{
	while (pool->allocated)
		free_percpu(pool->state[--pool->allocated]);
	kvfree(pool->state);
}

static int pool_fill(struct boundary_pool *pool)
{
	if (!pool->needed)
		return 0;

	pool->state = kvcalloc(pool->needed, sizeof(*pool->state), GFP_KERNEL);
	if (!pool->state)
		return -ENOMEM;

	while (pool->allocated < pool->needed) {
		pool->state[pool->allocated] = pelt_boundary_alloc();
		if (!pool->state[pool->allocated])
			return -ENOMEM;
		pool->allocated++;
	}

	return 0;
}

static int tg_set_request(struct task_group *tg, u32 request)
{
	struct pelt_multiplier_tg *pm = &tg->pelt_multiplier;
	struct boundary_pool pool = { };
	u32 old = pm->request;
	int ret;

	lockdep_assert_held(&pelt_multiplier_mutex);

	pm->request = request;
	walk_groups(tg, tg_compute, &pool);

	ret = pool_fill(&pool);
	if (ret) {
		pm->request = old;
		walk_groups(tg, tg_compute, &pool);
	} else {
		walk_groups(tg, tg_publish, &pool);
	}

	pool_free(&pool);
	return ret;
}

/**
 * pelt_multiplier_init_tg() - Initialise a new group before its cfs_rqs
 * @tg: the group, zeroed
 * @parent: the group it will be below, or NULL if @tg is the root
 */
void pelt_multiplier_init_tg(struct task_group *tg, struct task_group *parent)
{
	struct pelt_multiplier_tg *pm = &tg->pelt_multiplier;

	pm->effective = parent ? READ_ONCE(parent->pelt_multiplier.effective) :
				 PELT_MULTIPLIER_ONE;
	pm->next = pm->effective;
	pm->cap = PELT_MULTIPLIER_MAX;
}

/**
 * pelt_multiplier_online_tg() - Take over the parent's factor for good
 * @tg: a group that has just become visible to tree walks
 *
 * The parent's factor can have changed since pelt_multiplier_init_tg().
 *
 * Context: process, may sleep.
 */
void pelt_multiplier_online_tg(struct task_group *tg)
{
	struct boundary_pool pool = { };

	mutex_lock(&pelt_multiplier_mutex);
	tg_publish(tg, &pool);
	mutex_unlock(&pelt_multiplier_mutex);
}

/**
 * pelt_multiplier_free_tg() - Free what a group has allocated
 * @tg: a group that nobody can reach any more
 */
void pelt_multiplier_free_tg(struct task_group *tg)
{
	free_percpu(tg->pelt_multiplier.boundary);
}

static struct pelt_multiplier_tg *css_pelt_multiplier(struct cgroup_subsys_state *css)
{
	return &container_of(css, struct task_group, css)->pelt_multiplier;
}

static void seq_print_factor(struct seq_file *sf, u32 factor)
{
	char buf[12];

	pelt_multiplier_format(buf, sizeof(buf), factor);
	seq_printf(sf, "%s\n", buf);
}

static int cpu_pelt_multiplier_show(struct seq_file *sf, void *v)
{
	/* Under the mutex, as a request can be taken back for lack of memory. */
	mutex_lock(&pelt_multiplier_mutex);
	seq_print_factor(sf, css_pelt_multiplier(seq_css(sf))->request);
	mutex_unlock(&pelt_multiplier_mutex);

	return 0;
}

static int cpu_pelt_multiplier_effective_show(struct seq_file *sf, void *v)
{
	seq_print_factor(sf, READ_ONCE(css_pelt_multiplier(seq_css(sf))->effective));

	return 0;
}

static ssize_t cpu_pelt_multiplier_write(struct kernfs_open_file *of, char *buf,
					 size_t nbytes, loff_t off)
{
	struct task_group *tg = container_of(of_css(of), struct task_group, css);
	u32 request;
	int ret;

	ret = pelt_multiplier_parse(buf, nbytes, &request);
	if (ret)
		return ret;

	/*
	 * systemd writes all attributes again at each daemon-reload. What is in
	 * force already must neither switch the key on nor walk the tree.
	 */
	if (READ_ONCE(tg->pelt_multiplier.request) == request)
		return nbytes;

	static_branch_enable(&sched_pelt_multiplier_used);

	mutex_lock(&pelt_multiplier_mutex);
	ret = tg_set_request(tg, request);
	mutex_unlock(&pelt_multiplier_mutex);

	return ret ?: nbytes;
}

static struct cftype cpu_pelt_multiplier_files[] = {
	{
		.name = "pelt_multiplier",
		.flags = CFTYPE_NOT_ON_ROOT,
		.seq_show = cpu_pelt_multiplier_show,
		.write = cpu_pelt_multiplier_write,
	},
	{
		.name = "pelt_multiplier.effective",
		.flags = CFTYPE_NOT_ON_ROOT,
		.seq_show = cpu_pelt_multiplier_effective_show,
	},
	{ }	/* Terminate */
};

/* Files of the cpu controller need not be in core.c's tables. */
static int __init cpu_pelt_multiplier_init(void)
{
	return cgroup_add_dfl_cftypes(&cpu_cgrp_subsys, cpu_pelt_multiplier_files);
}
subsys_initcall(cpu_pelt_multiplier_init);

#ifdef CONFIG_PELT_MULTIPLIER_KUNIT_TEST
#include "tests/pelt_multiplier_kunit.c"
#endif
