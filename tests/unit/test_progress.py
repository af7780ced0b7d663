import io
import json

import pytest

from pipeline.config import RunConfig, RunRecord
from pipeline.deals import DealRange, merge
from pipeline.errors import ExitCode, UsageError
from pipeline.progress import Bar, Ended, JsonLines, Lines, Notice, Results, ShardDone, Started, open_display
from pipeline.scan import Scan
from pipeline.shard_table import ShardTable
from pipeline.summary import Summary
from pipeline.tally import Tally

CONFIG = RunConfig(
    {"game": "golf", "rules": "wrap", "search": "fast", "prune": "none", "limit": 5000,
     "memory_cap_bytes": 1, "solutions": False},
    ("solved", "unsolvable", "exhausted"), (), "0123456789abcdef", "pysol-cards",
)  # fmt: skip
TALLIES = {"solved": Tally(2, 30, 500), "unsolvable": Tally(1, 5, 25), "exhausted": Tally(1, 50, 2500)}
STARTED = Started("runs/g", "golf", merge([DealRange(1, 20)]), merge([DealRange(5, 20)]), 4, 2, TALLIES)
DONE = ShardDone(DealRange(5, 8), {"solved": Tally(4, 4, 4)}, 0.5, "10.0.0.1:77", 0.4, 0.3)


def summary(missing=(), failures=None):
    scan = Scan(
        "runs/a b",
        RunRecord(CONFIG, DealRange(1, 4), 2),
        merge([DealRange(1, 4)]),
        ShardTable.of([])[0],
        TALLIES,
        (),
        failures or {},
    )
    from dataclasses import replace

    return replace(Summary.of(scan), missing=merge(missing))


def test_plain_lines_come_at_the_start_and_every_ten_seconds():
    out, results, now = io.StringIO(), io.StringIO(), [0.0]
    with Lines(out, results, clock=lambda: now[0]) as show:
        show(STARTED)
        show(DONE)
        now[0] = 12.0
        show(DONE)
        show(Notice("retry", "deals 1..2: again"))
        show(Ended(summary()))
    lines = out.getvalue().splitlines()
    assert lines[0] == "running: golf 1..20: 16 deals in 4 shards to go, 2 workers"
    assert lines[1].startswith("12 of 20 deals (60.0%), 1 deals/s, 12 s left; solved 10, unsolvable 1")
    assert lines[2:] == ["retry: deals 1..2: again"]
    assert "win rate" in results.getvalue()


def test_json_lines():
    out = io.StringIO()
    show = JsonLines(out)
    for event in (STARTED, DONE, Notice("retry", "x"), Ended(summary())):
        show(event)
    events = [json.loads(line) for line in out.getvalue().splitlines()]
    assert [event["event"] for event in events] == ["running", "shard", "retry", "summary"]
    assert events[1]["verdicts"] == {"solved": 4}


def test_the_bar_ends_with_the_summary_alone_on_standard_output():
    out, results = io.StringIO(), io.StringIO()
    with Bar(out, results) as show:
        for event in (STARTED, DONE, Notice("retry", "[not markup]"), Ended(summary())):
            show(event)
    assert "[not markup]" in out.getvalue()
    assert results.getvalue().splitlines() == summary().lines()


def test_styles():
    out = io.StringIO()
    assert isinstance(open_display("auto", out, out), Lines)
    assert isinstance(open_display("none", out, out), Results)
    with pytest.raises(UsageError):
        open_display("loud")


def test_exit_codes_follow_coverage():
    assert summary().exit_code is ExitCode.COMPLETE
    assert summary(failures={3: "x"}).exit_code is ExitCode.FAILED_DEALS
    assert summary(missing=(DealRange(2, 2),), failures={3: "x"}).exit_code is ExitCode.INCOMPLETE


def test_the_summary_says_what_a_rate_needs():
    text = "\n".join(summary().lines())
    for part in (
        "golf 1..4",
        "rules wrap, search fast, prune none, limit 5,000",
        "win rate 50.0000% to 75.0000%",
        "n = 4; 1 undecided deal counted both ways",
        "mean 15.000, std dev 7.071",
    ):
        assert part in text
    value = summary().to_json()
    assert json.loads(json.dumps(value)) == value
    assert value["verdicts"]["solved"] == {
        "deals": 2,
        "iterations": 30,
        "iterations_squared": 500,
        "iterations_mean": 15.0,
        "iterations_deviation": pytest.approx(50**0.5),
    }
