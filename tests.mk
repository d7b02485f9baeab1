# SPDX-License-Identifier: GPL-2.0-only
# The tests of make test, in the order they run. Those that measure use a clock that
# counts instructions.

TESTS	:= harness kunit kselftest ramp ramp-stock blocked cpumax cpumax-stock off

HOST_TOOLS := $(B)/host/ramp $(B)/host/compare $(B)/host/average

run-harness: patched
	$(Q)qemu/selftest.sh $(K)/patched/$(BZIMAGE) $(K)/patched.cpio $(RESULTS)/harness

run-kunit: patched
	$(Q)$(call guest,patched,kunit,-a "kunit.enable=1 kunit.filter_glob=pelt_multiplier")

run-kselftest: patched
	$(Q)$(call guest,patched,kselftest,-c 2 -T 300)

# Half-lives within 1 % of 32 ms / factor at the task, its group and the root
RAMP_FACTORS := 0.25,0.5,1,1.5,2,4,8,16

run-ramp: patched $(HOST_TOOLS)
	$(Q)$(call guest,patched,ramp,$(ICOUNT) -T 900 -a pelt.factors=$(RAMP_FACTORS))
	$(Q)$(B)/host/ramp -h 1 $(RESULTS)/ramp/data/ramp
	$(Q)$(B)/host/compare -w 3 $(RESULTS)/ramp/data/ramp

run-ramp-stock: stock $(HOST_TOOLS)
	$(Q)$(call guest,stock,ramp,$(ICOUNT) -T 300 -a pelt.factors=stock,ramp-stock)
	$(Q)$(B)/host/ramp -h 1 $(RESULTS)/ramp-stock/data/ramp
	$(Q)$(B)/host/compare -c -w 3 $(RESULTS)/ramp-stock/data/ramp

# A sleeping x4 group's share at the root of a busy CPU is halved every 8 ms
run-blocked: patched $(HOST_TOOLS)
	$(Q)$(call guest,patched,blocked,$(ICOUNT) -T 300)
	$(Q)$(B)/host/ramp -a 2 $(addprefix $(RESULTS)/blocked/data/,flat nested)
	$(Q)$(B)/host/compare -w 3 $(addprefix $(RESULTS)/blocked/data/,flat nested)

# A throttled group asks for no more than what it runs, at any factor
CPUMAX_FACTORS := 4,1,0.5

run-cpumax: patched $(HOST_TOOLS)
	$(Q)$(call guest,patched,cpumax,$(ICOUNT) -T 300 -a pelt.factors=$(CPUMAX_FACTORS))
	$(Q)$(B)/host/average -w 5 -d 3 $(addprefix $(RESULTS)/cpumax/data/,4 1 0.5)
	$(Q)$(B)/host/compare -w 3 $(addprefix $(RESULTS)/cpumax/data/,4 1 0.5)

run-cpumax-stock: stock $(HOST_TOOLS)
	$(Q)$(call guest,stock,cpumax,$(ICOUNT) -T 300 -a pelt.factors=stock,cpumax-stock)
	$(Q)$(B)/host/average -w 5 -d 3 $(RESULTS)/cpumax-stock/data/stock
	$(Q)$(B)/host/compare -c -w 3 $(RESULTS)/cpumax-stock/data/stock

# The kernel's own cgroup selftests must say the same on both kernels. They are
# repeatable on four CPUs as well with a clock that counts instructions. The two
# guests run side by side, for a quarter of an hour: not part of make test.
upstream-patched upstream-stock: upstream-%: %
	$(Q)$(call guest,$*,upstream,$(ICOUNT) -c 4 -T 1800,upstream-$*)
.PHONY: upstream-patched upstream-stock

run-upstream: patched stock
	$(Q)$(MAKE) --no-print-directory -j2 upstream-patched upstream-stock
	$(Q)scripts/compare-tap.sh $(CGROUP_SELFTESTS) $(RESULTS)/upstream-patched/data \
		$(RESULTS)/upstream-stock/data

run-off: off
