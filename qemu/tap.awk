# SPDX-License-Identifier: GPL-2.0-only
# Judge TAP: print "N cases" and succeed, or print what is wrong and fail.
# A plan that is not met, a skip and a case that is not ok are failures.
/^1\.\.[0-9]+/ { plan = substr($1, 4) + 0; plans++ }
/^(not )?ok / { cases++ }
/^not ok / { if (!first) first = $0 }
/^ok .*# *SKIP/ { if (!first) first = $0 }
/^Bail out!/ { if (!first) first = $0 }
END {
	if (first)
		wrong = first
	else if (plans != 1)
		wrong = "no plan, or several"
	else if (cases != plan || !plan)
		wrong = "planned " plan " cases, saw " cases + 0
	print wrong ? wrong : cases " cases"
	exit wrong ? 1 : 0
}
