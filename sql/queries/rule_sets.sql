-- Question: Which rules give which winning rate? One row a run, best rate first.
-- Exhausted deals count as lost in low95 and as won in high95.
-- Columns:
--   game VARCHAR: the game
--   rules VARCHAR: the named rule set, with the switches that were changed
--   deals UBIGINT: deals with a row
--   solved UBIGINT: proved winnable
--   unsolvable UBIGINT: proved not winnable
--   exhausted UBIGINT: not decided within the limits
--   rate DOUBLE: share that is proved winnable
--   low95 DOUBLE: lower end of the 95 % interval
--   high95 DOUBLE: upper end of the 95 % interval
--   covered VARCHAR: the deals with a row, as ranges
--   run VARCHAR: the run
--   switches VARCHAR: every switch of the rules with its value
SELECT game, rules, deals, solved, unsolvable, exhausted, solved / deals AS rate,
       wilson_low(solved, deals) AS low95, wilson_high(solved + exhausted, deals) AS high95, covered, run,
       switches
FROM runs
JOIN tally USING (run)
ORDER BY game, rate DESC, run;
