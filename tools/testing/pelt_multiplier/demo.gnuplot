# SPDX-License-Identifier: GPL-2.0-only
# Ramp and decay at the task, its group and the root run queue; dir and out are
# set on the command line.
levels = "task group root"
runs = "interactive-4.00 background-1.00 interactive-0.50"
titles = "x4 x1 x0.5"

do for [format in "png svg"] {
	if (format eq "png") {
		set terminal pngcairo size 1200,1000 font "sans,11" background "white"
	} else {
		set terminal svg size 1200,1000 font "sans,11" background "white"
	}
	set output out . "." . format

	set multiplot layout 2,1
	set grid
	set yrange [0:1060]
	set ytics (0, 256, "50 %%  512" 512, "80 %%  819" 819.2, 1024)
	set ylabel "util_{avg} (1024 = one CPU)"
	set xrange [0:160]
	set xlabel "time in PELT ms (1 = 1024 x 1024 ns = 1.049 ms)"
	set xtics 16

	set title "Utilization after a task turned busy"
	set key bottom right
	plot for [i=1:3] for [j=1:3] sprintf("%s/%s-%s.dat", dir, word(runs, i), word(levels, j)) \
		with linespoints linecolor i dashtype j linewidth 2 pointtype 4 + 2 * j \
		pointsize 0.9 pointinterval 8 + 2 * j \
		title sprintf("%s: %s", word(titles, i), word(levels, j))

	set title "The group's share at the root run queue after its task went to sleep"
	set key top right
	plot for [i=1:3] sprintf("%s/%s-decay.dat", dir, word(runs, i)) \
		with linespoints linecolor i linewidth 2 pointtype 6 pointsize 0.7 \
		title word(titles, i)
	unset multiplot
	unset output
}
