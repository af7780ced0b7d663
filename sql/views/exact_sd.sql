-- Question: The sample standard deviation of n whole numbers from their exact sum and sum of squares.
-- The squares are first taken about the whole part of the mean, in whole numbers, so that no digits
-- cancel and the order of the rows cannot show in the last digit; NULL for fewer than two numbers.
CREATE MACRO exact_sd(n, total, squares) AS
    CASE WHEN n > 1 THEN sqrt(
        ((squares - 2 * (total // n) * total + n::HUGEINT * (total // n) * (total // n))::DOUBLE
         - (total % n)::DOUBLE * (total % n)::DOUBLE / n)
        / (n - 1))
    END;
