/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Per-cgroup PELT multiplier: what fair.c, core.c and pelt.c call.
 *
 * The hot ones are inlines that leave at once while the static key is off.
 */
#ifndef _KERNEL_SCHED_PELT_MULTIPLIER_H
#define _KERNEL_SCHED_PELT_MULTIPLIER_H

#ifdef CONFIG_PELT_MULTIPLIER

#define PELT_MULTIPLIER_SHIFT	10
/* Factors are fixed point: 1024 = 1.00. */
#define PELT_MULTIPLIER_ONE	1024U
#define PELT_MULTIPLIER_MIN	(PELT_MULTIPLIER_ONE / 4)
#define PELT_MULTIPLIER_MAX	(PELT_MULTIPLIER_ONE * 16)
/* A request only; an effective factor is never 0. */
#define PELT_MULTIPLIER_INHERIT	0U

/**
 * struct pelt_boundary - a boundary entity on one CPU; see pelt_multiplier_boundary.c
 * @avg: the shadow; only its sums and its position in time are used
 * @clock: the group's factor over the raw time of the parent's cfs_rq
 * @se: the boundary entity, NULL before its first update
 * @node: on rq->pelt_multiplier.boundaries
 * @applied: scaled time of @clock when a correction was applied last, in ns
 * @applied_parent: the same on the clock of the parent's cfs_rq
 * @active: the factors differ and @avg is valid
 * @listed: @node is linked
 * @offline: the group is going away, its averages have been removed
 *
 * Protected by the rq lock.
 */
struct pelt_boundary {
	struct sched_avg		avg;
	struct pelt_multiplier_clock	clock;
	struct sched_entity		*se;
	struct list_head		node;
	u64				applied;
	u64				applied_parent;
	bool				active;
	bool				listed;
	bool				offline;
};

/*
 * Switched on by the first write of a factor and never off again: a clock that
 * has been scaled must not jump back to raw time.
 */
DECLARE_STATIC_KEY_FALSE(sched_pelt_multiplier_used);

void __pelt_multiplier_adopt(struct cfs_rq *cfs_rq);
u64 __pelt_multiplier_idle_clock(struct cfs_rq *cfs_rq, u64 throttled, u64 lut);
int __pelt_multiplier_update_se(struct cfs_rq *cfs_rq, struct sched_entity *se);
void __pelt_multiplier_propagated(struct sched_entity *se);
int __pelt_multiplier_update_boundaries(struct rq *rq);
struct pelt_boundary __percpu *pelt_boundary_alloc(void);

void pelt_multiplier_init_tg(struct task_group *tg, struct task_group *parent);
void pelt_multiplier_online_tg(struct task_group *tg);
void pelt_multiplier_free_tg(struct task_group *tg);
void pelt_multiplier_init_cfs_rq(struct cfs_rq *cfs_rq);
void pelt_multiplier_unregister_cfs_rq(struct cfs_rq *cfs_rq);

static inline bool pelt_multiplier_used(void)
{
	return static_branch_unlikely(&sched_pelt_multiplier_used);
}

/**
 * pelt_multiplier_clock_read() - Scale a raw time
 * @clock: the clock
 * @raw: raw time, in ns
 *
 *   scaled = base + (raw - anchor) * factor / 1024
 *
 * Rounding does not add up, as it starts from @anchor each time. Raw time can
 * step back a little while clocks are swapped at boot; the scaled clock then
 * stands still. The product is formed in 96 bits.
 *
 * Return: the scaled time in ns, which never goes back while @raw does not.
 */
static inline u64
pelt_multiplier_clock_read(const struct pelt_multiplier_clock *clock, u64 raw)
{
	s64 delta = raw - clock->anchor;

	if (unlikely(delta < 0))
		return clock->base;

	return clock->base + mul_u64_u32_shr(delta, clock->factor, PELT_MULTIPLIER_SHIFT);
}

/**
 * pelt_multiplier_clock_set() - Change the factor of a clock
 * @clock: the clock
 * @raw: the raw time of the change, in ns
 * @factor: the new factor, 1024 = 1.00
 *
 * The clock stays continuous: what was measured before the change keeps its
 * distance to what is measured after it.
 */
static inline void
pelt_multiplier_clock_set(struct pelt_multiplier_clock *clock, u64 raw, u32 factor)
{
	clock->base = pelt_multiplier_clock_read(clock, raw);
	clock->anchor = raw;
	clock->factor = factor;
}

/**
 * cfs_rq_clock_pelt() - The clock that a cfs_rq and its entities are tracked with
 * @cfs_rq: the cfs_rq; its rq must be locked and have its clock updated
 *
 * The first reader after a change of the group's factor makes it take effect.
 *
 * Return: raw time scaled by the group's effective factor, in ns.
 */
static inline u64 cfs_rq_clock_pelt(struct cfs_rq *cfs_rq)
{
	u64 raw = __cfs_rq_clock_pelt(cfs_rq);

	if (!pelt_multiplier_used())
		return raw;

	if (unlikely(cfs_rq->pelt_multiplier.clock.factor !=
		     READ_ONCE(cfs_rq->tg->pelt_multiplier.effective)))
		__pelt_multiplier_adopt(cfs_rq);

	return pelt_multiplier_clock_read(&cfs_rq->pelt_multiplier.clock, raw);
}

/* See __pelt_multiplier_idle_clock(); @now is what stock has estimated. */
static inline u64
pelt_multiplier_idle_clock(struct cfs_rq *cfs_rq, u64 throttled, u64 lut, u64 now)
{
	if (!pelt_multiplier_used())
		return now;

	return __pelt_multiplier_idle_clock(cfs_rq, throttled, lut);
}

/* See __pelt_multiplier_update_se(). */
static inline int
pelt_multiplier_update_se(struct cfs_rq *cfs_rq, struct sched_entity *se)
{
	if (!pelt_multiplier_used() || entity_is_task(se))
		return 0;

	return __pelt_multiplier_update_se(cfs_rq, se);
}

/* See __pelt_multiplier_propagated(). */
static inline void pelt_multiplier_propagated(struct sched_entity *se)
{
	if (pelt_multiplier_used())
		__pelt_multiplier_propagated(se);
}

/* See __pelt_multiplier_update_boundaries(). */
static inline int pelt_multiplier_update_boundaries(struct cfs_rq *cfs_rq)
{
	struct rq *rq;

	if (!pelt_multiplier_used())
		return 0;

	rq = rq_of(cfs_rq);
	if (cfs_rq != &rq->cfs || list_empty(&rq->pelt_multiplier.boundaries))
		return 0;

	return __pelt_multiplier_update_boundaries(rq);
}

#else /* !CONFIG_PELT_MULTIPLIER: */

static inline u64
pelt_multiplier_idle_clock(struct cfs_rq *cfs_rq, u64 throttled, u64 lut, u64 now)
{
	return now;
}

static inline int
pelt_multiplier_update_se(struct cfs_rq *cfs_rq, struct sched_entity *se)
{
	return 0;
}

static inline void pelt_multiplier_propagated(struct sched_entity *se) { }
static inline int pelt_multiplier_update_boundaries(struct cfs_rq *cfs_rq) { return 0; }

static inline void pelt_multiplier_init_tg(struct task_group *tg, struct task_group *parent) { }
static inline void pelt_multiplier_online_tg(struct task_group *tg) { }
static inline void pelt_multiplier_free_tg(struct task_group *tg) { }
static inline void pelt_multiplier_init_cfs_rq(struct cfs_rq *cfs_rq) { }
static inline void pelt_multiplier_unregister_cfs_rq(struct cfs_rq *cfs_rq) { }

#endif /* !CONFIG_PELT_MULTIPLIER */

#endif /* _KERNEL_SCHED_PELT_MULTIPLIER_H */
