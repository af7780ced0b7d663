-- Question: Is the winning rate steady along the deal numbers?
-- Blocks lie on absolute boundaries; a block cut by the run's range or by a gap holds fewer deals.
-- Parameters:
--   size UBIGINT = 10000: deal numbers a block
-- Columns:
--   run VARCHAR: the run
--   first UBIGINT: first deal number of the block
--   deals UBIGINT: deals of the block with a row
--   solved UBIGINT: proved winnable
--   exhausted UBIGINT: not decided within the limits
--   rate DOUBLE: share that is proved winnable
--   low95 DOUBLE: lower end of the 95 % interval, exhausted deals counted as lost
--   high95 DOUBLE: upper end of the 95 % interval, exhausted deals counted as won
SELECT run, ((deal - 1) // $size * $size + 1)::UBIGINT AS first, count(*)::UBIGINT AS deals,
       count_if(winnable)::UBIGINT AS solved, count_if(winnable IS NULL)::UBIGINT AS exhausted,
       count_if(winnable) / count(*) AS rate,
       wilson_low(count_if(winnable), count(*)) AS low95,
       wilson_high(count_if(winnable IS NOT FALSE), count(*)) AS high95
FROM deals
GROUP BY run, (deal - 1) // $size
ORDER BY run, first;
