-- Question: Which deals can be won? One number a row.
-- Columns:
--   run VARCHAR: the run
--   deal UBIGINT: a deal proved winnable
SELECT run, deal
FROM deals
WHERE winnable
ORDER BY run, deal;
