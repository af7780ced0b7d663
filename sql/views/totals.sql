-- Question: Exact counts and sums of each run and verdict.
-- Needs: deals
-- Columns:
--   run VARCHAR: the run
--   verdict VARCHAR: the verdict
--   winnable BOOLEAN: what the verdict says; NULL for exhausted
--   deals UBIGINT: how many deals
--   iterations UBIGINT: sum of their iterations
--   squares HUGEINT: sum of the squares of their iterations
--   least UBIGINT: the fewest iterations
--   most UBIGINT: the most iterations
CREATE VIEW totals AS
SELECT run, verdict, winnable, count(*)::UBIGINT AS deals, sum(iterations)::UBIGINT AS iterations,
       sum(iterations::HUGEINT * iterations::HUGEINT) AS squares,
       min(iterations) AS least, max(iterations) AS most
FROM deals
GROUP BY ALL;
