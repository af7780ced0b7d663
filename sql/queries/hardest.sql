-- Question: Which deals took the most iterations?
-- A measure of the search's effort, not of how hard a deal is for a player.
-- Parameters:
--   top UBIGINT = 20: how many deals
--   verdict VARCHAR = any: only deals of this verdict
-- Columns:
--   run VARCHAR: the run
--   deal UBIGINT: the deal number
--   verdict VARCHAR: the verdict
--   reason VARCHAR: why it is exhausted: limit or memory
--   iterations UBIGINT: its iterations; at least so many where it is exhausted
--   generated UBIGINT: states generated
SELECT run, deal, verdict, reason, iterations, generated
FROM deals
WHERE $verdict IN ('any', verdict)
ORDER BY iterations DESC, deal, run
LIMIT $top;
