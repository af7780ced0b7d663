-- Question: Which deal numbers are committed, missing or failed?
-- Of a retry its own deals alone.
-- Columns:
--   run VARCHAR: the run
--   first UBIGINT: first deal of the range
--   last UBIGINT: last deal of the range
--   deals UBIGINT: how many deals it holds
--   state VARCHAR: committed, missing or failed
CREATE VIEW coverage AS
SELECT run, base_coverage.first, base_coverage.last,
       (base_coverage.last - base_coverage.first + 1)::UBIGINT AS deals, state
FROM base_coverage
JOIN base_runs USING (run_id)
ORDER BY run_id, base_coverage.first;
