-- Question: How many passes through the stock does a won game of Perpetual Motion take?
-- Empty for other games. A cycle ends at its first repeat, after tail + period passes; the count "to a
-- win or repeat" includes the pass that shows the repeat, as Masten's published figure does.
-- Columns:
--   run VARCHAR: the run
--   rules VARCHAR: the named rule set, with the switches that were changed
--   won UBIGINT: games won
--   rounds UBIGINT: sum of their passes
--   mean DOUBLE: mean passes of a won game
--   sd DOUBLE: sample standard deviation
--   median DOUBLE: median
--   least UBIGINT: the fewest
--   most UBIGINT: the most
--   mean_to_end DOUBLE: mean passes to a win or repeat, over all decided games
--   published_mean DOUBLE: published mean of a won game
--   published_mean_to_end DOUBLE: published mean to a win or repeat
--   published_source VARCHAR: who and where
WITH won AS (
    SELECT run, count(*)::UBIGINT AS won, sum(iterations)::UBIGINT AS rounds,
           sum(iterations::HUGEINT * iterations::HUGEINT) AS squares, median(iterations) AS median,
           min(iterations) AS least, max(iterations) AS most
    FROM deals
    WHERE winnable
    GROUP BY run
), decided AS (
    SELECT run, sum(iterations + (NOT winnable)::UBIGINT) / count(*) AS mean_to_end
    FROM deals
    WHERE winnable IS NOT NULL
    GROUP BY run
), figures AS (
    SELECT game, rules, max(value) FILTER (quantity = 'rounds of a win') AS published_mean,
           max(value) FILTER (quantity = 'rounds to a win or repeat') AS published_mean_to_end,
           max(source) AS published_source
    FROM published
    WHERE quantity <> 'win rate'
    GROUP BY ALL
)
SELECT run, rules, won, rounds, rounds / won AS mean, exact_sd(won, rounds, squares) AS sd, median, least, most,
       mean_to_end, published_mean, published_mean_to_end, published_source
FROM runs
JOIN won USING (run)
JOIN decided USING (run)
LEFT JOIN figures USING (game, rules)
WHERE game = 'perpetual-motion'
ORDER BY run;
