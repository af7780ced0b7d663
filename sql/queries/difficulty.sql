-- Question: How is the solver's effort spread? Percentiles of the iterations a deal took.
-- Effort of this search with its limit, not difficulty for a player. A percentile is the iterations of
-- a real deal: the least number that so many per cent of the deals did not exceed.
-- Columns:
--   run VARCHAR: the run
--   search VARCHAR: the search whose effort it is; several where a retry used another one
--   percentile DOUBLE: per cent of the run's deals
--   iterations UBIGINT: iterations that they did not exceed
--   at_least BOOLEAN: true where the deals beyond are exhausted too, so that the figure is a lower bound
--   solved UBIGINT: the same percentile of the solved deals alone
--   unsolvable UBIGINT: the same percentile of the unsolvable deals alone
WITH steps AS (
    SELECT unnest([1, 5, 10, 25, 50, 75, 90, 95, 99, 99.9, 99.99, 100])::DOUBLE AS percentile,
           generate_subscripts([1, 5, 10, 25, 50, 75, 90, 95, 99, 99.9, 99.99, 100], 1) AS step
), spread AS (
    SELECT run, string_agg(DISTINCT search, ', ' ORDER BY search) AS search,
           quantile_disc(iterations, [.01, .05, .1, .25, .5, .75, .9, .95, .99, .999, .9999, 1]) AS whole,
           quantile_disc(iterations, [.01, .05, .1, .25, .5, .75, .9, .95, .99, .999, .9999, 1])
               FILTER (winnable) AS solved,
           quantile_disc(iterations, [.01, .05, .1, .25, .5, .75, .9, .95, .99, .999, .9999, 1])
               FILTER (NOT winnable) AS unsolvable,
           min(iterations) FILTER (winnable IS NULL) AS stopped
    FROM deals
    GROUP BY run
)
SELECT run, search, percentile, whole[step] AS iterations, coalesce(whole[step] >= stopped, false) AS at_least,
       solved[step] AS solved, unsolvable[step] AS unsolvable
FROM spread, steps
ORDER BY run, step;
