-- Question: Which files among the shards count for nothing?
-- Columns:
--   run VARCHAR: the run
--   file VARCHAR: the file's name under the run's location
--   reason VARCHAR: why it is not a whole shard of the run
CREATE VIEW broken AS
SELECT run, file, reason
FROM base_broken
JOIN base_runs USING (run_id)
ORDER BY run_id, file;
