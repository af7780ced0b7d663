-- Question: Where two runs hold the same deals, how do their verdicts compare?
-- One row a pair of runs. For the same rules a deal won in one and lost in the other is a fault;
-- between rule sets it says which wins one keeps from the other.
-- Columns:
--   run VARCHAR: the first run
--   other VARCHAR: the second run
--   common UBIGINT: deals with a row in both
--   both UBIGINT: winnable in both
--   neither UBIGINT: winnable in neither
--   only_run UBIGINT: winnable in the first alone
--   only_other UBIGINT: winnable in the second alone
--   open UBIGINT: exhausted in one or both
SELECT a.run, b.run AS other, count(*)::UBIGINT AS common, count_if(a.winnable AND b.winnable)::UBIGINT AS both,
       count_if(NOT a.winnable AND NOT b.winnable)::UBIGINT AS neither,
       count_if(a.winnable AND NOT b.winnable)::UBIGINT AS only_run,
       count_if(NOT a.winnable AND b.winnable)::UBIGINT AS only_other,
       count_if(a.winnable IS NULL OR b.winnable IS NULL)::UBIGINT AS open
FROM deals AS a
JOIN deals AS b ON a.deal = b.deal AND a.run < b.run
GROUP BY a.run, b.run
ORDER BY a.run, b.run;
