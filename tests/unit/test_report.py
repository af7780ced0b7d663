import re
import sys
from html.parser import HTMLParser

import pytest

from pipeline import charts
from pipeline.ask import open_runs
from pipeline.cli import main
from pipeline.config import RunConfig, RunRecord
from pipeline.deals import DealRange
from pipeline.errors import DealsweepError
from pipeline.plan import cut
from pipeline.report import bins_per_decade, block_size, game_title, iteration_bins, write_report
from pipeline.shard import Session
from pipeline.store import RunStore

pytest.importorskip("altair", reason="the extra `report` is not installed")
pytest.importorskip("vl_convert", reason="the extra `report` is not installed")

EMPTY_ELEMENTS = {"meta", "br", "path", "rect", "line"}


class Page(HTMLParser):
    """Checks that elements are nested well, and keeps what is asked about."""

    def __init__(self, text):
        super().__init__()
        self.open, self.tags, self.attributes, self.words = [], [], [], []
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        if tag not in EMPTY_ELEMENTS or f"</{tag}>" in self.rawdata:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]

    def handle_endtag(self, tag):
        while self.open[-1] != tag and self.open[-1] in EMPTY_ELEMENTS:
            self.open.pop()
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] not in ("style", "title"):
            self.words.append(data)

    @property
    def text(self):
        return " ".join(" ".join(self.words).split())


def make_run(place, game, last, size, skip=(), **settings):
    config = RunConfig.resolve(game, **settings)
    record = RunRecord(config, DealRange(1, last), size)
    store = RunStore.open_or_create(place, record)
    session = Session(config)
    for piece in cut(record.deals, size):
        if piece.first not in skip:
            shard = session.solve(piece)
            store.commit(shard.footer, shard.to_bytes())
    return str(place)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    place = tmp_path_factory.mktemp("runs") / "<b>motion & co"
    return make_run(place, "perpetual-motion", 1000, 100, skip=(301,))


@pytest.fixture(scope="module")
def page(run):
    with open_runs(run) as session:
        return write_report(session)


def test_nothing_is_loaded_from_anywhere(page):
    parsed = Page(page)
    assert "script" not in parsed.tags
    assert not {"link", "img", "iframe", "object", "embed"} & set(parsed.tags)
    loading = {"src", "href", "xlink:href", "srcset", "data", "action", "poster"}
    for tag, name, value in parsed.attributes:
        assert name not in loading or value.startswith("#"), (tag, name, value)
        assert not name.startswith("on")
    assert not re.search(r"url\((?!#)|@import", page)
    # Addresses are names of XML vocabularies only.
    addresses = set(re.findall(r"https?://[^\"' )]*", page))
    assert addresses <= {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}


def test_it_says_what_was_run_and_how_it_ended(page, run):
    text = Page(page).text
    with open_runs(run) as session:
        (rate,) = session.ask("win_rate").table.to_pylist()
        (settings,) = session.ask("SELECT * FROM runs").table.to_pylist()
        verdicts = session.ask("verdicts").table.to_pylist()
        hardest = session.ask("hardest", {"top": 10, "verdict": "won"}).table.to_pylist()
    assert f"{rate['rate']:.2%}".replace("%", " %") in text
    for end in ("low95", "high95"):
        assert f"{rate[end]:.2%}".replace("%", " %") in text
    for name in ("game", "rules", "switches", "search", "dealer", "build", "fingerprint", "covered"):
        assert settings[name] in text
    for row in verdicts:
        assert re.search(rf"{row['verdict']} {row['deals']} {100 * row['share']:.2f} %", text)
    for row in hardest:
        assert re.search(rf"won {row['deal']} {row['iterations']} ", text)
    assert "8.67 %, Masten" in text
    assert "incomplete, 900 of 1000 deals; missing 301..400" in text
    assert "32000" in text and "Wilson" in text


def test_names_are_escaped(page):
    assert "<b>motion" not in page
    assert "&lt;b&gt;motion &amp; co: incomplete" in page


def test_pictures_are_drawn_for_both_widths_and_described(page):
    parsed = Page(page)
    roles = [value for tag, name, value in parsed.attributes if (tag, name) == ("div", "role")]
    labels = [value for tag, name, value in parsed.attributes if (tag, name) == ("div", "aria-label")]
    assert roles == ["img"] * 6 and len(labels) == 6
    assert all(len(label) > 40 for label in labels)
    assert page.count("<svg ") == 6
    # Names of one drawing are not those of another, and every colour follows light and dark.
    drawn = re.findall(r"<svg .*?</svg>", page, re.DOTALL)
    assert not set(re.findall(r'id="([^"]+)"', drawn[0])) & set(re.findall(r'id="([^"]+)"', drawn[1]))
    assert not any(f"#0{n}0{n}0{n}" in page for n in range(1, 6))
    assert "var(--won)" in drawn[0]


def test_exhausted_deals_count_both_ways(tmp_path):
    place = make_run(tmp_path / "bh", "black-hole", 40, 40, search="reference", limit=500)
    with open_runs(place) as session:
        (rate,) = session.ask("win_rate").table.to_pylist()
        text = Page(write_report(session)).text
    assert rate["exhausted"] > 0
    low, high = (f"{rate[name]:.2%}".replace("%", " %") for name in ("rate", "rate_high"))
    assert f"{low} to {high} of 40 deals can be won" in text
    assert f"{rate['exhausted']} are undecided and count both ways" in text
    assert "86.94 % (869413 of 1000000 deals), Fish" in text


def test_one_undecided_deal_in_very_many(tmp_path):
    place = make_run(tmp_path / "bh", "black-hole", 20_000, 20_000)
    with open_runs(place) as session:
        (most,) = session.ask("hardest", {"top": 1}).table.to_pylist()
    place = make_run(tmp_path / "few", "black-hole", 20_000, 20_000, limit=most["iterations"] - 1)
    with open_runs(place) as session:
        (rate,) = session.ask("win_rate").table.to_pylist()
        text = Page(write_report(session)).text
    low, high = (f"{rate[name]:.2%}".replace("%", " %") for name in ("rate", "rate_high"))
    assert rate["rate"] < rate["rate_high"] and low == high
    assert f"{low} of 20" in text and f"to {high} of 20" not in text
    assert ", 1 is undecided and counts both ways" in text


def test_a_run_of_one_deal_has_a_report(tmp_path):
    place = make_run(tmp_path / "one", "perpetual-motion", 1, 10)
    with open_runs(place) as session:
        text = Page(write_report(session)).text
    assert "of 1 deals can be won" in text


def test_the_command_writes_the_file(run, tmp_path, capsys):
    file = tmp_path / "report.html"
    assert main(["report", run, "--output", str(file)]) == 0
    assert file.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    printed = capsys.readouterr()
    assert printed.out == "" and "incomplete" in printed.err


def test_a_missing_extra_is_one_clear_line(run, tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "altair", None)
    with pytest.raises(DealsweepError, match=r"altair.*pip install 'dealsweep\[report\]'"):
        charts.need_altair()
    assert main(["report", run, "--output", str(tmp_path / "x.html")]) == 1
    assert not (tmp_path / "x.html").exists()
    assert capsys.readouterr().err.splitlines()[-1].startswith("dealsweep: a report needs altair")


@pytest.mark.parametrize("last", [1, 99, 5000, 5001, 60_000, 1_000_000, 2**64 - 1])
def test_blocks_are_round_and_few(last):
    size = block_size(1, last)
    assert size >= 100 and -(-last // size) <= 50
    assert str(size).rstrip("0") in ("1", "2", "5")


def test_a_histogram_counts_every_deal_in_a_fitting_number_of_bars(tmp_path):
    place = make_run(tmp_path / "bisley", "bisley", 400, 400)
    with open_runs(place) as session:
        bins = iteration_bins(session)
        deals = session.ask("SELECT iterations, verdict FROM deals").table.to_pylist()
    # Some deals of each verdict take no iteration: they must not narrow the scale.
    assert {d["verdict"] for d in deals if d["iterations"] == 0} == {"solved", "unsolvable"}
    assert sum(b["deals"] for b in bins) == sum(d["iterations"] > 0 for d in deals)
    for verdict in ("solved", "unsolvable"):
        mine = [b for b in bins if b["verdict"] == verdict]
        values = [d["iterations"] for d in deals if d["verdict"] == verdict]
        assert 4 < len(mine) <= 36
        for bar in mine:
            low, high = bar["low"] * (1 - 1e-9), bar["high"] * (1 - 1e-9)
            assert bar["deals"] == sum(low <= value < high for value in values)


def test_small_choices():
    assert game_title("all-in-a-row") == "All in a Row"
    assert game_title("perpetual-motion") == "Perpetual Motion"
    assert [bins_per_decade(1, most) for most in (1, 10, 1000, 10**6)] == [20, 20, 10, 5]
