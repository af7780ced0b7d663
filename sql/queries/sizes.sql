-- Question: How does the win rate change with the size of the deck and of the piles?
-- Asked of several runs of one game with other switches, such as Black Hole with ranks, suits and depth.
-- Columns:
--   game VARCHAR: the game
--   ranks UBIGINT: ranks of the deck; NULL for a game without this switch
--   suits UBIGINT: cards of each rank
--   depth UBIGINT: cards a pile
--   cards UBIGINT: cards in the deck
--   deals UBIGINT: n, the deals with a row
--   rate DOUBLE: share that is proved winnable
--   low95 DOUBLE: lower end of the 95 % interval, exhausted deals counted as lost
--   high95 DOUBLE: upper end of the 95 % interval, exhausted deals counted as won
--   mean_iterations DOUBLE: mean iterations a deal
SELECT game, ranks, suits, depth, ranks * suits AS cards, size.deals, rate, low95, high95,
       mean_iterations
FROM (
    SELECT runs.game, runs.run, tally.deals,
           TRY_CAST(regexp_extract(switches, 'ranks=([0-9]+)', 1) AS UBIGINT) AS ranks,
           TRY_CAST(regexp_extract(switches, 'suits=([0-9]+)', 1) AS UBIGINT) AS suits,
           TRY_CAST(regexp_extract(switches, 'depth=([0-9]+)', 1) AS UBIGINT) AS depth,
           tally.solved / tally.deals AS rate,
           wilson_low(tally.solved, tally.deals) AS low95,
           wilson_high(tally.solved + exhausted, tally.deals) AS high95
    FROM runs JOIN tally USING (run)
) AS size
JOIN (SELECT run, avg(iterations) AS mean_iterations FROM deals GROUP BY run) USING (run)
ORDER BY game, depth, ranks, suits
