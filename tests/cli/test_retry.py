"""A second pass over the undecided: real small runs on the shared Ray session."""

import json
import shutil
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pipeline.ask import query
from pipeline.config import RunConfig, RunRecord
from pipeline.deals import DealRange
from pipeline.plan import cut
from pipeline.schema import encode, make_footer
from pipeline.shard import Session
from pipeline.store import RunStore

POISON = 7_000_000_005  # see the fixture ray_session
SQL = "SELECT deal, verdict, reason, iterations, generated, solution FROM deals ORDER BY deal"

pytestmark = pytest.mark.usefixtures("ray_session")


def make_run(place, deals, size=50, game="black-hole", **settings):
    """A run without Ray; shards that are there stay."""
    config = RunConfig.resolve(game, **settings)
    store = RunStore.open_or_create(place, RunRecord(config, DealRange.parse(deals), size))
    session = Session(config)
    for piece in store.scan().pieces():
        shard = session.solve(piece)
        store.commit(shard.footer, shard.to_bytes())
    return Path(place)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Deals 1..200 with a limit that leaves about a quarter open, and the same without a limit."""
    place = tmp_path_factory.mktemp("made")
    return make_run(place / "bh", "1..200", limit=200), make_run(place / "plain", "1..200")


@pytest.fixture
def run(made, tmp_path):
    """A copy to be retried."""
    return shutil.copytree(made[0], tmp_path / "bh")


def undecided(run):
    return [row["deal"] for row in query(run, "undecided").table.to_pylist()]


def own_rows(run):
    """The rows of a run's own files, in order."""
    files = sorted((Path(run) / "shards").iterdir())
    return [row for file in files for row in pq.read_table(file).to_pylist()]


def told(done):
    assert "Traceback" not in done.err
    return done.err.strip()


def test_a_chain_of_retries_says_what_one_run_without_limits_says(dealsweep, made, run, tree):
    before, expected = tree(run), query(made[1], SQL).table.to_pylist()
    open_at_first = undecided(run)
    assert 20 < len(open_at_first) < 150
    done = dealsweep("retry", run, "--limit", 1000, "--progress", "none")
    assert done.code == 0 and done.err == ""
    first = Path(f"{run}-retry-limit-1000")
    assert [row["deal"] for row in own_rows(first)] == open_at_first
    left = undecided(first)
    assert 0 < len(left) < len(open_at_first)
    assert f", {len(open_at_first)} exhausted\n" in done.out
    assert f"still undecided: {len(left)} ({len(left)} by limit)" in done.out
    assert f"(Wilson, n = 200; {len(left)} undecided deals counted both ways)" in done.out
    # Its shards hold several scattered deals each.
    assert 1 < len(list((first / "shards").iterdir())) <= len(open_at_first)
    # What is still open is retried without any limit: a retry of a retry.
    done = dealsweep("retry", first, "--limit", "none", "--progress", "none", "--out", run.parent / "last")
    assert done.code == 0
    assert "still undecided: 0\n" in done.out
    last = run.parent / "last"
    assert [row["deal"] for row in own_rows(last)] == left
    # Every row is that of the run that decided the deal.
    assert query(last, SQL).table.to_pylist() == expected
    origins = query(last, "SELECT origin, count(*) AS n FROM deals GROUP BY 1").table.to_pylist()
    assert {row["origin"]: row["n"] for row in origins} == {
        "bh": 200 - len(open_at_first),
        first.name: len(open_at_first) - len(left),
        "last": len(left),
    }
    limits = query(last, "SELECT DISTINCT origin, iteration_limit FROM deals").table.to_pylist()
    assert {row["origin"]: row["iteration_limit"] for row in limits} == {
        "bh": 200,
        first.name: 1000,
        "last": None,
    }
    assert tree(run) == before
    # Beside one another every run keeps its own answer.
    rates = query([run, first, last], "SELECT run, exhausted FROM tally").table.to_pylist()
    counts = {"bh": len(open_at_first), first.name: len(left), "last": 0}
    assert {row["run"]: row["exhausted"] for row in rates} == counts


def test_named_questions_and_the_report_see_all_deals(dealsweep, made, run, tmp_path):
    dealsweep("retry", run, "--limit", "none", "--progress", "none", "--out", tmp_path / "all")
    for name in ("verdicts", "iterations", "winnable", "winnable_ranges", "blocks", "difficulty"):
        mine, plain = (query(place, name).table.drop_columns("run") for place in (tmp_path / "all", made[1]))
        assert mine == plain, name
    (row,) = query(tmp_path / "all", "win_rate").table.to_pylist()
    (plain,) = query(made[1], "win_rate").table.to_pylist()
    same = ("deals", "solved", "unsolvable", "exhausted", "low95", "high95", "covered", "missing", "failed")
    assert {name: row[name] for name in same} == {name: plain[name] for name in same}
    (facts,) = query(tmp_path / "all", "SELECT * FROM runs").table.to_pylist()
    assert (facts["retry_of"], facts["deals_wanted"], facts["covered"]) == (str(run), 200, "1..200")
    # Coverage and status are of its own deals.
    covered = query(tmp_path / "all", "coverage").table.to_pylist()
    assert sum(row["deals"] for row in covered) == len(undecided(run))
    done = dealsweep("status", tmp_path / "all", "--format", "json")
    value = json.loads(done.out)
    assert value["deals"]["done"] == len(undecided(run)) and value["retry_of"] == str(run)
    assert "win_rate" not in value
    assert "win rate" not in dealsweep("status", tmp_path / "all").out
    assert dealsweep("report", tmp_path / "all", "-o", tmp_path / "all.html").code == 0
    page = (tmp_path / "all.html").read_text()
    assert "Retry of" in page and str(run) in page


def test_a_run_may_be_named_by_a_winding_path(dealsweep, run, monkeypatch):
    (run / "inside").mkdir()
    monkeypatch.chdir(run / "inside")
    assert dealsweep("retry", "..", "--limit", 1000).code == 0
    monkeypatch.chdir(run.parent)
    assert dealsweep("retry", "./bh/", "--limit", 1000).code == 0
    assert sorted(path.name for path in run.parent.iterdir()) == ["bh", "bh-retry-limit-1000"]


def test_the_same_command_does_nothing_more(dealsweep, run, tree):
    assert dealsweep("retry", run, "--limit", 1000).code == 0
    retried = Path(f"{run}-retry-limit-1000")
    before = tree(retried)
    done = dealsweep("retry", run, "--limit", 1000)
    assert done.code == 0 and "running:" not in done.err
    assert tree(retried) == before
    # What is gone or broken comes back the same, by this command or by resume.
    for words in (("retry", run, "--limit", 1000), ("resume", retried)):
        one, other, *_ = sorted((retried / "shards").iterdir())
        one.unlink()
        other.write_bytes(other.read_bytes()[:-20])
        status = dealsweep("status", retried)
        assert status.code == 4 and "1 broken" in status.out
        notes = query(retried, "win_rate").notes
        assert any("incomplete" in note for note in notes) and any("broken" in note for note in notes)
        done = dealsweep(*words)
        assert done.code == 0 and "still undecided" in done.out
        assert {name: data for name, data in tree(retried).items() if "quarantine" not in name} == before
    assert dealsweep("verify", retried).code == 0


def test_a_run_that_grows_is_taken_up(dealsweep, run, tree):
    dealsweep("retry", run, "--limit", "none")
    retried = Path(f"{run}-retry-limit-none")
    before = tree(retried)
    make_run(run, "150..300", limit=200)
    more = [row["deal"] for row in own_rows(run) if row["verdict"] == "exhausted"]
    assert undecided(retried) == [deal for deal in more if deal > 200] != []
    assert dealsweep("retry", run, "--limit", "none").code == 0
    assert undecided(retried) == []
    assert before.items() <= tree(retried).items()
    assert [row["deal"] for row in own_rows(retried)] == more


def test_deals_that_become_undecided_amid_those_that_are_done_are_refused(dealsweep, run, tree):
    gone = sorted((run / "shards").iterdir())[1]
    deals = undecided(run)
    record = json.loads((run / "run.json").read_text())
    store = RunStore.open(run)
    # A run of two ranges whose gap is filled later.
    (run / "run.json").write_text(json.dumps(record | {"last": 50}))
    (run / "ranges").mkdir()
    (run / "ranges" / f"{101:020d}-{200:020d}.json").write_text("{}")
    data = gone.read_bytes()
    gone.unlink()
    assert dealsweep("retry", run, "--limit", "none", "--shard-size", 1000).code == 0
    retried = Path(f"{run}-retry-limit-none")
    gone.write_bytes(data)
    store.extend(DealRange(1, 200))
    (run / "run.json").write_text(json.dumps(record))
    before = tree(retried)
    done = dealsweep("retry", run, "--limit", "none")
    assert done.code == 1 and "--out" in told(done) and len(told(done).splitlines()) == 1
    assert tree(retried) == before
    assert undecided(retried) == [deal for deal in deals if 50 < deal <= 100]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ((), "larger --limit"),
        (("--limit", 200), "larger --limit"),
        (("--limit", 100), "had limit 200"),
        (("--limit", 100, "--memory-cap", "1MB"), "larger --memory-cap"),
        (("--limit", 0), "limit"),
        (("--limit", "many"), "neither a number nor none"),
        (("--limit", 1000, "--search", "nonsense"), "nonsense"),
        (("--limit", 1000, "--prune", "nonsense"), "nonsense"),
        (("--limit", 1000, "--shard-size", 0), "shard size"),
        (("--limit", 1000, "--workers", 0), "workers"),
    ],
)
def test_refusals(dealsweep, run, tree, words, says):
    before = tree(run.parent)
    done = dealsweep("retry", run, *words)
    assert done.code == 2
    assert says in told(done) and len(told(done).splitlines()) == 1
    assert tree(run.parent) == before


def test_other_ways_to_decide_more(dealsweep, run):
    done = dealsweep("retry", run, "--search", "reference", "--limit", 500, "--out", f"{run}-a")
    assert done.code == 0  # another search counts its own iterations
    assert query(f"{run}-a", "SELECT DISTINCT search FROM deals ORDER BY 1").table.num_rows == 2
    assert query(f"{run}-a", "difficulty").table.to_pylist()[0]["search"] == "fast, reference"
    done = dealsweep("retry", run, "--memory-cap", "1GB")
    assert done.code == 0  # whether it does is for the search to say
    assert Path(f"{run}-retry-memory-1000000000").is_dir()


def test_a_search_that_always_has_a_limit(dealsweep, tmp_path):
    run = make_run(tmp_path / "p", "1..20", game="perseverance", limit=3)
    done = dealsweep("retry", run, "--limit", "none")
    assert done.code == 2 and "always has a limit" in told(done)


def test_a_run_without_undecided_deals_says_so(dealsweep, made, tree):
    before = tree(made[1].parent)
    for words in (("--limit", 1000), ("--progress", "none"), ("--limit", "none", "--out", "nowhere")):
        done = dealsweep("retry", made[1], *words)
        assert done.code == 0 and done.err == ""
        assert "nothing is undecided" in done.out and "n = 200" in done.out
    done = dealsweep("retry", made[1], "--progress", "json")
    assert json.loads(done.out)["after"] == json.loads(done.out)["before"]
    assert tree(made[1].parent) == before


def test_an_incomplete_run_is_refused(dealsweep, run, tree):
    sorted((run / "shards").iterdir())[2].unlink()
    before = tree(run.parent)
    done = dealsweep("retry", run, "--limit", 1000)
    assert done.code == 4
    assert "missing" in told(done) and "101..150" in told(done) and f"dealsweep resume {run}" in told(done)
    assert len(told(done).splitlines()) == 1 and tree(run.parent) == before


def test_places_that_hold_something_else(dealsweep, made, run, tmp_path, tree):
    dealsweep("retry", run, "--limit", 1000, "--out", tmp_path / "one")
    other = make_run(tmp_path / "other", "1..60", limit=200)
    before = tree(tmp_path)
    for words, says in (
        (("retry", tmp_path / "nothing", "--limit", 1000), "holds no run"),
        (("retry", run, "--limit", 2000, "--out", tmp_path / "one"), "limit: 2000 here, 1000 there"),
        (("retry", other, "--limit", 1000, "--out", tmp_path / "one"), f"a retry of {run}"),
        (("retry", run, "--limit", "none", "--out", made[1]), "not a retry"),
        (("run", "black-hole", "1..9", "--limit", 1000, "--out", tmp_path / "one"), f"a retry of {run}"),
    ):
        done = dealsweep(*words)
        assert done.code == 1, words
        assert says in told(done) and len(told(done).splitlines()) == 1
    for place in (run, run / "shards" / "x", run / ".." / "x" / ".." / "bh"):
        done = dealsweep("retry", run, "--limit", 1000, "--out", place)
        assert done.code == 2 and "lies in the run" in told(done)
    assert tree(tmp_path) == before


def test_runs_may_be_moved_together_but_not_apart(dealsweep, run, tmp_path):
    dealsweep("retry", run, "--limit", 1000, "--out", tmp_path / "one")
    answer = query(tmp_path / "one", SQL).table
    (tmp_path / "there").mkdir()
    for name in ("bh", "one"):
        (tmp_path / name).rename(tmp_path / "there" / name)
    assert query(tmp_path / "there" / "one", SQL).table == answer
    (tmp_path / "there" / "bh").rename(tmp_path / "gone")
    done = dealsweep("query", tmp_path / "there" / "one", "win_rate")
    assert done.code == 1 and f"a retry of {tmp_path}/there/bh, which holds no run" in told(done)
    done = dealsweep("resume", tmp_path / "there" / "one")
    assert done.code == 0 and "which holds no run" in done.err
    # Nor is another run in its place taken for it.
    make_run(tmp_path / "there" / "bh", "1..20", limit=300)
    done = dealsweep("query", tmp_path / "there" / "one", "win_rate")
    assert done.code == 1 and "holds another run now" in told(done)


def test_two_verdicts_of_one_deal_are_a_fault_that_names_it(dealsweep, run, tmp_path):
    dealsweep("retry", run, "--limit", "none", "--out", tmp_path / "one")
    proved = next(row for row in own_rows(tmp_path / "one") if row["verdict"] == "solved")["deal"]
    # A hand that turns a verdict of the first run: its row says lost, the retry has a line that wins.
    store = RunStore.open(run)
    (span,) = [deals for deals in cut(DealRange(1, 200), 50) if proved in deals]
    shard = Session(store.config).solve(span)
    rows = shard.batch.to_pylist()
    rows[proved - span.first] |= {"verdict": "unsolvable", "reason": None}
    batch = pa.RecordBatch.from_pylist(rows, schema=shard.batch.schema)
    (file,) = (run / "shards").glob(f"{span.first:020d}-*")
    file.write_bytes(encode(batch, make_footer(store.config, span, batch)))
    for words in (("query", tmp_path / "one", "win_rate"), ("retry", tmp_path / "one", "--limit", "none")):
        done = dealsweep(*words)
        assert done.code == 1 and len(told(done).splitlines()) == 1
        assert f"deal {proved} is solved in {tmp_path}/one and unsolvable in {run}" in told(done)


def test_deals_that_agree_in_both_runs_count_once(dealsweep, made, run, tmp_path):
    """The run is solved again without a limit by hand: the retry's verdicts are there already."""
    dealsweep("retry", run, "--limit", 1000, "--out", tmp_path / "one")
    answer = query(tmp_path / "one", SQL).table
    rows = query(tmp_path / "one", "SELECT count(*) AS n, count(DISTINCT deal) AS m FROM deals").table
    assert rows.to_pylist() == [{"n": 200, "m": 200}]
    # The retry stands on a run in which other builds' proofs stand beside its own.
    record = json.loads((tmp_path / "one" / "run.json").read_text())
    shutil.copytree(made[1], tmp_path / "proved")
    proved = json.loads((tmp_path / "proved" / "run.json").read_text())
    record["retry_of"] = {"run": "../proved", "fingerprint": proved["fingerprint"]}
    (tmp_path / "one" / "run.json").write_text(json.dumps(record))
    assert query(tmp_path / "one", SQL).table == query(made[1], SQL).table != answer


@pytest.mark.slow
@pytest.mark.slow
def test_failed_deals_are_retried_too(dealsweep, tmp_path):
    run, asked = tmp_path / "bh", DealRange(POISON - 30, POISON + 30)
    config = RunConfig.resolve("black-hole", limit=100)
    store = RunStore.open_or_create(run, RunRecord(config, asked, 10))
    for deal in (POISON - 5, POISON, POISON + 1):
        store.record_failure(deal, "its worker died 3 times")
    session = Session(config)
    for piece in store.scan().pieces():
        shard = session.solve(piece)
        store.commit(shard.footer, shard.to_bytes())
    done = dealsweep("retry", run, "--limit", "none", "--shard-size", 20)
    assert done.code == 3  # one of them kills its workers again
    retried = f"{run}-retry-limit-none"
    (row,) = query(retried, "win_rate").table.to_pylist()
    assert (row["deals"], row["exhausted"], row["missing"], row["failed"]) == (60, 0, 0, 1)
    assert "bisect" in done.err and f"failed: deal {POISON}" in done.err
    assert list(RunStore.open(retried).scan().failures) == [POISON]
    done = dealsweep("verify", retried)
    assert done.code == 3 and " 0 broken" in done.out


def test_a_retry_that_was_stopped_at_its_first_step(dealsweep, run, tree):
    dealsweep("retry", run, "--limit", 1000)
    retried = Path(f"{run}-retry-limit-1000")
    whole = tree(retried)
    for folder in ("picked", "shards"):
        shutil.rmtree(retried / folder)
    for words in (("resume", retried), ("status", retried), ("query", retried, "win_rate")):
        done = dealsweep(*words)
        assert done.code == 1 and f"dealsweep retry {run} ..." in told(done)
        assert len(told(done).splitlines()) == 1
    assert dealsweep("retry", run, "--limit", 1000).code == 0
    assert tree(retried) == whole
    # Its deals are believed only as they were written.
    (picks,) = (retried / "picked").iterdir()
    picks.write_bytes(picks.read_bytes()[:-30])
    done = dealsweep("resume", retried)
    assert done.code == 1 and "is damaged" in told(done) and picks.name in told(done)


def test_json_progress_is_json_alone(dealsweep, run):
    done = dealsweep("retry", run, "--limit", "none", "--progress", "json")
    events = [json.loads(line) for line in done.out.splitlines()]
    assert done.err == ""
    assert [event["event"] for event in events if event["event"] != "shard"] == [
        "running",
        "summary",
        "whole",
    ]
    whole = events[-1]
    assert whole["after"]["exhausted"] == 0 and whole["undecided"] == {}
    assert sum(whole["decided_now"].values()) == whole["before"]["exhausted"]
    assert whole["win_rate"]["deals"] == 200


def test_the_python_face(run, tmp_path):
    import pipeline

    whole = pipeline.retry(run, limit="none", out=tmp_path / "one")
    assert whole.location == str(tmp_path / "one")
    assert whole.after["exhausted"] == 0 and whole.win_rate.deals == 200
    assert pipeline.status(whole.location).retry_of == str(run)


def test_solutions_are_kept_and_replay(dealsweep, tmp_path):
    import solver

    run = make_run(tmp_path / "bh", "1..40", limit=100, solutions=True)
    dealsweep("retry", run, "--limit", "none")
    rows = query(f"{run}-retry-limit-none", SQL).table.to_pylist()
    assert len(rows) == 40 and all(
        (row["solution"] is not None) == (row["verdict"] == "solved") for row in rows
    )
    for row in rows:
        if row["solution"] is not None:
            assert solver.replay("black-hole", solver.deal("black-hole", row["deal"]), row["solution"])


@pytest.mark.slow
def test_the_published_search_retried_twice_has_the_rows_of_one_run(dealsweep, tmp_path):
    settings = {"size": 10, "search": "reference"}
    run = make_run(tmp_path / "bh", "1..100", limit=1000, **settings)
    plain = make_run(tmp_path / "plain", "1..100", **settings)
    assert dealsweep("retry", run, "--limit", 100_000).code == 0
    assert dealsweep("retry", f"{run}-retry-limit-100000", "--limit", "none").code == 0
    last = f"{run}-retry-limit-100000-retry-limit-none"
    assert query(last, SQL).table == query(plain, SQL).table
