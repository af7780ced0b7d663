"""Counts positions by depth in plain Python; prints what positions_by_depth.txt holds.

A position is the heights of the piles, the stock cards taken and the foundation's rank; its depth is the
number of cards moved. Shares no code with the native search: cards come as text from a deal's board.
"""

from __future__ import annotations

import solver

RANKS = "A23456789TJQK"
ROWS = [
    *[("black-hole", "standard", deal) for deal in (1, 2, 24, 500_001)],
    *[("all-in-a-row", "standard", deal) for deal in (1, 24)],
    *[("golf", rules, deal) for rules in ("standard", "queens-on-kings", "wrap") for deal in (1, 24)],
]
KINGS = {"standard": "closed", "queens-on-kings": "queens", "wrap": "wrap"}
DEPTHS = {"black-hole": 13, "all-in-a-row": 7, "golf": 10}


def fits(under: int | None, over: int, rules: str) -> bool:
    """Whether a rank goes onto the foundation: ranks 0 (ace) to 12, None for an empty foundation."""
    if under is None:
        return True
    if under == 12 and rules == "closed":
        return False
    return over - under in (1, -1) or (rules == "wrap" and over - under in (12, -12))


def count_positions(game: str, rules: str, deal: int, depths: int) -> list[int]:
    """The numbers of positions 0, 1, ... cards from the start."""
    piles: list[list[int]] = []
    stock: list[int] = []
    foundation: int | None = None
    for line in solver.deal(game, deal, rules=rules).splitlines():
        name, _, cards = line.rpartition(":")
        ranks = [RANKS.index(word[0]) for word in cards.split() if word != "-"]
        if name == "Foundations":
            foundation = ranks[0] if ranks else None
        elif name == "Talon":
            stock = ranks
        else:
            piles.append(ranks)
    kings = (
        {"standard": "closed", "queens-on-kings": "queens", "wrap": "wrap"}[rules]
        if game == "golf"
        else "wrap"
    )
    level = {(tuple(map(len, piles)), 0, foundation)}
    counts = [1]
    while len(counts) < depths:
        deeper = set()
        for heights, taken, rank in level:
            if taken < len(stock):
                deeper.add((heights, taken + 1, stock[taken]))
            for p, height in enumerate(heights):
                if height and fits(rank, piles[p][height - 1], kings):
                    left = (*heights[:p], height - 1, *heights[p + 1 :])
                    deeper.add((left, taken, piles[p][height - 1]))
        level = deeper
        counts.append(len(level))
    return counts


if __name__ == "__main__":
    print("# game rules deal, then the positions 0, 1, 2, ... cards from the start (count_positions.py)")
    for game, rules, deal in ROWS:
        print(game, rules, deal, *count_positions(game, rules, deal, DEPTHS[game]))
