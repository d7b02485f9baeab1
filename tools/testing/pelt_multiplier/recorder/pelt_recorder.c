// SPDX-License-Identifier: GPL-2.0-only
/*
 * Record every load-tracking update, and every change of state that load
 * tracking depends on, of the tasks named by "track" and of all groups that exist then. They
 * must not go away before "forget". Works on the unpatched kernel too.
 *
 * Values come from the bare tracepoints pelt_se_tp and pelt_cfs_tp. States are
 * compared with the last recorded ones at these and at sched_switch,
 * sched_wakeup and sched_update_nr_running_tp, all of which are called with the
 * run queue locked and within the section in which the state has changed: the
 * run queue's clock, which is what load tracking goes by, is that of the change.
 *
 * /sys/kernel/debug/pelt_recorder/control takes "track PID", "start", "stop",
 * "clear" and "forget". data is an array of struct pelt_record. Nothing is
 * lost silently: reading data fails with -EOVERFLOW if the buffer was too small.
 */
#include <linux/debugfs.h>
#include <linux/kstrtox.h>
#include <linux/mmu_context.h>
#include <linux/module.h>
#include <linux/tracepoint.h>
#include <linux/vmalloc.h>

#include "sched.h"
#include "pelt.h"
#include "pelt_record.h"

#define MAX_TASKS	32
#define MAX_GROUPS	32
#define MAX_CPUS	8

static unsigned int records = 1 << 20;
module_param(records, uint, 0444);
MODULE_PARM_DESC(records, "size of the buffer in records");

/* What has to be equal for a state to be the same as last time. */
struct state {
	u64	anchor;
	u32	weight;
	u32	runnable;
	u32	factor;
	u32	on;
	u32	cpu;
	u32	flags;
};

static struct pelt_record *buffer;
static atomic_t used;
static bool overflow;
static bool recording;

static struct task_struct *tasks[MAX_TASKS];
static struct state task_state[MAX_TASKS];
static int nr_tasks;

static struct task_group *groups[MAX_GROUPS];
static struct state group_state[MAX_GROUPS][MAX_CPUS];
static struct state cfs_rq_state[MAX_GROUPS][MAX_CPUS];
static int nr_groups;

static void emit(const struct pelt_record *r)
{
	int i = atomic_fetch_inc(&used);

	if (i < 0 || i >= records) {
		atomic_dec(&used);
		WRITE_ONCE(overflow, true);
		return;
	}
	buffer[i] = *r;
}

static u32 group_id(struct task_group *tg)
{
	return tg->css.cgroup ? cgroup_id(tg->css.cgroup) : 0;
}

static u64 rq_time(struct rq *rq)
{
	return rq->clock_pelt - rq->lost_idle_time;
}

static void fill_avg(struct pelt_record *r, const struct sched_avg *sa)
{
	r->load_sum = sa->load_sum;
	r->runnable_sum = sa->runnable_sum;
	r->util_sum = sa->util_sum;
	r->period_contrib = sa->period_contrib;
	r->util_avg = sa->util_avg;
	r->runnable_avg = sa->runnable_avg;
	r->load_avg = sa->load_avg;
}

/* The clock that everything on @cfs_rq goes by */
static void fill_clock(struct pelt_record *r, struct cfs_rq *cfs_rq)
{
	struct rq *rq = rq_of(cfs_rq);

	r->cpu = cpu_of(rq);
	r->time = rq_time(rq);
	r->raw = r->time;
#ifdef CONFIG_CFS_BANDWIDTH
	if (cfs_rq->throttle_count)
		r->raw = cfs_rq->throttled_clock_pelt;
	r->raw -= cfs_rq->throttled_clock_pelt_time;
#endif
	r->factor = 1024;
#ifdef CONFIG_PELT_MULTIPLIER
	r->factor = cfs_rq->pelt_multiplier.clock.factor;
	r->anchor = cfs_rq->pelt_multiplier.clock.anchor;
#endif
}

static bool is_boundary(struct cfs_rq *cfs_rq)
{
#ifdef CONFIG_PELT_MULTIPLIER
	struct pelt_boundary __percpu *b = READ_ONCE(cfs_rq->tg->pelt_multiplier.boundary);

	return b && per_cpu_ptr(b, cpu_of(rq_of(cfs_rq)))->active;
#else
	return false;
#endif
}

static void fill_se(struct pelt_record *r, struct sched_entity *se)
{
	struct cfs_rq *cfs_rq = se->cfs_rq;
	bool attached = se->avg.last_update_time;
	bool running = cfs_rq->curr == se;

	*r = (struct pelt_record) { };
	fill_clock(r, cfs_rq);
	fill_avg(r, &se->avg);
	r->weight = scale_load_down(se->load.weight);
	r->runnable = se_runnable(se);
	r->on = group_id(cfs_rq->tg);
	if (entity_is_task(se)) {
		struct task_struct *p = container_of(se, struct task_struct, se);

		r->kind = PELT_TASK;
		r->id = p->pid;
		/* Not so while its nice value or group changes, which takes no time. */
		running = rq_of(cfs_rq)->curr == p;
		if (!fair_policy(p->policy))
			attached = false;
		if (task_on_rq_migrating(p))
			r->flags |= PELT_F_LEAVING;
	} else {
		r->kind = PELT_GROUP;
		r->id = group_id(se->my_q->tg);
		if (is_boundary(se->my_q))
			r->flags |= PELT_F_BOUNDARY;
	}
	if (se->on_rq)
		r->flags |= PELT_F_ON_RQ;
	if (running)
		r->flags |= PELT_F_RUNNING;
	if (attached)
		r->flags |= PELT_F_ATTACHED;
}

static bool tracked_group(struct task_group *tg)
{
	int i;

	for (i = 0; i < nr_groups; i++)
		if (groups[i] == tg)
			return true;
	return false;
}

static bool tracked_se(struct sched_entity *se)
{
	int i;

	if (!entity_is_task(se))
		return tracked_group(se->my_q->tg);
	for (i = 0; i < nr_tasks; i++)
		if (&tasks[i]->se == se)
			return true;
	return false;
}

static void fill_cfs_rq(struct pelt_record *r, struct cfs_rq *cfs_rq)
{
	struct task_group *tg = cfs_rq->tg;

	*r = (struct pelt_record) { };
	fill_clock(r, cfs_rq);
	fill_avg(r, &cfs_rq->avg);
	r->kind = PELT_CFS_RQ;
	r->id = group_id(tg);
	r->on = tg->parent ? group_id(tg->parent) : 0;
	r->weight = scale_load_down(cfs_rq->load.weight);
	r->runnable = cfs_rq->h_nr_queued - cfs_rq->h_nr_delayed;
	if (!tg->parent && cfs_rq->curr && cfs_rq->curr->on_rq &&
	    entity_is_task(cfs_rq->curr) && !tracked_se(cfs_rq->curr))
		r->flags |= PELT_F_OTHER_RUNNING;
	if (cfs_rq->removed.nr)
		r->flags |= PELT_F_REMOVED;
#ifdef CONFIG_CFS_BANDWIDTH
	if (cfs_rq->throttle_count)
		r->flags |= PELT_F_FROZEN;
	if (cfs_rq->throttled)
		r->flags |= PELT_F_THROTTLED;
#endif
}

static void emit_if_changed(const struct pelt_record *r, struct state *last)
{
	struct state now = {
		.anchor		= r->anchor,
		.weight		= r->kind == PELT_CFS_RQ ? 0 : r->weight,
		.runnable	= r->runnable,
		.factor		= r->factor,
		.on		= r->on,
		.cpu		= r->cpu + 1,
		.flags		= r->flags,
	};

	if (!memcmp(&now, last, sizeof(now)))
		return;
	*last = now;
	emit(r);
}

static void record_group(int i, int cpu)
{
	struct task_group *tg = groups[i];
	struct pelt_record r;

	fill_cfs_rq(&r, tg->cfs_rq[cpu]);
	emit_if_changed(&r, &cfs_rq_state[i][cpu]);
	if (tg->se[cpu]) {
		fill_se(&r, tg->se[cpu]);
		emit_if_changed(&r, &group_state[i][cpu]);
	}
}

static void record_states(struct rq *rq)
{
	int i, cpu = cpu_of(rq);
	struct pelt_record r;

	if (!READ_ONCE(recording) || cpu >= MAX_CPUS)
		return;

	for (i = 0; i < nr_groups; i++)
		record_group(i, cpu);
	for (i = 0; i < nr_tasks; i++) {
		if (task_cpu(tasks[i]) != cpu || rq_of(tasks[i]->se.cfs_rq) != rq)
			continue;
		fill_se(&r, &tasks[i]->se);
		emit_if_changed(&r, &task_state[i]);
	}
}

static void probe_pelt_se(void *data, struct sched_entity *se)
{
	struct pelt_record r;

	if (!READ_ONCE(recording) || !tracked_se(se))
		return;
	/* A task that is not queued can be updated without the rq lock. */
	if (entity_is_task(se) && !se->on_rq)
		return;
	record_states(rq_of(se->cfs_rq));
	fill_se(&r, se);
	r.flags |= PELT_F_UPDATE;
	emit(&r);
}

static void probe_pelt_cfs(void *data, struct cfs_rq *cfs_rq)
{
	struct pelt_record r;

	if (!READ_ONCE(recording) || !tracked_group(cfs_rq->tg))
		return;
	record_states(rq_of(cfs_rq));
	fill_cfs_rq(&r, cfs_rq);
	r.flags |= PELT_F_UPDATE;
	emit(&r);
}

static struct rq *rq_of_task(struct task_struct *p)
{
	return rq_of(p->se.cfs_rq);
}

static void probe_switch(void *data, bool preempt, struct task_struct *prev,
			 struct task_struct *next, unsigned int prev_state)
{
	record_states(rq_of_task(next));
}

static void probe_wakeup(void *data, struct task_struct *p)
{
	record_states(rq_of_task(p));
}

static void emit_others_change(int cpu)
{
	struct pelt_record r;
	int i;

	for (i = 0; i < nr_groups; i++) {
		if (groups[i]->parent)
			continue;
		fill_cfs_rq(&r, groups[i]->cfs_rq[cpu]);
		r.flags |= PELT_F_OTHERS_CHANGE;
		emit(&r);
	}
}

static void probe_fork_or_exit(void *data, struct task_struct *p)
{
	if (READ_ONCE(recording) && !tracked_se(&p->se))
		emit_others_change(task_cpu(p));
}

/* A blocked task changes its CPU: what it leaves is removed at the next update. */
static void probe_migrate(void *data, struct task_struct *p, int cpu)
{
	struct pelt_record r;

	if (!READ_ONCE(recording))
		return;
	if (!tracked_se(&p->se)) {
		emit_others_change(task_cpu(p));
		emit_others_change(cpu);
		return;
	}
	if (task_on_rq_migrating(p))
		return;
	fill_se(&r, &p->se);
	r.flags |= PELT_F_LEAVING;
	emit(&r);
}

static void probe_nr_running(void *data, struct rq *rq, int change)
{
	record_states(rq);
}

static struct probe {
	const char		*name;
	void			*function;
	struct tracepoint	*tp;
} probes[] = {
	{ "pelt_se_tp",			probe_pelt_se },
	{ "pelt_cfs_tp",		probe_pelt_cfs },
	{ "sched_switch",		probe_switch },
	{ "sched_wakeup",		probe_wakeup },
	{ "sched_migrate_task",		probe_migrate },
	{ "sched_wakeup_new",		probe_fork_or_exit },
	{ "sched_process_exit",		probe_fork_or_exit },
	{ "sched_update_nr_running_tp",	probe_nr_running },
};

static void find_probe(struct tracepoint *tp, void *unused)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(probes); i++)
		if (!strcmp(tp->name, probes[i].name))
			probes[i].tp = tp;
}

static void track_group(struct task_group *tg)
{
	struct task_group *child;

	/* Not those of autogroups, nor those that are going away. */
	if (nr_groups < MAX_GROUPS && !tracked_group(tg) && tg->css.cgroup &&
	    css_tryget_online(&tg->css))
		groups[nr_groups++] = tg;
	list_for_each_entry_rcu(child, &tg->children, siblings)
		track_group(child);
}

static int track(pid_t nr)
{
	struct pid *pid = find_get_pid(nr);
	struct task_struct *p = get_pid_task(pid, PIDTYPE_PID);
	struct task_group *root;

	put_pid(pid);
	if (!p)
		return -ESRCH;
	if (nr_tasks == MAX_TASKS) {
		put_task_struct(p);
		return -ENOSPC;
	}
	tasks[nr_tasks++] = p;

	for (root = p->sched_task_group; root->parent; root = root->parent)
		;
	rcu_read_lock();
	track_group(root);
	rcu_read_unlock();
	return nr_groups == MAX_GROUPS ? -ENOSPC : 0;
}

static void forget(void)
{
	recording = false;
	tracepoint_synchronize_unregister();
	while (nr_tasks)
		put_task_struct(tasks[--nr_tasks]);
	while (nr_groups)
		css_put(&groups[--nr_groups]->css);
}

static void clear(void)
{
	memset(task_state, 0, sizeof(task_state));
	memset(group_state, 0, sizeof(group_state));
	memset(cfs_rq_state, 0, sizeof(cfs_rq_state));
	atomic_set(&used, 0);
	overflow = false;
}

static ssize_t control_write(struct file *file, const char __user *from,
			     size_t count, loff_t *pos)
{
	char text[32] = "";
	pid_t pid;
	int ret = 0;

	if (count >= sizeof(text) || copy_from_user(text, from, count))
		return -EINVAL;
	strim(text);

	if (sscanf(text, "track %d", &pid) == 1)
		ret = recording ? -EBUSY : track(pid);
	else if (!strcmp(text, "start"))
		WRITE_ONCE(recording, true);
	else if (!strcmp(text, "stop"))
		WRITE_ONCE(recording, false);
	else if (!strcmp(text, "clear"))
		clear();
	else if (!strcmp(text, "forget"))
		forget();
	else
		ret = -EINVAL;

	return ret ?: count;
}

static const struct file_operations control_fops = {
	.owner	= THIS_MODULE,
	.write	= control_write,
};

static ssize_t data_read(struct file *file, char __user *to, size_t count, loff_t *pos)
{
	if (READ_ONCE(overflow))
		return -EOVERFLOW;
	return simple_read_from_buffer(to, count, pos, buffer,
				       (size_t)atomic_read(&used) * sizeof(*buffer));
}

static const struct file_operations data_fops = {
	.owner	= THIS_MODULE,
	.read	= data_read,
	.llseek	= default_llseek,
};

static struct dentry *folder;

static void unregister_probes(void)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(probes); i++)
		if (probes[i].tp)
			tracepoint_probe_unregister(probes[i].tp, probes[i].function, NULL);
	tracepoint_synchronize_unregister();
}

static int __init pelt_recorder_init(void)
{
	int i, ret;

	buffer = vmalloc_array(records, sizeof(*buffer));
	if (!buffer)
		return -ENOMEM;

	for_each_kernel_tracepoint(find_probe, NULL);
	for (i = 0; i < ARRAY_SIZE(probes); i++) {
		ret = probes[i].tp ? tracepoint_probe_register(probes[i].tp,
							       probes[i].function, NULL) :
				     -ENOENT;
		if (ret) {
			probes[i].tp = NULL;
			unregister_probes();
			vfree(buffer);
			return ret;
		}
	}

	folder = debugfs_create_dir("pelt_recorder", NULL);
	debugfs_create_file("control", 0200, folder, NULL, &control_fops);
	debugfs_create_file("data", 0400, folder, NULL, &data_fops);
	return 0;
}
module_init(pelt_recorder_init);

static void __exit pelt_recorder_exit(void)
{
	debugfs_remove_recursive(folder);
	forget();
	unregister_probes();
	vfree(buffer);
}
module_exit(pelt_recorder_exit);

MODULE_DESCRIPTION("Recorder of load-tracking updates, for tests");
MODULE_LICENSE("GPL");
