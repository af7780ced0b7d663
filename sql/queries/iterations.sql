-- Question: How are the iterations spread, by decades?
-- Columns:
--   run VARCHAR: the run
--   verdict VARCHAR: the verdict
--   iterations_from UBIGINT: the fewest iterations of the decade
--   iterations_to UBIGINT: the most iterations of the decade
--   deals UBIGINT: how many deals lie in it
WITH decades AS (
    SELECT run, verdict, winnable, length(iterations::VARCHAR) AS digits, count(*)::UBIGINT AS deals
    FROM deals
    GROUP BY ALL
)
SELECT run, verdict,
       CASE digits WHEN 1 THEN 0 ELSE ('1' || repeat('0', digits - 1))::UBIGINT END AS iterations_from,
       CASE WHEN digits < 20 THEN repeat('9', digits)::UBIGINT ELSE 18446744073709551615 END AS iterations_to,
       deals
FROM decades
ORDER BY run, winnable DESC NULLS LAST, digits;
