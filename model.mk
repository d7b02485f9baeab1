# SPDX-License-Identifier: GPL-2.0-only
# Random workloads against the exact model: KERNEL:CPUS:WORKLOADS:SEED[:OPTIONS of
# pelt_random]. -t: cpu.max instead of moves. The unpatched kernel is the control.

MODEL_BATCHES := \
	patched:1:40:1000 patched:1:40:1040 patched:1:40:2000:-t patched:1:40:2040:-t \
	patched:2:30:3000 patched:4:10:4000 \
	stock:1:40:1000 stock:1:40:2000:-t stock:2:10:3000

# 100 times 100 workloads
MODEL_LONG := $(foreach i,$(shell seq 100 149), \
	patched:1:100:$(i)0000 patched:1:100:$(i)5000:-t)

.PHONY: model model-long mutations

model: patched stock $(HOST_TOOLS)
	$(Q)$(TOOLS)/model.sh $(K) $(B)/host/compare $(RESULTS) $(MODEL_BATCHES)

model-long: patched $(HOST_TOOLS)
	$(Q)$(TOOLS)/model.sh $(K) $(B)/host/compare $(RESULTS) $(MODEL_LONG)

mutations: patched $(HOST_TOOLS)
	$(Q)$(TOOLS)/mutations.sh $(K) $(B)/host/compare $(RESULTS) $(HOOKS)
