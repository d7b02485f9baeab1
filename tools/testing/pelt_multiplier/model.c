// SPDX-License-Identifier: GPL-2.0-only
/*
 * See model.h for the formulas.
 */
#include <err.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model.h"

/* Id of the share of all tasks that are not tracked; no task has this pid. */
#define OTHERS	0

/* A task that exits is removed from the averages one or two updates later. */
#define OTHERS_SETTLED	3

/* Half-life in PELT periods is 32: what one period adds to an average at most */
#define PERIOD_STEP	(1024 * (1 - exp2(-1.0 / 32)))

void model_init(struct model *m)
{
	memset(m, 0, sizeof(*m));
}

static int find_group(const struct model *m, u32 id)
{
	int i;

	for (i = 0; i < m->nr_groups; i++)
		if (m->group[i].id == id)
			return i;
	return -1;
}

/* Parents are recorded after their children, so the depth is set when asked. */
static int add_group(struct model *m, u32 id, u32 parent_id)
{
	int i = find_group(m, id);

	if (i >= 0)
		return i;
	if (m->nr_groups == MAX_GROUPS)
		errx(1, "too many groups");
	i = m->nr_groups++;
	m->group[i] = (struct mgroup) { .id = id, .parent_id = parent_id };
	return i;
}

static int parent_of(const struct model *m, int group)
{
	return m->group[group].id == ROOT_ID ? -1 : find_group(m, m->group[group].parent_id);
}

/* The group at @level above @group; -1 beyond the root */
static int ancestor(const struct model *m, int group, int level)
{
	while (level-- && group >= 0)
		group = parent_of(m, group);
	return group;
}

static int levels(const struct model *m, int group)
{
	int n;

	for (n = 0; group >= 0; n++)
		group = parent_of(m, group);
	return n;
}

/* The level of @t at which it is in the averages of @group's cfs_rq; -1: never */
static int level_in(const struct model *m, const struct mtask *t, int group)
{
	int level, at = t->group;

	for (level = 0; at >= 0; level++, at = parent_of(m, at))
		if (at == group)
			return level;
	return -1;
}

/* Raw time of a cfs_rq at a time of its run queue */
static double raw_at(const struct mcfs_rq *q, double time)
{
	return q->frozen ? q->raw : time - q->offset;
}

/*
 * The factor by which the share of a task ages at a level: that of its own group.
 * That a group's factor differs from its parent's is noticed when its entity is
 * updated. Until then, a sleeping group's share follows the parent's cfs_rq, which
 * can have adopted another factor meanwhile. While a group is throttled, nothing
 * below it is corrected: what is above follows the group's own factor.
 */
static double factor_at(const struct model *m, const struct mtask *t, int level)
{
	double factor = m->cfs_rq[t->group][t->cpu].factor;
	int group = t->group, parent, i;

	for (i = 1; i <= level; i++, group = parent) {
		const struct mcfs_rq *q, *p;

		parent = parent_of(m, group);
		q = &m->cfs_rq[group][t->cpu];
		p = &m->cfs_rq[parent][t->cpu];
		if (q->frozen)
			factor = q->factor;
		if (!q->boundary && q->factor != p->factor)
			factor = p->factor;
	}
	return factor;
}

/* How many times the task counts as runnable at a level: not below a throttle */
static int runnable_at(const struct model *m, const struct mtask *t, int level)
{
	int i;

	for (i = 0; i < level; i++)
		if (m->cfs_rq[ancestor(m, t->group, i)][t->cpu].throttled)
			return 0;
	return t->runnable;
}

static void age_share(const struct model *m, struct mtask *t, int level, double time)
{
	const struct mcfs_rq *q = &m->cfs_rq[ancestor(m, t->group, level)][t->cpu];
	struct share *s = &t->level[level];
	double raw = raw_at(q, time), decay;

	if (raw <= s->raw)
		return;
	decay = exp2(-(raw - s->raw) * factor_at(m, t, level) / HALF_LIFE_NS);
	s->util = s->util * decay + 1024.0 * t->running * (1 - decay);
	s->runnable = s->runnable * decay + 1024.0 * runnable_at(m, t, level) * (1 - decay);
	s->bound *= decay;
	s->raw = raw;
}

static struct mtask *find_task(struct model *m, u32 id, int cpu)
{
	int i;

	for (i = 0; i < MAX_TASKS; i++) {
		struct mtask *t = &m->task[i];

		if (t->used && !t->leaving && t->id == id && (id != OTHERS || t->cpu == cpu))
			return t;
	}
	return NULL;
}

/* What counts as runnable at the root and is not tracked */
static void count_others(struct model *m, int cpu)
{
	struct mtask *t = find_task(m, OTHERS, cpu);
	int i, runnable;

	if (!t)
		return;
	runnable = m->cfs_rq[t->group][cpu].runnable;
	for (i = 0; i < MAX_TASKS; i++) {
		const struct mtask *o = &m->task[i];

		if (o->used && o->cpu == cpu && o != t)
			runnable -= runnable_at(m, o, levels(m, o->group) - 1);
	}
	t->runnable = runnable > 0 ? runnable : 0;
}

static void age_cpu(struct model *m, int cpu, double time)
{
	int i, level;

	count_others(m, cpu);
	for (i = 0; i < MAX_TASKS; i++) {
		struct mtask *t = &m->task[i];

		if (!t->used || t->cpu != cpu)
			continue;
		for (level = 0; level < levels(m, t->group); level++)
			age_share(m, t, level, time);
	}
	if (time > m->time[cpu])
		m->time[cpu] = time;
}

/* A task starts with what it brings, at all levels */
static struct mtask *add_task(struct model *m, u32 id, int cpu, int group,
			      double util, double runnable)
{
	int i, level;

	/* No trace is left of where it was before, see has_arrived(). */
	for (i = 0; i < MAX_TASKS; i++)
		if (!m->task[i].used && m->task[i].id == id)
			m->task[i].id = OTHERS;
	for (i = 0; i < MAX_TASKS && m->task[i].used; i++)
		;
	if (i == MAX_TASKS)
		errx(1, "too many tasks");
	m->task[i] = (struct mtask) { .used = 1, .id = id, .cpu = cpu, .group = group };
	for (level = 0; level < levels(m, group); level++) {
		struct share *s = &m->task[i].level[level];

		s->util = util;
		s->runnable = runnable;
		s->raw = raw_at(&m->cfs_rq[ancestor(m, group, level)][cpu], m->time[cpu]);
	}
	return &m->task[i];
}

/* Two of the sums of a change of state are wrong by less than 1024 ns each. */
static void count_transition(const struct model *m, struct mtask *t)
{
	int level;

	for (level = 0; level < levels(m, t->group); level++)
		t->level[level].bound += PERIOD_STEP / 1024;
}

static void set_state(const struct model *m, struct mtask *t, int on_rq, int running, int runnable)
{
	if (t->running != running)
		count_transition(m, t);
	if (t->runnable != runnable)
		count_transition(m, t);
	t->on_rq = on_rq;
	t->running = running;
	t->runnable = runnable;
}

/*
 * When a task has come or gone, the kernel copies the averages of its group to the
 * group's entity, and so on up to the root, see propagate_entity_load_avg(). That makes
 * a difference where a level had another time or factor before.
 */
static void propagate(struct model *m, int group, int cpu)
{
	int i, level;

	for (; parent_of(m, group) >= 0; group = parent_of(m, group)) {
		if (m->cfs_rq[group][cpu].throttled)
			return;
		for (i = 0; i < MAX_TASKS; i++) {
			struct mtask *t = &m->task[i];

			level = level_in(m, t, group);
			if (!t->used || t->cpu != cpu || level < 0)
				continue;
			t->level[level + 1].util = t->level[level].util;
			t->level[level + 1].runnable = t->level[level].runnable;
			t->level[level + 1].bound += 1;
		}
	}
}

/* What a task had left behind is gone once its old cfs_rq has been updated. */
static void drop_leaving(struct model *m, int group, int cpu)
{
	int i;

	for (i = 0; i < MAX_TASKS; i++) {
		struct mtask *t = &m->task[i];

		if (t->used && t->leaving && t->group == group && t->cpu == cpu) {
			t->used = 0;
			t->id = OTHERS;
			propagate(m, group, cpu);
		}
	}
}

static void others_event(struct model *m, const struct pelt_record *r, int group)
{
	struct mtask *t = find_task(m, OTHERS, r->cpu);

	if (!t) {
		t = add_task(m, OTHERS, r->cpu, group, 0, 0);
		m->others_unknown[r->cpu] = 1;
	}
	if (r->flags & (PELT_F_OTHERS_CHANGE | PELT_F_REMOVED))
		m->others_unknown[r->cpu] = OTHERS_SETTLED;
	m->cfs_rq[group][r->cpu].runnable = r->runnable;
	set_state(m, t, 0, !!(r->flags & PELT_F_OTHER_RUNNING), t->runnable);
}

static void cfs_rq_event(struct model *m, const struct pelt_record *r)
{
	int group = add_group(m, r->id, r->on);
	struct mcfs_rq *q = &m->cfs_rq[group][r->cpu];

	if (!q->known)
		q->factor = r->factor / 1024.0;
	q->known = 1;
	q->frozen = !!(r->flags & PELT_F_FROZEN);
	q->raw = r->raw;
	q->offset = (double)r->time - r->raw;
	q->throttled = !!(r->flags & PELT_F_THROTTLED);
	if (!(r->flags & PELT_F_REMOVED))
		drop_leaving(m, group, r->cpu);
	if (r->id == ROOT_ID)
		others_event(m, r, group);
}

static void group_event(struct model *m, const struct pelt_record *r, int group)
{
	struct mcfs_rq *q = &m->cfs_rq[group][r->cpu];

	q->boundary = !!(r->flags & PELT_F_BOUNDARY);
	q->was_boundary |= q->boundary;
}

/* A queued task is on its way from when it is taken off a CPU until it is on another. */
static int has_arrived(const struct model *m, const struct pelt_record *r)
{
	int i, gone = 0;

	for (i = 0; i < MAX_TASKS; i++) {
		const struct mtask *t = &m->task[i];

		if (t->id != r->id)
			continue;
		if (t->cpu == r->cpu)
			return 0;
		gone = 1;
	}
	return gone;
}

static void task_event(struct model *m, const struct pelt_record *r)
{
	struct mtask *t = find_task(m, r->id, r->cpu);
	int group = find_group(m, r->on);
	int on_rq;

	if (group < 0)
		return;
	if ((r->flags & PELT_F_LEAVING) && !(t ? t->arriving : has_arrived(m, r))) {
		/* Queued ones are detached at once, blocked ones later. */
		if (t && (r->flags & PELT_F_ON_RQ)) {
			t->used = 0;
			propagate(m, t->group, t->cpu);
		} else if (t) {
			t->leaving = 1;
		}
		return;
	}
	if (t && (!(r->flags & PELT_F_ATTACHED) || t->cpu != r->cpu || t->group != group)) {
		t->used = 0;
		propagate(m, t->group, t->cpu);
		t = NULL;
	}
	if (!(r->flags & PELT_F_ATTACHED))
		return;
	if (!t) {
		t = add_task(m, r->id, r->cpu, group, record_util(r), r->runnable_avg);
		propagate(m, group, r->cpu);
	}
	t->arriving = !!(r->flags & PELT_F_LEAVING);
	/* A task that has been dequeued can still be current for a while. */
	on_rq = !!(r->flags & PELT_F_ON_RQ);
	set_state(m, t, on_rq, on_rq && (r->flags & PELT_F_RUNNING), on_rq ? r->runnable : 0);
}

/**
 * model_event() - Let time pass up to a record, and take over its state
 * @m: the model
 * @r: the record; its averages are not used, but for tasks that come from outside
 */
void model_event(struct model *m, const struct pelt_record *r)
{
	int group = find_group(m, r->id);

	if (r->kind == PELT_CFS_RQ && group >= 0) {
		struct mcfs_rq *q = &m->cfs_rq[group][r->cpu];
		double factor = r->factor / 1024.0;

		if (q->known && q->factor != factor) {
			double at = r->anchor + ((double)r->time - r->raw);

			if (at > m->time[r->cpu])
				age_cpu(m, r->cpu, fmin(at, r->time));
			q->factor = factor;
		}
	}
	age_cpu(m, r->cpu, r->time);

	switch (r->kind) {
	case PELT_CFS_RQ:
		cfs_rq_event(m, r);
		break;
	case PELT_GROUP:
		group_event(m, r, add_group(m, r->id, r->on));
		break;
	case PELT_TASK:
		task_event(m, r);
		break;
	}
}

static void add_share(struct values *v, const struct share *s)
{
	v->util += s->util;
	v->runnable += s->runnable;
	v->bound += s->bound;
}

/**
 * model_learn_others() - Adjust the share of tasks that are not tracked
 * @m: the model, aged up to the record
 * @r: the valid record of the root cfs_rq at a moment
 *
 * Return: whether the share was unknown, so that the record cannot be compared.
 */
int model_learn_others(struct model *m, const struct pelt_record *r)
{
	struct mtask *t = find_task(m, OTHERS, r->cpu);
	struct values v;

	if (!t || !m->others_unknown[r->cpu])
		return 0;
	m->others_unknown[r->cpu]--;
	model_values(m, r, &v);
	t->level[0].util += record_util(r) - v.util;
	t->level[0].runnable += r->runnable_sum / (47742.0 - 1024 + r->period_contrib) - v.runnable;
	t->level[0].bound += 1;
	return 1;
}

/**
 * model_values() - What the averages of a record should be
 * @m: the model, aged up to the record
 * @r: the record
 * @v: the result; bound holds what changes of state add to the kernel's error
 *
 * Return: the number of shares in it, 0 if the model does not know the object.
 */
int model_values(const struct model *m, const struct pelt_record *r, struct values *v)
{
	int group = find_group(m, r->id), shares = 0, i;

	*v = (struct values) { };
	for (i = 0; i < MAX_TASKS; i++) {
		const struct mtask *t = &m->task[i];
		int level = 0;

		if (!t->used || t->cpu != r->cpu)
			continue;
		if (r->kind == PELT_TASK) {
			if (t->id != r->id || t->leaving)
				continue;
		} else {
			level = level_in(m, t, group);
			if (level < 0)
				continue;
			/* A group's entity is in its parent's averages. */
			if (r->kind == PELT_GROUP)
				level++;
		}
		add_share(v, &t->level[level]);
		shares++;
	}
	return shares;
}

/**
 * model_parent() - The parent of a group
 * @m: the model
 * @id: a group's id
 *
 * Return: the parent's id, ROOT_ID for one that is not known.
 */
u32 model_parent(const struct model *m, u32 id)
{
	int group = find_group(m, id);

	return group < 0 ? ROOT_ID : m->group[group].parent_id;
}
