// SPDX-License-Identifier: GPL-2.0-only
/*
 * KUnit tests for the PELT multiplier's pure functions. Included at the end of
 * pelt_multiplier.c, so that static functions can be reached.
 */
#include <kunit/test.h>

struct parse_case {
	const char	*text;
	int		ret;
	u32		factor;
};

static const struct parse_case parse_cases[] = {
	{ "inherit",		0,		PELT_MULTIPLIER_INHERIT },
	{ " inherit\n",		0,		PELT_MULTIPLIER_INHERIT },
	{ "0.25",		0,		256 },
	{ "0.33",		0,		338 },
	{ "0.5",		0,		512 },
	{ "1",			0,		1024 },
	{ "1.0",		0,		1024 },
	{ "1.00",		0,		1024 },
	{ "1.5",		0,		1536 },
	{ "1.05",		0,		1075 },
	{ "4",			0,		4096 },
	{ "4\n",		0,		4096 },
	{ "\t 4.00\t\n",	0,		4096 },
	{ "04",			0,		4096 },
	{ "15.99",		0,		16374 },
	{ "16",			0,		16384 },
	{ "16.00",		0,		16384 },
	{ "0",			-ERANGE },
	{ "0.00",		-ERANGE },
	{ "0.24",		-ERANGE },
	{ "16.01",		-ERANGE },
	{ "17",			-ERANGE },
	{ "1000",		-ERANGE },
	{ "4294967300",		-ERANGE },
	{ "18446744073709551620", -ERANGE },
	{ "999999999999999999999999999999.99", -ERANGE },
	{ "-1",			-ERANGE },
	{ "-0.5",		-ERANGE },
	{ "-4.00",		-ERANGE },
	{ "",			-EINVAL },
	{ " \t",		-EINVAL },
	{ "-",			-EINVAL },
	{ ".",			-EINVAL },
	{ "4.",			-EINVAL },
	{ ".5",			-EINVAL },
	{ "-.5",		-EINVAL },
	{ "1.234",		-EINVAL },
	{ "99.999",		-EINVAL },
	{ "1.2.3",		-EINVAL },
	{ "4x",			-EINVAL },
	{ "x4",			-EINVAL },
	{ "4 4",		-EINVAL },
	{ "4,0",		-EINVAL },
	{ "+4",			-EINVAL },
	{ "--4",		-EINVAL },
	{ "- 4",		-EINVAL },
	{ "0x4",		-EINVAL },
	{ "4e0",		-EINVAL },
	{ "nan",		-EINVAL },
	{ "inf",		-EINVAL },
	{ "max",		-EINVAL },
	{ "Inherit",		-EINVAL },
	{ "inherit4",		-EINVAL },
	{ "inheri",		-EINVAL },
};

static void parse_test(struct kunit *test)
{
	static const u32 untouched = 0xdead;
	int i;

	for (i = 0; i < ARRAY_SIZE(parse_cases); i++) {
		const struct parse_case *c = &parse_cases[i];
		u32 factor = untouched;

		KUNIT_EXPECT_EQ_MSG(test, c->ret,
				    pelt_multiplier_parse(c->text, strlen(c->text), &factor),
				    "'%s'", c->text);
		KUNIT_EXPECT_EQ_MSG(test, c->ret ? untouched : c->factor, factor,
				    "'%s'", c->text);
	}
}

static void parse_embedded_nul_test(struct kunit *test)
{
	u32 factor;

	KUNIT_EXPECT_EQ(test, -EINVAL, pelt_multiplier_parse("4\0", 2, &factor));
	KUNIT_EXPECT_EQ(test, -EINVAL, pelt_multiplier_parse("4\0x", 3, &factor));
	KUNIT_EXPECT_EQ(test, -EINVAL, pelt_multiplier_parse("\0", 1, &factor));
}

/* Whatever can be written reads back the same and is accepted again. */
static void format_round_trip_test(struct kunit *test)
{
	u32 hundredths, factor, again;
	char text[16], buf[12];

	for (hundredths = 25; hundredths <= 1600; hundredths++) {
		snprintf(text, sizeof(text), "%u.%02u", hundredths / 100, hundredths % 100);
		KUNIT_ASSERT_EQ(test, 0, pelt_multiplier_parse(text, strlen(text), &factor));
		pelt_multiplier_format(buf, sizeof(buf), factor);
		KUNIT_EXPECT_STREQ(test, text, buf);
		KUNIT_ASSERT_EQ(test, 0, pelt_multiplier_parse(buf, strlen(buf), &again));
		KUNIT_EXPECT_EQ(test, factor, again);
	}

	pelt_multiplier_format(buf, sizeof(buf), PELT_MULTIPLIER_INHERIT);
	KUNIT_EXPECT_STREQ(test, "inherit", buf);
}

/* Rounded to the nearest unit of 1/1024: half a unit at 0.25 is 0.2 %. */
static void parse_precision_test(struct kunit *test)
{
	u32 hundredths, factor;
	char text[16];

	for (hundredths = 25; hundredths <= 1600; hundredths++) {
		snprintf(text, sizeof(text), "%u.%02u", hundredths / 100, hundredths % 100);
		KUNIT_ASSERT_EQ(test, 0, pelt_multiplier_parse(text, strlen(text), &factor));
		KUNIT_EXPECT_LE(test, abs((int)(factor * 100) - (int)(hundredths * 1024)), 50);
		KUNIT_EXPECT_GE(test, factor, PELT_MULTIPLIER_MIN);
		KUNIT_EXPECT_LE(test, factor, PELT_MULTIPLIER_MAX);
	}
}

static const u32 clock_factors[] = {
	256, 257, 338, 512, 1023, 1024, 1025, 1536, 4096, 16383, 16384,
};

/* At 1.00 from the start, scaled time is raw time, to the bit. */
static void clock_identity_test(struct kunit *test)
{
	struct pelt_multiplier_clock clock = { .factor = PELT_MULTIPLIER_ONE };
	static const u64 raws[] = { 0, 1, 1023, 1024, 1ULL << 32, 123456789123456789ULL, S64_MAX };
	int i;

	for (i = 0; i < ARRAY_SIZE(raws); i++)
		KUNIT_EXPECT_EQ(test, raws[i], pelt_multiplier_clock_read(&clock, raws[i]));
}

static void clock_speed_test(struct kunit *test)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(clock_factors); i++) {
		struct pelt_multiplier_clock clock = {
			.anchor = 5000, .base = 7000, .factor = clock_factors[i],
		};

		KUNIT_EXPECT_EQ(test, 7000, pelt_multiplier_clock_read(&clock, 5000));
		KUNIT_EXPECT_EQ(test, 7000 + clock_factors[i],
				pelt_multiplier_clock_read(&clock, 5000 + 1024));
		KUNIT_EXPECT_EQ(test, 7000 + clock_factors[i] * 1000000ULL,
				pelt_multiplier_clock_read(&clock, 5000 + 1024000000ULL));
	}
}

/* A change moves no clock, also not when time stands still over many changes. */
static void clock_continuity_test(struct kunit *test)
{
	struct pelt_multiplier_clock clock = { .factor = PELT_MULTIPLIER_ONE };
	u64 raw = 1000000007, before;
	int i, j;

	for (i = 0; i < ARRAY_SIZE(clock_factors); i++) {
		for (j = 0; j < ARRAY_SIZE(clock_factors); j++) {
			before = pelt_multiplier_clock_read(&clock, raw);
			pelt_multiplier_clock_set(&clock, raw, clock_factors[i]);
			KUNIT_EXPECT_EQ(test, before, pelt_multiplier_clock_read(&clock, raw));
			pelt_multiplier_clock_set(&clock, raw, clock_factors[j]);
			KUNIT_EXPECT_EQ(test, before, pelt_multiplier_clock_read(&clock, raw));
			raw += 999983;
		}
	}
}

static void clock_monotonic_test(struct kunit *test)
{
	struct pelt_multiplier_clock clock = { .factor = PELT_MULTIPLIER_ONE };
	u64 raw = 0, now, last = 0;
	int i;

	for (i = 0; i < 20000; i++) {
		raw += (i * 7919) % 1500;
		if (i % 13 == 0)
			pelt_multiplier_clock_set(&clock, raw,
						  clock_factors[i % ARRAY_SIZE(clock_factors)]);
		now = pelt_multiplier_clock_read(&clock, raw);
		KUNIT_ASSERT_GE(test, now, last);
		last = now;
	}
	KUNIT_EXPECT_GT(test, last, 0);
}

/* Raw time that steps back behind the anchor: the clock stands still. */
static void clock_backward_test(struct kunit *test)
{
	struct pelt_multiplier_clock clock = { .factor = PELT_MULTIPLIER_ONE };

	pelt_multiplier_clock_set(&clock, 1000000, 4096);
	KUNIT_EXPECT_EQ(test, 1000000, pelt_multiplier_clock_read(&clock, 1000000));
	KUNIT_EXPECT_EQ(test, 1000000, pelt_multiplier_clock_read(&clock, 999999));
	KUNIT_EXPECT_EQ(test, 1000000, pelt_multiplier_clock_read(&clock, 0));

	pelt_multiplier_clock_set(&clock, 900000, 512);
	KUNIT_EXPECT_EQ(test, 1000000, pelt_multiplier_clock_read(&clock, 900000));
	KUNIT_EXPECT_EQ(test, 1000500, pelt_multiplier_clock_read(&clock, 901000));
}

/* The product is wider than 64 bits: 2^63 ns at 1.00, ten years at 16.00. */
static void clock_extremes_test(struct kunit *test)
{
	const u64 ten_years = 10ULL * 365 * 24 * 3600 * NSEC_PER_SEC;
	struct pelt_multiplier_clock clock = { };

	clock.factor = PELT_MULTIPLIER_MAX;
	KUNIT_EXPECT_EQ(test, ten_years * 16, pelt_multiplier_clock_read(&clock, ten_years));
	clock.factor = PELT_MULTIPLIER_MIN;
	KUNIT_EXPECT_EQ(test, ten_years / 4, pelt_multiplier_clock_read(&clock, ten_years));
	KUNIT_EXPECT_EQ(test, S64_MAX / 4, pelt_multiplier_clock_read(&clock, S64_MAX));
	clock.factor = PELT_MULTIPLIER_ONE;
	clock.base = U64_MAX - 10;
	clock.anchor = S64_MAX;
	KUNIT_EXPECT_EQ(test, U64_MAX, pelt_multiplier_clock_read(&clock, (u64)S64_MAX + 10));
}

static struct kunit_case pelt_multiplier_cases[] = {
	KUNIT_CASE(parse_test),
	KUNIT_CASE(parse_embedded_nul_test),
	KUNIT_CASE(parse_precision_test),
	KUNIT_CASE(format_round_trip_test),
	KUNIT_CASE(clock_identity_test),
	KUNIT_CASE(clock_speed_test),
	KUNIT_CASE(clock_continuity_test),
	KUNIT_CASE(clock_monotonic_test),
	KUNIT_CASE(clock_backward_test),
	KUNIT_CASE(clock_extremes_test),
	{ }
};

static struct kunit_suite pelt_multiplier_suite = {
	.name = "pelt_multiplier",
	.test_cases = pelt_multiplier_cases,
};

kunit_test_suite(pelt_multiplier_suite);
