// SPDX-License-Identifier: GPL-2.0-only
/*
 * Faults on request, to see that the harness notices them.
 */
#include <linux/module.h>
#include <linux/string.h>

static char *what = "";
module_param(what, charp, 0444);
MODULE_PARM_DESC(what, "warn, oops or complain");

static int __init faults_init(void)
{
	if (!strcmp(what, "warn"))
		WARN_ON(1);
	else if (!strcmp(what, "oops"))
		*(volatile int *)8 = 1;
	else if (!strcmp(what, "complain"))
		pr_err("BUG: not really\n");
	else
		return -EINVAL;
	return 0;
}
module_init(faults_init);

static void __exit faults_exit(void)
{
}
module_exit(faults_exit);

MODULE_DESCRIPTION("Faults on request, to test the test harness");
MODULE_LICENSE("GPL");
