"""A report on a run: one HTML file that needs no network and no script."""

from __future__ import annotations

import html
import math
from collections.abc import Iterable, Sequence
from typing import Any

from pipeline import charts
from pipeline.ask import Session
from pipeline.rendering import show

_BLOCKS_WANTED = 50
_LEAST_BLOCK = 100
_HARDEST = 10
_SMALL_WORDS = {"a", "in", "of", "the"}

Row = dict[str, Any]


def write_report(session: Session) -> str:
    """The HTML of a report on the one run of a session.

    Raises:
        DealsweepError: the extra `report` is not installed.
        StoreError: the run cannot be read.
    """
    charts.need_altair()
    (run,) = _rows(session, "SELECT * FROM runs")
    (rate,) = _rows(session, "win_rate")
    sections = [
        _headline(session, run, rate),
        _what_was_run(run),
        _rate(rate),
        _verdicts(session),
        _spread(session),
        _steadiness(session, rate),
        _hardest(session),
        _method(run),
    ]
    title = f"{game_title(run['game'])}: deals {run['covered']}"
    return _PAGE.format(title=html.escape(title), style=_STYLE, body="\n".join(sections))


def game_title(game: str) -> str:
    """`all-in-a-row` as `All in a Row`."""
    first, *others = game.split("-")
    words = [first.capitalize(), *(w if w in _SMALL_WORDS else w.capitalize() for w in others)]
    return " ".join(words)


def block_size(first: int, last: int) -> int:
    """A round number of deals (1, 2 or 5 and zeros) that cuts first..last into at most 50 blocks."""
    least = max(_LEAST_BLOCK, math.ceil((last - first + 1) / _BLOCKS_WANTED))
    power: int = 10 ** (len(str(least)) - 1)
    return next(step * power for step in (1, 2, 5, 10) if step * power >= least)


def bins_per_decade(low: int, high: int) -> int:
    """How finely a histogram of numbers from low (at least 1) to high is cut, on a log scale."""
    decades = math.log10(max(high, 1) / low)
    return 5 if decades > 3.5 else 10 if decades > 1.5 else 20


def _rows(session: Session, question: str, **params: int | str) -> list[Row]:
    rows: list[Row] = session.ask(question, params).table.to_pylist()
    return rows


def _headline(session: Session, run: Row, rate: Row) -> str:
    notes = "".join(f'<p class="warning" role="note">{html.escape(note)}</p>' for note in session.notes)
    # Few open deals may make no difference that is shown.
    share = " to ".join(dict.fromkeys((_percent(rate["rate"]), _percent(rate["rate_high"]))))
    if not rate["exhausted"]:
        open_deals = ", every one is decided"
    elif rate["exhausted"] == 1:
        open_deals = ", 1 is undecided and counts both ways"
    else:
        open_deals = f", {_number(rate['exhausted'])} are undecided and count both ways"
    return (
        f"<header><h1>{html.escape(game_title(run['game']))}</h1>"
        f'<p class="lead"><strong>{share}</strong> of {_number(rate["deals"])} deals can be won '
        f"(95 % interval {_percent(rate['low95'])} to {_percent(rate['high95'])}).</p>"
        f"<p>{_number(rate['solved'])} are proved winnable, {_number(rate['unsolvable'])} proved "
        f"unwinnable{open_deals}.</p>{notes}</header>"
    )


def _what_was_run(run: Row) -> str:
    most = run["iteration_limit"]
    limit = "none" if most is None else f"{_number(most)} iterations a deal"
    facts = [
        *([("Retry of", run["retry_of"])] if run["retry_of"] else []),
        ("Game", run["game"]),
        ("Rules", run["rules"]),
        ("Switches", run["switches"] or "none"),
        ("Search", run["search"]),
        ("Pruning", run["prune"] or "none"),
        ("Limit", limit),
        ("Memory cap", f"{_number(run['memory_cap_bytes'])} bytes a deal"),
        ("Deals asked for", run["wanted"]),
        ("Deals with a row", f"{run['covered']} ({_number(run['deals_committed'])})"),
        ("Missing", _number(run["deals_missing"])),
        ("Failed", _number(run["deals_failed"])),
        ("Dealer", run["dealer"]),
        ("Solver build", run["build"]),
        ("Fingerprint", run["fingerprint"]),
        ("Run", run["run"]),
    ]
    items = "".join(f"<dt>{name}</dt><dd>{html.escape(str(value))}</dd>" for name, value in facts)
    return f"<section><h2>What was run</h2><dl>{items}</dl></section>"


def _rate(rate: Row) -> str:
    lines: list[Row] = [
        {"name": "this run", "rate": rate["rate"], "low": rate["low95"], "high": rate["high95"]}
    ]
    told = ""
    if rate["published"] is not None:
        low = rate["published"] if rate["published_low95"] is None else rate["published_low95"]
        high = rate["published"] if rate["published_high95"] is None else rate["published_high95"]
        lines.append({"name": "published", "rate": rate["published"], "low": low, "high": high})
        basis = f" ({rate['published_deals']} deals)" if rate["published_deals"] else ""
        told = (
            f"<p>Published for these rules: {_percent(rate['published'])}{html.escape(basis)}, "
            f"{html.escape(rate['published_source'])}.</p>"
        )
    caption = (
        f"Winning rate {_percent(rate['rate'])}, 95 % interval {_percent(rate['low95'])} to "
        f"{_percent(rate['high95'])}. The point counts exhausted deals as lost; the interval counts them "
        "as lost at its lower end and as won at its upper end."
    )
    return f"<section><h2>Winning rate</h2>{charts.figure(charts.rate_chart, lines, caption)}{told}</section>"


def _verdicts(session: Session) -> str:
    rows = _rows(session, "verdicts")
    heads = ["Verdict", "Deals", "Share", "Mean iterations", "SD", "Median", "Least", "Most"]
    cells = [
        [r["verdict"], _number(r["deals"]), _percent(r["share"])]
        + [_number(r[name]) for name in ("mean", "sd", "median", "least", "most")]
        for r in rows
    ]
    return f"<section><h2>Verdicts</h2>{_table(heads, cells, texts=1)}</section>"


def iteration_bins(session: Session) -> list[Row]:
    """The bars of a histogram on a log scale: verdict, kind (won, lost or open), low, high, deals.

    Deals that took no iteration have no place on the scale and are left out.
    """
    positive = "FROM deals WHERE iterations > 0"
    (ends,) = _rows(session, f"SELECT min(iterations) AS low, max(iterations) AS high {positive}")
    if ends["low"] is None:
        return []
    fine = bins_per_decade(ends["low"], ends["high"])
    sql = (
        f"SELECT verdict, winnable, floor(log10(iterations) * {fine})::INTEGER AS bin, count(*) AS deals "
        f"{positive} GROUP BY ALL ORDER BY winnable DESC NULLS LAST, bin"
    )
    kinds = {True: "won", False: "lost", None: "open"}
    return [
        {
            "verdict": r["verdict"],
            "kind": kinds[r["winnable"]],
            "low": 10 ** (r["bin"] / fine),
            "high": 10 ** ((r["bin"] + 1) / fine),
            "deals": r["deals"],
        }
        for r in _rows(session, sql)
    ]


def _spread(session: Session) -> str:
    bins = iteration_bins(session)
    (none,) = _rows(session, "SELECT count(*) AS deals FROM deals WHERE iterations = 0")
    caption = "Iterations a deal took, by verdict; each panel has its own scale of deals."
    if none["deals"]:
        caption += f" {_number(none['deals'])} deals took no iteration at all and are not drawn."
    picture = charts.figure(charts.histogram, bins, caption) if bins else f"<p>{caption}</p>"
    won, lost, _ = session.parts[0].config.verdicts
    heads = ["Per cent of deals", "Iterations at most", f"{won} alone", f"{lost} alone"]
    cells = [
        [
            _number(r["percentile"]),
            ("at least " if r["at_least"] else "") + _number(r["iterations"]),
            _number(r["solved"]),
            _number(r["unsolvable"]),
        ]
        for r in _rows(session, "difficulty")
    ]
    remark = "<p>This is the effort of this search, not how hard a deal is for a player.</p>"
    return f"<section><h2>Iterations</h2>{picture}{_table(heads, cells)}{remark}</section>"


def _steadiness(session: Session, rate: Row) -> str:
    (ends,) = _rows(session, "SELECT min(deal) AS first, max(deal) AS last FROM deals")
    size = block_size(ends["first"], ends["last"])
    blocks = _rows(session, "blocks", size=size)
    if len(blocks) < 2:
        return ""
    points = [
        {
            "middle": b["first"] + size / 2,
            "rate": b["rate"],
            "low95": b["low95"],
            "high95": b["high95"],
            "overall": rate["rate"],
        }
        for b in blocks
    ]
    inside = sum(b["low95"] <= rate["rate"] <= b["high95"] for b in blocks)
    caption = (
        f"Winning rate of each block of {_number(size)} deal numbers with its 95 % interval; the dashed "
        f"line is the whole run. The line passes through {inside} of {len(blocks)} intervals; about 19 in 20 "
        "are expected."
    )
    picture = charts.figure(charts.block_chart, points, caption)
    return f"<section><h2>Along the deal numbers</h2>{picture}</section>"


def _hardest(session: Session) -> str:
    verdicts = [row["verdict"] for row in _rows(session, "verdicts")]
    rows = [row for verdict in verdicts for row in _rows(session, "hardest", top=_HARDEST, verdict=verdict)]
    heads = ["Verdict", "Deal", "Iterations", "Generated"]
    cells = [
        [
            r["verdict"] + (f" ({r['reason']})" if r["reason"] else ""),
            str(r["deal"]),
            _number(r["iterations"]),
            _number(r["generated"]),
        ]
        for r in rows
    ]
    table = _table(heads, cells, texts=1)
    told = f"<h2>Deals that took longest</h2><p>At most {_HARDEST} of each verdict.</p>"
    return f"<section>{told}{table}</section>"


def _method(run: Row) -> str:
    notes = [
        "A winnable deal has a line of play that wins it; an unwinnable one has a complete search behind it "
        "that found none. A deal that met the limit of iterations or memory is exhausted: nothing is claimed "
        "about it.",
        "Counts are exact. The interval is Wilson's, for these deals taken as a sample of all deals; "
        "exhausted deals count as lost at its lower end and as won at its upper end. Deviations are those "
        "of a sample.",
        "An iteration is one state that the search expanded, or one pass through the stock where the game "
        "plays itself. Iterations compare deals under one search, build and set of rules.",
    ]
    if run["retry_of"]:
        notes.append(
            "This run tried the undecided deals of another one again. Each deal is counted once, with the "
            "stronger verdict of all these runs and the iterations of the one that decided it; the settings "
            "above are those of the last run."
        )
    if run["dealer"] == "pysol-cards":
        notes.append(
            "Deal numbers are those of pysol-cards: up to 32000 Microsoft's generator deals, from 32001 on "
            "the Mersenne Twister. PySolFC's own window deals number 32000 with the Mersenne Twister too, "
            "so that this one number is another board there."
        )
    items = "".join(f"<li>{html.escape(note)}</li>" for note in notes)
    return f"<section><h2>Method</h2><ul>{items}</ul></section>"


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]], texts: int = 0) -> str:
    """A table whose first `texts` columns are text and the others numbers; it scrolls on a phone."""

    def line(cells: Sequence[str], tag: str) -> str:
        kinds = [' class="text"' if i < texts else "" for i in range(len(cells))]
        scope = ' scope="col"' if tag == "th" else ""
        told = (f"<{tag}{scope}{k}>{html.escape(c)}</{tag}>" for k, c in zip(kinds, cells, strict=True))
        return f"<tr>{''.join(told)}</tr>"

    body = "".join(line(row, "td") for row in rows)
    return (
        f'<div class="scroll" tabindex="0"><table><thead>{line(heads, "th")}</thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def _percent(share: float) -> str:
    return f"{share:.2%}".replace("%", " %")


def _number(value: float | None) -> str:
    """Digits in groups of three; fractions to one place, and to more below one."""
    if value is None:
        return "-"
    if isinstance(value, int) or value == int(value):
        return f"{int(value):,}".replace(",", "\u202f")
    return f"{value:,.1f}".replace(",", "\u202f") if abs(value) >= 100 else show(round(value, 2))


_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<style>{style}</style>
</head>
<body><main>
{body}
</main></body>
</html>
"""

_STYLE = """
:root { color-scheme: light dark; --paper: #fdfdfb; --ink: #1d2326; --soft: #566067; --rule: #d9dcd8;
  --won: #17689c; --lost: #b4520a; --open: #7a7f85; --card: #ffffff; --warn: #fff3d6; --warn-ink: #5c4200; }
@media (prefers-color-scheme: dark) { :root { --paper: #14181a; --ink: #e6e8e6; --soft: #a3adb2;
  --rule: #3a4246; --won: #6db7e8; --lost: #f0a05a; --open: #a5abb0; --card: #1b2123; --warn: #40330f;
  --warn-ink: #ffe3a0; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 50rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; }
h1 { margin: 0 0 .25rem; font-size: 2rem; line-height: 1.2; }
h2 { margin: 0 0 .75rem; font-size: 1.2rem; }
section { margin-top: 1.25rem; padding: 1rem; background: var(--card); border: 1px solid var(--rule);
  border-radius: .5rem; }
p { margin: .5rem 0; }
.lead { font-size: 1.25rem; }
.lead strong { color: var(--won); }
.warning { padding: .5rem .75rem; border-radius: .375rem; background: var(--warn); color: var(--warn-ink);
  overflow-wrap: anywhere; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; margin: 0; }
dt { color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; }
figure { margin: 0 0 .75rem; }
figure svg { display: block; max-width: 100%; height: auto; }
.narrow { display: none; }
figcaption { margin-top: .25rem; color: var(--soft); font-size: .9rem; }
.scroll { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .95rem; }
th, td { padding: .3rem .6rem; border-bottom: 1px solid var(--rule); text-align: right; white-space: nowrap; }
th { color: var(--soft); font-weight: 600; }
th.text, td.text { text-align: left; }
li { margin-bottom: .5rem; }
ul { margin: 0; padding-left: 1.2rem; }
@media (max-width: 46rem) { .wide { display: none; } .narrow { display: block; }
  section { padding: .75rem; } }
@media print { section { break-inside: avoid; border: 0; } }
"""
