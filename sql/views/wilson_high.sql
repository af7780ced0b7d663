-- Question: The upper end of Wilson's 95 % interval for `won` of `n`; NULL when n is 0.
-- Source: E. B. Wilson, Journal of the American Statistical Association 22 (1927), 209-212.
CREATE MACRO wilson_high(won, n) AS
    CASE WHEN n > 0 THEN least(1.0,
        (won + 1.9207294103471495 + 1.959963984540054 * sqrt(won::DOUBLE * (n::DOUBLE - won) / n + 0.9603647051735747))
        / (n + 3.841458820694299))
    END;
