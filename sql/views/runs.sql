-- Question: Which runs are asked, and with what settings were their rows made?
-- Of a retry the settings are its own; the deals are those of the runs that it stands on too.
-- Columns:
--   run VARCHAR: the run's name in this question
--   location VARCHAR: where it lies
--   game VARCHAR: the game
--   rules VARCHAR: the named rule set, with the switches that were changed
--   switches VARCHAR: every switch of the rules with its value, "name=value name=value"
--   search VARCHAR: the search
--   prune VARCHAR: its pruning
--   iteration_limit UBIGINT: iterations a deal may take; NULL for none
--   memory_cap_bytes UBIGINT: bytes the tables of one deal may take; NULL for none
--   dealer VARCHAR: whose numbering of deals
--   build VARCHAR: the solver's version, sources and compiler
--   fingerprint VARCHAR: digest of all that the rows depend on
--   wanted VARCHAR: the deals that were asked for, as ranges
--   covered VARCHAR: the deals with a committed row, as ranges
--   deals_wanted UBIGINT: how many deals were asked for
--   deals_committed UBIGINT: how many have a row
--   deals_missing UBIGINT: how many have neither a row nor a failure record
--   deals_failed UBIGINT: how many killed every worker that tried them
--   retry_of VARCHAR: the run whose undecided deals it takes up; NULL when it is no retry
CREATE VIEW runs AS
SELECT * EXCLUDE (run_id, won_verdict, lost_verdict)
FROM base_runs
ORDER BY run_id;
