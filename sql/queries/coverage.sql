-- Question: Which deals have been committed, and which are missing or failed?
-- Columns:
--   run VARCHAR: the run
--   first UBIGINT: first deal of the range
--   last UBIGINT: last deal of the range
--   deals UBIGINT: how many deals it holds
--   state VARCHAR: committed, missing or failed
SELECT run, first, last, deals, state
FROM coverage
ORDER BY run, first;
