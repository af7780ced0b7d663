-- Question: How many deals have each verdict, and how many iterations did they take?
-- Counts and sums are exact; the deviation is the sample's (n - 1), from exact sums.
-- Columns:
--   run VARCHAR: the run
--   verdict VARCHAR: the verdict
--   deals UBIGINT: how many deals
--   share DOUBLE: their share of the run's rows
--   iterations UBIGINT: sum of their iterations
--   mean DOUBLE: mean iterations
--   sd DOUBLE: sample standard deviation of the iterations; NULL for one deal
--   median DOUBLE: median iterations
--   least UBIGINT: the fewest iterations
--   most UBIGINT: the most iterations
SELECT run, verdict, deals, deals / sum(deals) OVER (PARTITION BY run) AS share, iterations,
       iterations / deals AS mean, exact_sd(deals, iterations, squares) AS sd, median, least, most
FROM totals
JOIN (SELECT run, verdict, median(iterations) AS median FROM deals GROUP BY ALL) AS medians USING (run, verdict)
ORDER BY run, winnable DESC NULLS LAST;
