# SPDX-License-Identifier: GPL-2.0-only
# The tests of make test and the checks of make check, in the order they run.

TESTS	:= harness kunit kselftest ramp ramp-stock off

run-harness: patched
	$(Q)qemu/selftest.sh $(K)/patched/$(BZIMAGE) $(K)/patched.cpio $(RESULTS)/harness

run-kunit: patched
	$(Q)$(call guest,patched,kunit,-a "kunit.enable=1 kunit.filter_glob=pelt_multiplier")

run-kselftest: patched
	$(Q)$(call guest,patched,kselftest,-c 2 -T 300)

RAMP_FACTORS := 0.25,0.5,1,1.5,2,4,8,16

# Half-lives within 1 % of 32 ms / factor at the task, its group and the root
run-ramp: patched $(B)/host/ramp
	$(Q)$(call guest,patched,ramp,$(ICOUNT) -T 900 \
		-a pelt.factors=$(RAMP_FACTORS))
	$(Q)$(B)/host/ramp -h 1 $(RESULTS)/ramp/data/ramp

run-ramp-stock: stock $(B)/host/ramp
	$(Q)$(call guest,stock,ramp,$(ICOUNT) -T 300 -a pelt.factors=stock,ramp-stock)
	$(Q)$(B)/host/ramp -h 1 $(RESULTS)/ramp-stock/data/ramp

run-off: off

# The kernel's own cgroup selftests must say the same on both kernels. With a
# clock that counts instructions they are repeatable, also on several CPUs.
run-upstream: patched stock
	$(Q)$(call guest,patched,upstream,$(ICOUNT) -c 4 -T 900,upstream-patched)
	$(Q)$(call guest,stock,upstream,$(ICOUNT) -c 4 -T 900,upstream-stock)
	$(Q)scripts/compare-tap.sh $(CGROUP_SELFTESTS) $(RESULTS)/upstream-patched/data \
		$(RESULTS)/upstream-stock/data
