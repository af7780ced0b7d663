-- Question: What is known of each deal? One row a deal and run, with the run's constants.
-- A retry has the rows of the runs that it stands on too, for each deal the row with the stronger verdict:
-- the first that decides it, or else that of the last attempt. `origin` says whose row it is; search, prune,
-- iteration_limit and build are that run's.
-- A game's own columns follow `winnable`; where several runs are asked they are NULL for other games.
-- Columns:
--   run VARCHAR: the run
--   deal UBIGINT: the deal number
--   verdict VARCHAR: solved, unsolvable or exhausted; won, cycle or exhausted where the game plays itself
--   reason VARCHAR: why a deal is exhausted: limit or memory; else NULL
--   iterations UBIGINT: iterations of the search; passes where the game plays itself
--   generated UBIGINT: states generated
--   winnable BOOLEAN: true or false where proved, NULL where exhausted
--   solution BLOB: the winning line, where the run kept lines
--   ...: the game's own columns, UBIGINT
--   game VARCHAR: the game
--   rules VARCHAR: the named rule set, with the switches that were changed
--   switches VARCHAR: every switch of the rules with its value
--   search VARCHAR: the search
--   prune VARCHAR: its pruning
--   iteration_limit UBIGINT: iterations a deal may take; NULL for none
--   dealer VARCHAR: whose numbering of deals
--   build VARCHAR: the solver's version, sources and compiler
--   origin VARCHAR: the run whose row it is; in a retry it may be one that it stands on
CREATE VIEW deals AS
SELECT run, deal, verdict, reason, iterations, generated,
       CASE verdict WHEN won_verdict THEN true WHEN lost_verdict THEN false END AS winnable,
       solution,
       base_rows.* EXCLUDE (link_id, deal, verdict, reason, iterations, generated, solution),
       game, rules, switches, base_links.search, base_links.prune, base_links.iteration_limit, dealer,
       base_links.build, origin
FROM base_rows
JOIN base_links USING (link_id)
JOIN base_runs USING (run_id);
