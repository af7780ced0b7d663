-- Question: How many deals of each run have which outcome?
-- Needs: deals
-- Columns:
--   run VARCHAR: the run
--   deals UBIGINT: committed rows
--   solved UBIGINT: proved winnable (verdict solved, or won)
--   unsolvable UBIGINT: proved not winnable (verdict unsolvable, or cycle)
--   exhausted UBIGINT: not decided within the limits
CREATE VIEW tally AS
SELECT run, count(*)::UBIGINT AS deals, count_if(winnable)::UBIGINT AS solved,
       count_if(NOT winnable)::UBIGINT AS unsolvable, count_if(winnable IS NULL)::UBIGINT AS exhausted
FROM deals
GROUP BY run;
