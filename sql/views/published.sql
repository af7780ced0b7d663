-- Question: Which figures have been published for a game and its rules?
-- `solved` is exact where it is given; a margin is as published, in the unit of the value.
-- Columns:
--   game VARCHAR: the game
--   rules VARCHAR: the named rule set that the source used
--   quantity VARCHAR: win rate; rounds of a win; rounds to a win or repeat
--   value DOUBLE: the figure; a rate is a share of 1
--   margin DOUBLE: half the width of the published interval; NULL where none was given
--   deals UBIGINT: how many deals it rests on; NULL where it is not said
--   solved UBIGINT: how many were won, where it is given
--   same_deals VARCHAR: the range of deal numbers it rests on, where they are this project's numbers
--   source VARCHAR: who and where
CREATE VIEW published AS
SELECT game, rules, quantity, value::DOUBLE AS value, margin::DOUBLE AS margin, deals::UBIGINT AS deals,
       solved::UBIGINT AS solved, same_deals, source
FROM (VALUES
    ('black-hole', 'standard', 'win rate', 0.869413, NULL, 1000000, 869413, '1..1000000',
     'Fish, black-hole-solver, first million PySolFC deals'),
    ('all-in-a-row', 'standard', 'win rate', 0.671, NULL, 1000000, NULL, '1..1000000',
     'Fish, black-hole-solver, first million PySolFC deals (rounded)'),
    ('perpetual-motion', 'clarke', 'win rate', 0.5455, 0.0089, 10000, NULL, NULL, 'Clarke, arXiv 0907.1955'),
    ('perpetual-motion', 'clarke', 'rounds of a win', 128, NULL, 10000, NULL, NULL, 'Clarke, arXiv 0907.1955'),
    ('perpetual-motion', 'masten', 'win rate', 0.0867, NULL, NULL, NULL, NULL, 'Masten'),
    ('perpetual-motion', 'masten', 'rounds to a win or repeat', 44.7, NULL, NULL, NULL, NULL, 'Masten')
) AS figures (game, rules, quantity, value, margin, deals, solved, same_deals, source);
