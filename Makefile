# SPDX-License-Identifier: GPL-2.0-only
#
# Builds the patched and the unpatched kernel and runs what proves something
# about them in QEMU. Everything made goes to $(BUILD); nothing else is written.

KERNEL	?= 6.12
BUILD	?= build
V	?= 0

include kernels.mk

PACKAGE	:= $(SOURCE_PACKAGE_$(KERNEL))
ifeq ($(PACKAGE),)
$(error KERNEL=$(KERNEL) is not in kernels.mk)
endif
# A kernel source to use instead of Debian's
KSRC	?= /usr/src/$(PACKAGE).tar.xz

DEPS	:= build-essential bc bison flex libelf-dev cpio kmod xz-utils \
	   busybox-static qemu-system-x86 gnuplot-nox
CHECK_DEPS := sparse shellcheck perl
ifeq ($(KSRC),/usr/src/$(PACKAGE).tar.xz)
DEPS	+= $(PACKAGE)
endif

export V
Q	:= $(if $(filter 1,$(V)),,@)
B	:= $(abspath $(BUILD))
K	:= $(B)/$(KERNEL)
RESULTS	:= $(B)/results
HOOKS	:= hooks/$(KERNEL)
OVERLAY	:= kernel include $(wildcard tools/testing/selftests Documentation)
TOOLS	:= tools/testing/pelt_multiplier
BZIMAGE	:= arch/x86/boot/bzImage

.DELETE_ON_ERROR:
.SECONDARY:
.PHONY: help deps demo test check off clean FORCE

help:
	@echo 'make demo      boot the patched kernel, show what echo 4 does'
	@echo 'make test      all tests; ends with "N passed, N failed, N skipped"'
	@echo 'make model     200 random workloads against the exact model'
	@echo 'make mutations break the kernel on purpose, see that the model notices'
	@echo 'make check     style, static analysis, size of the hooks'
	@echo 'make off       show that kernel/sched does not change with the option off'
	@echo 'make run-T     one test of: $(TESTS) upstream'
	@echo 'make clean     remove $(BUILD)/'
	@echo
	@echo 'KERNEL=$(KERNEL)  KSRC=$(KSRC)  BUILD=$(BUILD)  V=1 shows commands'

deps:
	$(Q)scripts/install-deps.sh $(DEPS)

clean:
	$(Q)rm -rf $(B)

# --- sources -----------------------------------------------------------------

$(K)/src-stock.stamp: | deps
	@mkdir -p $(K)
	$(Q)scripts/fetch-source.sh $(KSRC) $(K)/src-stock
	@touch $@

# Touches the stamp itself, and only if a file has changed.
$(K)/src-patched.stamp: $(K)/src-stock.stamp FORCE
	$(Q)scripts/prepare-tree.sh $(K)/src-stock $(K)/src-patched $(HOOKS) $(OVERLAY)

# --- kernels -----------------------------------------------------------------

FRAGMENTS_stock		:= configs/guest.config
FRAGMENTS_patched	:= configs/guest.config configs/patched.config
FRAGMENTS_off		:= configs/guest.config configs/off.config

# $(1): stock, patched or off; $(2): its source; $(3): what to build
define kernel_rules
$(K)/$(1)-config.stamp: $(2).stamp $$(FRAGMENTS_$(1)) scripts/configure.sh
	$$(Q)scripts/configure.sh $(2) $(K)/$(1) $$(FRAGMENTS_$(1))
	@touch $$@

$(K)/$(1).stamp: $(2).stamp $(K)/$(1)-config.stamp
	$$(Q)scripts/build-kernel.sh $(2) $(K)/$(1) "$(1) $(KERNEL) kernel" $(3)
	@touch $$@
endef
$(eval $(call kernel_rules,stock,$(K)/src-stock,bzImage modules))
$(eval $(call kernel_rules,patched,$(K)/src-patched,bzImage modules))
$(eval $(call kernel_rules,off,$(K)/src-patched,kernel/sched/))

# --- guest -------------------------------------------------------------------

RECORDER := $(TOOLS)/recorder/pelt_recorder.c $(TOOLS)/recorder/Makefile \
	    $(TOOLS)/pelt_record.h qemu/faults/faults.c qemu/faults/Makefile

# Modules are built from copies, as kbuild writes next to the sources.
$(K)/%-modules.stamp: $(RECORDER) $(K)/%.stamp
	@rm -rf $(K)/$*-modules && mkdir -p $(K)/$*-modules
	@cp -r $(TOOLS)/recorder $(TOOLS)/pelt_record.h qemu/faults $(K)/$*-modules/
	$(Q)for module in recorder faults; do \
		$(MAKE) -s -C $(K)/$* M=$(K)/$*-modules/$$module modules \
			> $(K)/$*-modules.log 2>&1 || { cat $(K)/$*-modules.log; exit 1; }; \
	done
	@touch $@

PROGRAMS := $(B)/guest/pelt_load $(B)/guest/pelt_random $(K)/guest/test_cpu_pelt_multiplier \
	    $(K)/guest/test_core $(K)/guest/test_cpu
CFLAGS	:= -O2 -Wall -Wextra

$(B)/guest/%: $(TOOLS)/%.c | deps
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS) -static $< -lm -o $@

# The kernel's cgroup selftests, and ours like them
CGROUP_SELFTESTS := $(K)/src-stock/tools/testing/selftests/cgroup
SELFTEST_CC := $(CC) -O2 -Wall -static -pthread \
	       -I$(CGROUP_SELFTESTS) -I$(CGROUP_SELFTESTS)/..

$(K)/guest/test_core $(K)/guest/test_cpu: $(K)/guest/%: $(K)/src-stock.stamp
	@mkdir -p $(@D)
	$(Q)$(SELFTEST_CC) $(CGROUP_SELFTESTS)/$*.c $(CGROUP_SELFTESTS)/cgroup_util.c -o $@

$(K)/guest/test_cpu_pelt_multiplier: $(K)/guest/%: tools/testing/selftests/cgroup/%.c \
		$(K)/src-stock.stamp
	@mkdir -p $(@D)
	$(Q)$(SELFTEST_CC) -Wextra $< $(CGROUP_SELFTESTS)/cgroup_util.c -o $@

GUEST_SCRIPTS := $(wildcard $(TOOLS)/guest/* qemu/guest/*)

$(K)/%.cpio: $(K)/%-modules.stamp $(PROGRAMS) $(GUEST_SCRIPTS) qemu/init qemu/initramfs.sh
	$(Q)qemu/initramfs.sh $@ $(PROGRAMS) $(GUEST_SCRIPTS) \
		$(K)/$*-modules/recorder/pelt_recorder.ko $(K)/$*-modules/faults/faults.ko

# $(call guest,KERNEL,TEST,OPTIONS) runs one; what it leaves is in $(RESULTS)
guest = qemu/run.sh -k $(K)/$(1)/$(BZIMAGE) -i $(K)/$(1).cpio -t $(2) $(3) \
	-o $(RESULTS)/$(if $(4),$(4),$(2))
# One CPU whose clock counts instructions, 8 ns each
ICOUNT	:= -n 3

patched stock: %: $(K)/%.stamp $(K)/%.cpio
.PHONY: patched stock

# --- analysis ----------------------------------------------------------------

HOST_SOURCES := $(TOOLS)/records.c $(TOOLS)/model.c
HOST_HEADERS := $(wildcard $(TOOLS)/*.h)

$(B)/host/%: $(TOOLS)/%.c $(HOST_SOURCES) $(HOST_HEADERS) | deps
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS) $< $(HOST_SOURCES) -lm -o $@

# --- demo --------------------------------------------------------------------

demo: patched $(B)/host/ramp
	@echo 'Booting the patched kernel, about a minute'
	$(Q)$(call guest,patched,demo,$(ICOUNT) -T 300)
	$(Q)$(TOOLS)/demo.sh $(RESULTS) $(B)/host/ramp

# --- tests -------------------------------------------------------------------

include tests.mk
include checks.mk
include model.mk

test: patched stock $(HOST_TOOLS)
	$(Q)scripts/run-tests.sh $(TESTS)

off: $(K)/stock.stamp $(K)/off.stamp
	$(Q)scripts/compare-objects.sh $(K)/stock/kernel/sched $(K)/off/kernel/sched

check: deps $(K)/patched.stamp $(K)/stock.stamp
	$(Q)scripts/install-deps.sh $(CHECK_DEPS)
	$(Q)scripts/run-tests.sh $(CHECKS)
