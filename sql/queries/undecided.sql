-- Question: Which deals met a limit before they were decided?
-- Columns:
--   run VARCHAR: the run
--   deal UBIGINT: the deal number
--   reason VARCHAR: limit (iterations) or memory (bytes of tables)
--   iterations UBIGINT: iterations spent
--   generated UBIGINT: states generated
--   iteration_limit UBIGINT: the limit of the run that tried it last; NULL for none
SELECT run, deal, reason, iterations, generated, iteration_limit
FROM deals
WHERE winnable IS NULL
ORDER BY run, deal;
