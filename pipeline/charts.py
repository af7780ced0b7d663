"""The pictures of a report: Altair charts, drawn as SVG text that needs no script and no network.

Every chart is drawn twice, for a wide window and for a phone, so that its text stays readable; the page
shows one of them. Colours are the page's CSS variables, so that the pictures follow light and dark.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Mapping, Sequence
from types import ModuleType
from typing import Any

from pipeline.errors import DealsweepError

WIDE, NARROW = 720, 330
"""Widths of the two drawings, in CSS pixels."""

# Stand-ins while a chart is drawn, and what the page reads instead of them.
_INK, _FAINT, _WON, _LOST, _OPEN = "#010101", "#020202", "#030303", "#040404", "#050505"
_VARIABLES = {_INK: "--ink", _FAINT: "--rule", _WON: "--won", _LOST: "--lost", _OPEN: "--open"}

Row = Mapping[str, Any]
Draw = Callable[[Sequence[Row], int], Any]


def need_altair() -> ModuleType:
    """The charting library. Raises DealsweepError when the extra `report` is not installed."""
    try:
        import altair  # noqa: PLC0415 - an extra
        import vl_convert  # noqa: F401, PLC0415
    except ImportError as error:
        raise DealsweepError(
            f"a report needs {error.name}, which is not installed: pip install 'dealsweep[report]'"
        ) from None
    return altair


def figure(draw: Draw, rows: Sequence[Row], caption: str) -> str:
    """A chart as HTML: both drawings, and the caption that a screen reader hears."""
    label = html.escape(caption, quote=True)
    drawings = "".join(
        f'<div class="{name}" role="img" aria-label="{label}">{_to_svg(draw(rows, width), name)}</div>'
        for name, width in (("wide", WIDE), ("narrow", NARROW))
    )
    return f"<figure>{drawings}<figcaption>{html.escape(caption)}</figcaption></figure>"


def rate_chart(rows: Sequence[Row], width: int) -> Any:
    """Rates with their intervals, a line each. Rows: name, rate (None for unknown), low, high."""
    alt = need_altair()
    data = alt.Data(values=list(rows))
    axis = alt.Axis(format="~%", title="winning rate, 95 % interval", tickCount=width // 130)
    scale = alt.Scale(zero=False, nice=True)
    names = alt.Y("name:N", sort=None, title=None, axis=alt.Axis(labelLimit=110))
    base = alt.Chart(data, width=width - 130, height=34 * len(rows))
    bars = base.mark_rule(strokeWidth=3, color=_WON).encode(
        x=alt.X("low:Q", axis=axis, scale=scale), x2="high:Q", y=names
    )
    points = base.mark_point(filled=True, size=90, color=_WON).encode(x="rate:Q", y=names)
    return bars + points


def histogram(rows: Sequence[Row], width: int) -> Any:
    """Iterations on a log scale, a panel a verdict.

    Rows: verdict, kind (won, lost or open), low, high, deals.
    """
    alt = need_altair()
    order = {"won": _WON, "lost": _LOST, "open": _OPEN}
    verdicts = list(dict.fromkeys(row["verdict"] for row in rows))
    low, high = min(row["low"] for row in rows), max(row["high"] for row in rows)
    steps = (1,) if high > 1000 * low else (1, 2, 5)
    ticks = [step * 10**n for n in range(20) for step in steps if low <= step * 10**n <= high]
    panels = []
    for verdict in verdicts:
        mine = [{**row, "floor": 0} for row in rows if row["verdict"] == verdict]
        last = verdict == verdicts[-1]
        title = "iterations a deal (log scale)" if last else None
        x_axis = alt.Axis(title=title, format="~s", values=ticks, grid=False)
        panel = (
            alt.Chart(alt.Data(values=mine), width=width - 80, height=110, title=verdict)
            .mark_bar(color=order[mine[0]["kind"]])
            .encode(
                x=alt.X("low:Q", scale=alt.Scale(type="log", domain=[low, high], nice=False), axis=x_axis),
                x2="high:Q",
                y=alt.Y("deals:Q", title="deals", axis=alt.Axis(tickCount=3, format="~s")),
                y2="floor:Q",
            )
        )
        panels.append(panel)
    return alt.vconcat(*panels, spacing=12)


def block_chart(rows: Sequence[Row], width: int) -> Any:
    """The winning rate along the deal numbers. Rows: middle, rate, low95, high95, overall."""
    alt = need_altair()
    base = alt.Chart(alt.Data(values=list(rows)), width=width - 80, height=240)
    x_axis = alt.Axis(format="~s", tickCount=5)
    x = alt.X("middle:Q", title="deal number", scale=alt.Scale(zero=False, nice=False), axis=x_axis)
    y_axis = alt.Axis(format="~%", title="winning rate of a block", tickCount=6)
    y = alt.Y("low95:Q", scale=alt.Scale(zero=False), axis=y_axis)
    bars = base.mark_rule(color=_WON, opacity=0.45, strokeWidth=2).encode(x=x, y=y, y2="high95:Q")
    points = base.mark_point(filled=True, size=36, color=_WON).encode(x=x, y="rate:Q")
    overall = base.mark_rule(color=_LOST, strokeDash=[5, 4]).encode(y="max(overall):Q")
    return bars + points + overall


def _to_svg(chart: Any, prefix: str) -> str:
    """The chart as SVG without a fixed size, its colours the page's."""
    import vl_convert  # noqa: PLC0415 - an extra

    themed = chart.configure(
        background="transparent",
        font="system-ui, sans-serif",
        axis={
            "labelColor": _INK,
            "titleColor": _INK,
            "gridColor": _FAINT,
            "domainColor": _FAINT,
            "labelOverlap": True,
            "tickColor": _FAINT,
            "labelFontSize": 12,
            "titleFontSize": 12,
            "titleFontWeight": "normal",
        },
        title={"color": _INK, "fontSize": 13, "anchor": "start"},
        view={"stroke": None},
    )
    svg: str = vl_convert.vegalite_to_svg(themed.to_dict())
    for colour, variable in _VARIABLES.items():
        svg = svg.replace(f'"{colour}"', f'"var({variable})"')
    # Names inside one picture must not meet those of another on the same page.
    svg = re.sub(r'(id="|url\(#|href="#)', rf"\g<1>{prefix}-", svg)
    return re.sub(r'<svg ([^>]*?)width="[^"]*" height="[^"]*"', r'<svg \1aria-hidden="true"', svg, count=1)
