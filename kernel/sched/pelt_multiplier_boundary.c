// SPDX-License-Identifier: GPL-2.0-only
/*
 * Per-cgroup PELT multiplier: scaled clocks and boundaries between factors
 *
 * Model
 *
 * Each cfs_rq has a clock of its own, cfs_rq_clock_pelt(), and all entities on
 * it age on that clock. Multiplying the elapsed time of that clock by the
 * group's factor f makes the half-life of everything on it 32 ms / f.
 *
 * That alone would not change the frequency. schedutil reads the root cfs_rq,
 * and a cfs_rq's averages are not read from the groups below it; they are
 * integrated on its own clock. What the kernel does guarantee is linearity:
 *
 *   P->avg == \Sum se->avg, over all entities se that are attached to P	(1)
 *
 * because P and all of them age on the same clock. Both sides can therefore be
 * corrected by the same amount at any time.
 *
 * The boundary
 *
 * Let G be a group whose factor differs from that of its parent P, and se its
 * entity on P: a boundary entity. Its shadow is a second set of sums. It sees
 * the same on_rq, runnable and running states at the same times as se, but ages
 * at G's factor, over P's raw time. Whenever se has been updated,
 *
 *   d = shadow - se->avg							(2)
 *   se->avg += d, P->avg += d
 *
 * By (1), P is then exactly what it would be had se aged at G's factor all
 * along, and nothing accumulates. For example, with f = 4, P at 1, and a task
 * that has been running in G for 8 ms: P and se have reached 159 of 1024 by
 * themselves; the shadow is at 512, and so are se and P after the correction.
 *
 * The shadow ages over P's raw time and not over G's: G's clock stands still
 * while G is throttled, and copying G's averages would let a group that is
 * limited by cpu.max ask for the frequency of an unlimited one.
 *
 * Upwards
 *
 * P has an entity one level up, which knows nothing of d. So d stays pending on
 * P until that entity is updated, which is what comes next in the usual walk
 * from a task to the root. There it is added like in (2), and so on, be P's
 * group a boundary itself or not. If the walk ends below P's entity, what is pending
 * ages along with P, as the entity itself does meanwhile. Utilization and runnable
 * are sums over what is below; with different factors a sum of utilization can be
 * above 1024 for a while, when one group has ramped up faster than another one has
 * decayed. The load_sum of a group's entity is not such a sum: it is the time in
 * which anything was runnable; see absorb_load().
 *
 * When a task has come or gone, propagate_entity_load_avg() copies the averages
 * of G to se. They contain all corrections of levels below; the shadow starts
 * anew from there.
 *
 * Several CPUs
 *
 * There is a shadow for each CPU, written under that CPU's rq lock, like the
 * averages that it belongs to. A new factor is published in the task group
 * without any rq lock; each cfs_rq adopts it at its next update, and with it those
 * of all groups below on that CPU.
 *
 * Blocked entities
 *
 * Nobody updates an entity that is not queued, and a queued one only when it is
 * picked or ticked; meanwhile P ages its share at P's speed. So each rq lists
 * its boundary entities that are queued or not zero. When the root cfs_rq is updated,
 * those that have not been corrected for half a window, or whose correction has
 * not reached the root, are brought up to date, from themselves up. So what is read
 * after an update of the root lacks at most half a window of the faster of both
 * clocks, which is 1024 * (1 - 2^(-1/64)) = 11.
 */

/* PELT sums up over windows of 1024 * 1024 ns. */
#define PELT_WINDOW_NS	(1024 * 1024)

static struct pelt_boundary *boundary_of(struct cfs_rq *cfs_rq)
{
	struct pelt_boundary __percpu *boundary;

	boundary = READ_ONCE(cfs_rq->tg->pelt_multiplier.boundary);
	if (!boundary)
		return NULL;

	return per_cpu_ptr(boundary, cpu_of(rq_of(cfs_rq)));
}

/**
 * pelt_boundary_alloc() - Allocate the boundary state of a group
 *
 * Zero is the initial state; shadow_update() does the rest.
 *
 * Context: process, may sleep.
 * Return: per-CPU memory for free_percpu(), or NULL.
 */
struct pelt_boundary __percpu *pelt_boundary_alloc(void)
{
	return alloc_percpu(struct pelt_boundary);
}

/* The clocks of a cfs_rq and of the shadow of its entity change in one step. */
static int adopt_factor(struct task_group *tg, void *data)
{
	struct rq *rq = data;
	struct cfs_rq *cfs_rq = tg->cfs_rq[cpu_of(rq)];
	struct pelt_multiplier_cfs_rq *pm = &cfs_rq->pelt_multiplier;
	u32 factor = READ_ONCE(tg->pelt_multiplier.effective);
	struct pelt_boundary *b = boundary_of(cfs_rq);

	if (pm->clock.factor == factor)
		return 0;

	raw_write_seqcount_begin(&pm->seq);
	pelt_multiplier_clock_set(&pm->clock, __cfs_rq_clock_pelt(cfs_rq), factor);
	raw_write_seqcount_end(&pm->seq);

	if (b && b->se)
		pelt_multiplier_clock_set(&b->clock, __cfs_rq_clock_pelt(cfs_rq_of(b->se)),
					  factor);
	return 0;
}

/**
 * __pelt_multiplier_adopt() - Make published factors take effect on one CPU
 * @cfs_rq: a cfs_rq whose group's effective factor has changed
 *
 * All groups below change in the same step, as tg_throttle_down() does it: else the
 * share of a sleeping group would age at its parent's new factor and the group
 * itself at the old one. Happens once per change and CPU.
 *
 * Context: rq locked, rq clock updated.
 */
void __pelt_multiplier_adopt(struct cfs_rq *cfs_rq)
{
	struct rq *rq = rq_of(cfs_rq);

	lockdep_assert_rq_held(rq);

	rcu_read_lock();
	walk_tg_tree_from(cfs_rq->tg, adopt_factor, tg_nop, rq);
	rcu_read_unlock();
}

static u64 clock_read_lockless(struct cfs_rq *cfs_rq, u64 raw)
{
	struct pelt_multiplier_cfs_rq *pm = &cfs_rq->pelt_multiplier;
	unsigned int seq;
	u64 now;

	do {
		seq = read_seqcount_begin(&pm->seq);
		now = pelt_multiplier_clock_read(&pm->clock, raw);
	} while (read_seqcount_retry(&pm->seq, seq));

	return now;
}

/**
 * __pelt_multiplier_idle_clock() - Estimate the clock of a cfs_rq on an idle CPU
 * @cfs_rq: the cfs_rq
 * @throttled: cfs_rq->throttled_pelt_idle, in ns
 * @lut: the cfs_rq's last update time, in scaled ns
 *
 * The estimate of migrate_se_pelt_lag(), from which the formula is taken, with
 * its raw times scaled:
 *
 *   now = scaled(rq_clock_pelt()@rq_idle - throttled +
 *		  sched_clock_cpu() - rq_clock()@rq_idle)
 *
 * Context: rq not locked.
 * Return: the estimated time in scaled ns, at least @lut.
 */
u64 __pelt_multiplier_idle_clock(struct cfs_rq *cfs_rq, u64 throttled, u64 lut)
{
	struct rq *rq = rq_of(cfs_rq);
	u64 raw, idle;

	raw = u64_u32_load(rq->clock_pelt_idle) - throttled;
	/* Pairs with the smp_wmb() in _update_idle_rq_clock_pelt(). */
	smp_rmb();
	idle = u64_u32_load(rq->clock_idle);

	/* The cfs_rq has been updated since: its own time is the better one. */
	if (clock_read_lockless(cfs_rq, raw) < lut)
		return lut;

	raw += sched_clock_cpu(cpu_of(rq)) - idle;
	return clock_read_lockless(cfs_rq, raw);
}

static struct pelt_multiplier_sums sums_of(const struct sched_avg *sa)
{
	return (struct pelt_multiplier_sums) {
		.util		= sa->util_sum,
		.runnable	= sa->runnable_sum,
		.load		= sa->load_sum,
	};
}

static void sums_set(struct sched_avg *sa, const struct pelt_multiplier_sums *sums)
{
	sa->util_sum = sums->util;
	sa->runnable_sum = sums->runnable;
	sa->load_sum = sums->load;
}

static bool sums_are_zero(const struct pelt_multiplier_sums *sums)
{
	return !(sums->util | sums->runnable | sums->load);
}

/*
 * A sum is its average times a divider that depends on the position in the
 * current 1024 us window, see get_pelt_divider(); clocks of different speed are
 * never at the same position. Sums are below 2^26 times the number of runnable
 * tasks, dividers below 2^16.
 */
static s64 rescale_sum(s64 sum, u32 to, u32 from)
{
	return to == from ? sum : div_s64(sum * to, from);
}

/* P's and se's windows are aligned, so that P's divider serves for both. */
static struct pelt_multiplier_sums
rescale_sums(const struct pelt_multiplier_sums *sums, u32 to, u32 from)
{
	return (struct pelt_multiplier_sums) {
		.util		= rescale_sum(sums->util, to, from),
		.runnable	= rescale_sum(sums->runnable, to, from),
		.load		= rescale_sum(sums->load, to, from),
	};
}

/*
 * An entity's load_sum is the time in which anything below it was runnable. A
 * correction below changes that one to one if nothing else was runnable then,
 * and not at all if something else always was. As in update_tg_cfs_load(),
 * assume minimal overlap when it grows, up to the maximum; when it shrinks, do
 * not go below the mean of what is still queued, which is
 *
 *   gcfs_rq->avg.load_sum / gcfs_rq->load.weight
 *
 * Runnable time is never less than running time.
 */
static s64 absorb_load(const struct pelt_multiplier_sums *sums, s64 delta,
		       struct cfs_rq *gcfs_rq, u32 divider)
{
	unsigned long weight = scale_load_down(gcfs_rq->load.weight);
	s64 floor = sums->util >> SCHED_CAPACITY_SHIFT;

	if (delta < 0 && weight) {
		s64 mean = div64_ul(gcfs_rq->avg.load_sum, weight);

		mean = rescale_sum(mean, divider, get_pelt_divider(&gcfs_rq->avg));
		floor = max(floor, min(sums->load, mean));
	}

	return clamp_t(s64, sums->load + delta, min_t(s64, floor, divider), divider);
}

static s64 decay_sum(s64 sum, u64 periods)
{
	return sum < 0 ? -(s64)decay_load(-sum, periods) : decay_load(sum, periods);
}

/* Age what is pending on @cfs_rq up to its last update, to the nearest window. */
static struct pelt_multiplier_sums *pending_of(struct cfs_rq *cfs_rq)
{
	struct pelt_multiplier_cfs_rq *pm = &cfs_rq->pelt_multiplier;
	u64 passed = cfs_rq->avg.last_update_time - pm->pending_time;
	u64 periods = (passed + PELT_WINDOW_NS / 2) / PELT_WINDOW_NS;

	if (!sums_are_zero(&pm->pending) && periods) {
		pm->pending.util = decay_sum(pm->pending.util, periods);
		pm->pending.runnable = decay_sum(pm->pending.runnable, periods);
		pm->pending.load = decay_sum(pm->pending.load, periods);
	}
	pm->pending_time = cfs_rq->avg.last_update_time;

	return &pm->pending;
}

/* Take over the corrections pending on @gcfs_rq into @sums of its entity. */
static void absorb_pending(struct pelt_multiplier_sums *sums, u32 divider,
			   struct cfs_rq *gcfs_rq)
{
	struct pelt_multiplier_sums *pending = pending_of(gcfs_rq);
	struct pelt_multiplier_sums delta;

	delta = rescale_sums(pending, divider, get_pelt_divider(&gcfs_rq->avg));
	*pending = (struct pelt_multiplier_sums) { };

	sums->util = max_t(s64, sums->util + delta.util, 0);
	sums->runnable = max_t(s64, sums->runnable + delta.runnable, 0);
	if (delta.load)
		sums->load = absorb_load(sums, delta.load, gcfs_rq, divider);
}

/*
 * (2): give @se the sums @to, and its cfs_rq the difference. Averages follow
 * from sums as in ___update_load_avg(), so that none outlives its sum.
 */
static int apply_sums(struct cfs_rq *cfs_rq, struct sched_entity *se,
		      const struct pelt_multiplier_sums *to)
{
	struct pelt_multiplier_sums delta = sums_of(&se->avg);
	struct sched_avg *sa = &cfs_rq->avg;

	delta.util = to->util - delta.util;
	delta.runnable = to->runnable - delta.runnable;
	delta.load = to->load - delta.load;
	if (sums_are_zero(&delta))
		return 0;

	sums_set(&se->avg, to);
	___update_load_avg(&se->avg, se_weight(se));

	sa->util_sum = max_t(s64, sa->util_sum + delta.util, 0);
	sa->runnable_sum = max_t(s64, sa->runnable_sum + delta.runnable, 0);
	sa->load_sum = max_t(s64, sa->load_sum + (s64)se_weight(se) * delta.load, 0);
	___update_load_avg(sa, 1);

	if (cfs_rq != &rq_of(cfs_rq)->cfs) {
		struct pelt_multiplier_sums *pending = pending_of(cfs_rq);

		pending->util += delta.util;
		pending->runnable += delta.runnable;
		pending->load += delta.load;
	}

	trace_pelt_cfs_tp(cfs_rq);
	trace_pelt_se_tp(se);
	return 1;
}

/* Nothing to correct now or soon */
static bool boundary_is_zero(const struct pelt_boundary *b)
{
	const struct sched_avg *sa = &b->se->avg;

	return !(b->se->on_rq | sa->util_avg | sa->runnable_avg | sa->load_avg);
}

static void boundary_list(struct pelt_boundary *b, struct rq *rq)
{
	if (b->listed)
		return;

	list_add(&b->node, &rq->pelt_multiplier.boundaries);
	b->listed = true;
}

static void boundary_unlist(struct pelt_boundary *b)
{
	if (!b->listed)
		return;

	list_del(&b->node);
	b->listed = false;
}

/* Age the shadow up to now, on the flags of __update_load_avg_se(). */
static void shadow_age(struct pelt_boundary *b, struct cfs_rq *cfs_rq, u64 raw)
{
	u64 now = pelt_multiplier_clock_read(&b->clock, raw);
	struct sched_entity *se = b->se;

	___update_load_sum(now, &b->avg, !!se->on_rq, se_runnable(se),
			   cfs_rq->curr == se);
}

/*
 * Half a window has passed on either clock. At HZ=1000 each tick corrects what is
 * running.
 */
static bool boundary_due(const struct pelt_boundary *b, struct cfs_rq *cfs_rq, u64 raw)
{
	u64 parent = pelt_multiplier_clock_read(&cfs_rq->pelt_multiplier.clock, raw);
	u64 now = pelt_multiplier_clock_read(&b->clock, raw);

	return now - b->applied >= PELT_WINDOW_NS / 2 ||
	       parent - b->applied_parent >= PELT_WINDOW_NS / 2;
}

/* From now on the entity ages at another speed than its cfs_rq. */
static void shadow_start(struct pelt_boundary *b, u64 raw)
{
	b->avg = b->se->avg;
	b->avg.last_update_time = pelt_multiplier_clock_read(&b->clock, raw);
	b->active = true;
	trace_pelt_se_tp(b->se);
}

/*
 * Keep the shadow in step with the entity, which has just been updated.
 *
 * Return: true if it is to be applied: it is valid, and due or @force.
 */
static bool shadow_update(struct pelt_boundary *b, struct cfs_rq *cfs_rq,
			  struct sched_entity *se, bool force)
{
	u32 factor = group_cfs_rq(se)->pelt_multiplier.clock.factor;
	u64 raw = __cfs_rq_clock_pelt(cfs_rq);

	b->se = se;
	/* The state was allocated after this factor had been adopted. */
	if (unlikely(b->clock.factor != factor))
		pelt_multiplier_clock_set(&b->clock, raw, factor);

	if (b->active) {
		shadow_age(b, cfs_rq, raw);
		/* No boundary any more: apply what there is for the last time. */
		if (factor == cfs_rq->pelt_multiplier.clock.factor) {
			b->active = false;
			force = true;
		}
	} else if (factor != cfs_rq->pelt_multiplier.clock.factor) {
		shadow_start(b, raw);
	} else {
		return false;
	}

	boundary_list(b, rq_of(cfs_rq));
	if (!force && !boundary_due(b, cfs_rq, raw))
		return false;

	b->applied = pelt_multiplier_clock_read(&b->clock, raw);
	b->applied_parent = pelt_multiplier_clock_read(&cfs_rq->pelt_multiplier.clock, raw);
	return true;
}

/**
 * __pelt_multiplier_update_se() - Correct a group's entity and its cfs_rq
 * @cfs_rq: the cfs_rq that @se is on
 * @se: a group's entity; both have just been updated
 *
 * Applies the shadow if the group is a boundary, and what is pending on the
 * group's cfs_rq from boundaries further below.
 *
 * Context: rq locked, rq clock updated.
 * Return: 1 if the averages of @cfs_rq have changed, else 0.
 */
int __pelt_multiplier_update_se(struct cfs_rq *cfs_rq, struct sched_entity *se)
{
	struct cfs_rq *gcfs_rq = group_cfs_rq(se);
	struct pelt_boundary *b = boundary_of(gcfs_rq);
	struct pelt_multiplier_sums sums;
	bool pending, shadow = false;
	struct sched_avg *sa;
	u32 divider;

	if (!se->avg.last_update_time)
		return 0;

	pending = !sums_are_zero(&gcfs_rq->pelt_multiplier.pending);
	if (b && !b->offline) {
		/* Adopt the group's factor before it is compared. */
		cfs_rq_clock_pelt(gcfs_rq);
		shadow = shadow_update(b, cfs_rq, se, pending || gcfs_rq->propagate);
	}
	if (!shadow && !pending)
		return 0;

	sa = shadow ? &b->avg : &se->avg;
	sums = sums_of(sa);
	divider = get_pelt_divider(sa);
	if (pending)
		absorb_pending(&sums, divider, gcfs_rq);
	if (shadow) {
		sums_set(sa, &sums);
		sums = rescale_sums(&sums, get_pelt_divider(&cfs_rq->avg), divider);
	}

	return apply_sums(cfs_rq, se, &sums);
}

/**
 * __pelt_multiplier_propagated() - Let the shadow follow a propagation
 * @se: a group's entity that propagate_entity_load_avg() has just changed
 *
 * Context: rq locked.
 */
void __pelt_multiplier_propagated(struct sched_entity *se)
{
	struct pelt_boundary *b = boundary_of(group_cfs_rq(se));
	struct pelt_multiplier_sums sums = sums_of(&se->avg);

	if (!b || !b->active || b->offline)
		return;

	sums = rescale_sums(&sums, get_pelt_divider(&b->avg), get_pelt_divider(&se->avg));
	sums_set(&b->avg, &sums);
}

/*
 * True if @b has something to correct, be it due or left on the way up: a switch
 * between two groups updates entities only up to the first common cfs_rq.
 */
static bool boundary_needs_update(const struct pelt_boundary *b)
{
	struct sched_entity *se = b->se;
	struct cfs_rq *cfs_rq = cfs_rq_of(se);

	if (!b->active || boundary_due(b, cfs_rq, __cfs_rq_clock_pelt(cfs_rq)))
		return true;

	for (; se; se = se->parent) {
		if (!sums_are_zero(&cfs_rq_of(se)->pelt_multiplier.pending))
			return true;
	}

	return false;
}

/* update_load_avg() without propagation, which has its own time. */
static int update_entity(struct sched_entity *se)
{
	struct cfs_rq *cfs_rq = cfs_rq_of(se);
	u64 now = cfs_rq_clock_pelt(cfs_rq);

	__update_load_avg_se(now, cfs_rq, se);
	__update_load_avg_cfs_rq(now, cfs_rq);
	u64_u32_store_copy(cfs_rq->avg.last_update_time,
			   cfs_rq->last_update_time_copy,
			   cfs_rq->avg.last_update_time);

	return __pelt_multiplier_update_se(cfs_rq, se);
}

/**
 * __pelt_multiplier_update_boundaries() - Bring boundary entities up to date
 * @rq: the rq; its root cfs_rq has just been updated
 *
 * Only those that are not zero and have something to correct. States change
 * right after an update, at the same time of the rq clock, so one more update of
 * any entity at any time adds up what is true.
 *
 * Context: rq locked, rq clock updated.
 * Return: 1 if any average has changed, else 0.
 */
int __pelt_multiplier_update_boundaries(struct rq *rq)
{
	struct pelt_multiplier_rq *pm = &rq->pelt_multiplier;
	u64 now = rq_clock_pelt(rq);
	struct pelt_boundary *b, *tmp;
	struct sched_entity *se;
	int changed = 0;

	/* Nothing is due sooner than that, not even at 16.00. */
	if (now - pm->last_update < PELT_WINDOW_NS / 2 * PELT_MULTIPLIER_ONE / PELT_MULTIPLIER_MAX)
		return 0;
	pm->last_update = now;

	/* Nothing but this loop unlists, so that @tmp stays valid. */
	list_for_each_entry_safe(b, tmp, &pm->boundaries, node) {
		if (!boundary_needs_update(b))
			continue;

		for (se = b->se; se; se = se->parent)
			changed |= update_entity(se);

		if (!b->active || boundary_is_zero(b))
			boundary_unlist(b);
	}

	return changed;
}

/**
 * pelt_multiplier_init_cfs_rq() - Initialise the clock of a new cfs_rq
 * @cfs_rq: a cfs_rq that nobody else knows yet, with its group and rq set
 */
void pelt_multiplier_init_cfs_rq(struct cfs_rq *cfs_rq)
{
	struct rq *rq = rq_of(cfs_rq);

	if (cfs_rq == &rq->cfs) {
		INIT_LIST_HEAD(&rq->pelt_multiplier.boundaries);
		pelt_multiplier_init_tg(cfs_rq->tg, NULL);
	}

	seqcount_init(&cfs_rq->pelt_multiplier.seq);
	cfs_rq->pelt_multiplier.clock.factor = cfs_rq->tg->pelt_multiplier.effective;
}

/**
 * pelt_multiplier_unregister_cfs_rq() - Detach the boundary state of a group
 * @cfs_rq: a cfs_rq of a group that is going away
 *
 * To be called before the averages of its entity are removed from the parent:
 * what is removed must not be corrected any more.
 *
 * Context: rq not locked.
 */
void pelt_multiplier_unregister_cfs_rq(struct cfs_rq *cfs_rq)
{
	struct pelt_boundary *b = boundary_of(cfs_rq);
	struct rq_flags rf;

	if (!b)
		return;

	rq_lock_irqsave(rq_of(cfs_rq), &rf);
	boundary_unlist(b);
	b->offline = true;
	rq_unlock_irqrestore(rq_of(cfs_rq), &rf);
}
