"""A deal's row is its own: whatever was solved before it, under every rule set and every switch."""

import pytest

import solver

NUMBERS = {"redeals": ("0", "1", "3", "unlimited"), "ranks": ("6", "9"), "suits": ("3",), "depth": ("2",)}


def variants():
    for game, info in solver.games().items():
        for rules in info["rules"]:
            yield game, rules["name"], {}
        for switch in info["switches"]:
            values = [value["name"] for value in switch["values"]] or NUMBERS[switch["name"]]
            for value in values:
                yield game, info["rules"][0]["name"], {switch["name"]: value}


def rows(session, deals):
    found = {}
    for deal in deals:
        columns = session.solve_columns(deal, 1)
        found[deal] = {name: column[0] for name, column in columns.items() if name != "solution"}
    return found


@pytest.mark.parametrize(("game", "rules", "rule"), list(variants()))
def test_rows_do_not_depend_on_what_was_solved_before(game, rules, rule):
    deals = range(1, 121)
    try:
        session = solver.open_solver(game, rules=rules, rule=rule, limit=20_000)
    except ValueError as error:
        pytest.skip(f"this switch asks for another one: {error}")
    upwards = rows(session, deals)
    assert rows(session, reversed(deals)) == upwards
    alone = {
        deal: rows(solver.open_solver(game, rules=rules, rule=rule, limit=20_000), [deal])[deal]
        for deal in (5, 60, 119)
    }
    assert alone == {deal: upwards[deal] for deal in alone}
