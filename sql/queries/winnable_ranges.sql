-- Question: Which deals can be won? As ranges of consecutive numbers.
-- Columns:
--   run VARCHAR: the run
--   first UBIGINT: the first deal of the range
--   last UBIGINT: the last one; every deal from first to last is proved winnable
--   deals UBIGINT: how many they are
SELECT run, min(deal) AS first, max(deal) AS last, count(*)::UBIGINT AS deals
FROM (SELECT run, deal, deal - row_number() OVER (PARTITION BY run ORDER BY deal) AS island
      FROM deals
      WHERE winnable)
GROUP BY run, island
ORDER BY run, first;
