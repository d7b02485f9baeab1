# SPDX-License-Identifier: GPL-2.0-only
# What make check runs.

CHECKS	:= checkpatch kernel-doc warnings sparse shellcheck spdx budget

# Ours, as git knows them; new files count before they are added
FILES	= $(shell git ls-files --cached --others --exclude-standard)
C_FILES	= $(filter %.c %.h,$(FILES))
KERNEL_C = $(filter kernel/% include/%,$(C_FILES))
SCHED_OBJECTS := build_policy.o build_utility.o core.o fair.o pelt_multiplier.o

# Why each type is ignored: the tree is no kernel tree with MAINTAINERS (FILE_PATH);
# trace events are laid out in their own way (OPEN_ENDED_LINE); the case tables of
# tests hold odd strings on purpose (QUOTED_WHITESPACE, CONCATENATED_STRING); an
# oops needs a wild store (VOLATILE); hooks have no author (MISSING_SIGN_OFF).
CHECKPATCH = cd $(K)/src-stock && ./scripts/checkpatch.pl --strict --no-tree -q \
	--ignore FILE_PATH_CHANGES,OPEN_ENDED_LINE,QUOTED_WHITESPACE_BEFORE_NEWLINE \
	--ignore CONCATENATED_STRING,VOLATILE,MISSING_SIGN_OFF,NO_AUTHOR_SIGN_OFF

run-checkpatch:
	$(Q)$(CHECKPATCH) -f $(addprefix $(CURDIR)/,$(C_FILES))
	$(Q)$(CHECKPATCH) $(CURDIR)/$(HOOKS)/*.patch

run-kernel-doc:
	$(Q)$(K)/src-stock/scripts/kernel-doc -none -Werror $(KERNEL_C)

# $(1): arguments for make; print complaints about kernel/sched on both trees
complaints = scripts/complaints.sh $(K) "$(1)" $(SCHED_OBJECTS)

run-warnings: $(K)/patched.stamp $(K)/stock.stamp
	$(Q)$(call complaints,W=1)

run-sparse: $(K)/patched.stamp $(K)/stock.stamp
	$(Q)$(call complaints,C=2)

# By ending or by first line
run-shellcheck:
	$(Q)shellcheck -s dash -x -P $(TOOLS)/guest \
		$(shell grep -lE '^#!/bin/(busybox )?sh' $(filter-out %.c,$(FILES)))
	$(Q)shellcheck -s dash $(TOOLS)/guest/record.sh

run-spdx:
	$(Q)! grep -L 'SPDX-License-Identifier: GPL-2.0-only' \
		$(filter-out %/series,$(FILES)) | grep .

run-budget:
	$(Q)scripts/hook-budget.sh $(HOOKS) 60
