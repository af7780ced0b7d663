-- Question: How many of the deals can be won, and how sure is that?
-- A retry counts all deals of the runs that it stands on, each with its stronger verdict.
-- Exhausted deals count both ways: as lost in `rate` and `low95`, as won in `rate_high` and `high95`.
-- The interval is Wilson's, for deals taken as a sample of all deals; the counts themselves are exact.
-- Columns:
--   run VARCHAR: the run
--   game VARCHAR: the game
--   rules VARCHAR: the named rule set, with the switches that were changed
--   deals UBIGINT: n, the deals with a row
--   solved UBIGINT: proved winnable
--   unsolvable UBIGINT: proved not winnable
--   exhausted UBIGINT: not decided within the limits
--   rate DOUBLE: share that is proved winnable
--   rate_high DOUBLE: share if every exhausted deal were winnable
--   low95 DOUBLE: lower end of the 95 % interval, exhausted deals counted as lost
--   high95 DOUBLE: upper end of the 95 % interval, exhausted deals counted as won
--   covered VARCHAR: the deals with a row, as ranges
--   missing UBIGINT: deals asked for that have no row and no failure record
--   failed UBIGINT: deals that killed every worker that tried them
--   iteration_limit UBIGINT: iterations a deal may take; NULL for none
--   search VARCHAR: the search
--   dealer VARCHAR: whose numbering of deals
--   build VARCHAR: the solver's version, sources and compiler
--   published DOUBLE: the published rate for these rules; NULL where there is none
--   published_low95 DOUBLE: its interval as published, or Wilson's where the number of deals is known
--   published_high95 DOUBLE: the upper end
--   published_deals VARCHAR: what it rests on: "solved of deals", or the number of deals
--   published_source VARCHAR: who and where
SELECT run, game, rules, tally.deals, tally.solved, unsolvable, exhausted,
       tally.solved / tally.deals AS rate, (tally.solved + exhausted) / tally.deals AS rate_high,
       wilson_low(tally.solved, tally.deals) AS low95,
       wilson_high(tally.solved + exhausted, tally.deals) AS high95,
       covered, deals_missing AS missing, deals_failed AS failed, iteration_limit, search, dealer, build,
       value AS published,
       coalesce(value - margin, wilson_low(value * published.deals, published.deals)) AS published_low95,
       coalesce(value + margin, wilson_high(value * published.deals, published.deals)) AS published_high95,
       coalesce(published.solved || ' of ' || published.deals, published.deals::VARCHAR) AS published_deals,
       source AS published_source
FROM runs
JOIN tally USING (run)
LEFT JOIN (SELECT * FROM published WHERE quantity = 'win rate') AS published USING (game, rules)
ORDER BY run;
