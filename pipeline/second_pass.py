"""A second pass over the deals that a run left undecided: a run linked to it, with other limits.

    run RUN -> its undecided deals -> a retry of them alone -> questions that take the stronger verdict

A deal is undecided when it has no proof in RUN, nor in the runs that RUN itself stands on: it met a limit,
or killed whatever tried it.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from pipeline import driver
from pipeline.ask import Session, open_runs
from pipeline.config import ExecutionOptions, Link, RunConfig, RunRecord
from pipeline.deals import describe, subtract, unite
from pipeline.errors import BuildMismatch, RunIncomplete, UsageError
from pipeline.objects import absolute, beside, is_remote, refer
from pipeline.plan import check_shard_size, retry_shard_size
from pipeline.progress import Ended, Event
from pipeline.rows import RunRows
from pipeline.schema import deal_numbers
from pipeline.selection import Selection
from pipeline.store import RunStore
from pipeline.summary import Summary, Whole, resume_command

Show = Callable[[Event], None]


class Changes(NamedTuple):
    """What a retry is to do otherwise than the run; None leaves it as it is there.

    Attributes:
        limit: iterations a deal, or none.
        memory_cap: bytes of tables a deal.
        search: which search; with another one, limits that are not named are its own.
        prune: its pruning rule.
    """

    limit: int | Literal["none"] | None = None
    memory_cap: int | None = None
    search: str | None = None
    prune: str | None = None


@dataclass(frozen=True)
class Retried:
    """What came of a retry.

    Attributes:
        retry_of: the run.
        summary: of the retry's own deals; None when there was nothing to retry.
        whole: what both say together.
    """

    retry_of: str
    summary: Summary | None
    whole: Whole


def retry(
    location: str | os.PathLike[str],
    changes: Changes,
    out: str | os.PathLike[str] | None = None,
    *,
    shard_size: int | None = None,
    options: ExecutionOptions | None = None,
    show: Show = lambda event: None,
) -> Retried:
    """Try the undecided deals of a run again.

    Args:
        location: of the run.
        changes: the other settings; one of them at least must be able to decide more.
        out: where the retry is kept; None is beside the run, named after it and the changes.
        shard_size: in deals, for a new retry.
        options: how it is computed.
        show: is told what happens; at the end, what both runs say together.

    Raises:
        UsageError: nothing that is changed could decide more.
        RunIncomplete: the run lacks deals.
        DealsweepError: as `pipeline.driver.start` does.
    """
    run = RunStore.open(_plain(location))
    place = run.folder.location
    config = _changed(run.config, changes)
    undecided, counts = _look_at(place)
    if not len(undecided):
        show(Ended(whole := Whole(place, place, config.verdicts, counts, counts, {})))
        return Retried(place, None, whole)
    _check_gain(run.config, config, place)
    target = _plain(out) if out is not None else beside(place, _name(run.config, config, place))
    if target == place or target.startswith(f"{place}/"):
        raise UsageError(f"{target} lies in the run {place}: keep the retry somewhere else")
    size = retry_shard_size(len(undecided)) if shard_size is None else check_shard_size(shard_size)
    link = Link(refer(place, target), run.config.fingerprint)
    record = RunRecord(config, undecided.span, size, link)
    summary = driver.start_retry(record, undecided, target, options=options, show=show)
    return Retried(place, summary, tell_whole(target, show))


def tell_whole(location: str | os.PathLike[str], show: Show) -> Whole:
    """Show what a retry and the run that it retries say together."""
    store = RunStore.open(location)
    older = store.retried()
    assert older is not None, "only a retry has a whole"
    before, after = older.folder.location, store.folder.location
    with open_runs([before, after]) as session:
        counts = _counts(session)
        reasons = _ask(
            session,
            "SELECT reason, count(*) AS deals FROM deals JOIN runs USING (run) "
            "WHERE location = $location AND winnable IS NULL GROUP BY reason ORDER BY reason",
            location=after,
        )
    left = {row["reason"]: row["deals"] for row in reasons}
    whole = Whole(after, before, store.config.verdicts, counts[before], counts[after], left)
    show(Ended(whole))
    return whole


def _plain(location: str | os.PathLike[str]) -> str:
    """The absolute location without `..`: its last part is to be a name, the part before it a folder."""
    place = absolute(location)
    return place if is_remote(place) else os.path.normpath(place)


def _changed(old: RunConfig, changes: Changes) -> RunConfig:
    """The run's configuration with the changes, by this machine's solver.

    Raises UsageError, or BuildMismatch when this solver plays other rules.
    """
    settings = old.settings
    # Prune and limits of another search mean something else.
    kept = settings if changes.search in (None, settings["search"]) else {}
    limit = kept.get("limit") if changes.limit is None else changes.limit
    config = RunConfig.resolve(
        old.game,
        rules=settings["rules"],
        rule=settings["switches"],
        search=changes.search or settings["search"],
        prune=changes.prune or kept.get("prune"),
        limit=None if limit == "none" else limit,
        memory_cap=changes.memory_cap or kept.get("memory_cap_bytes"),
        solutions=old.solutions,
    )
    if changes.limit == "none" and config.settings["limit"] is not None:
        standard = config.settings["limit"]
        raise UsageError(f"this search always has a limit, by itself {standard:,}: give --limit a number")
    for name in ("rules", "switches"):
        if config.settings[name] != settings[name]:
            raise BuildMismatch(
                f"this build of the solver knows other {name}: the run's are {settings[name]}"
            )
    if config.dealer != old.dealer:
        raise BuildMismatch(f"this build of the solver deals by {config.dealer}, the run's by {old.dealer}")
    return config


def _check_gain(old: RunConfig, new: RunConfig, place: str) -> None:
    """Raise UsageError when nothing that differs could decide a deal that the run left open."""
    was, now = old.settings, new.settings
    if any(was[name] != now[name] for name in ("search", "prune")) or old.sources != new.sources:
        return
    limit, most = now["limit"], was["limit"]
    if most is not None and (limit is None or limit > most):
        return
    if new.memory_cap_bytes > old.memory_cap_bytes:
        return
    had = "no limit" if most is None else f"limit {most:,}"
    raise UsageError(
        f"{place} had {had} and a memory cap of {old.memory_cap_bytes:,} bytes: a retry decides more only "
        "with a larger --limit (or none), a larger --memory-cap or another --search"
    )


def _name(old: RunConfig, new: RunConfig, place: str) -> str:
    """What a retry beside its run is called: `bh-retry-limit-100000`."""
    was, now = old.settings, new.settings
    parts = [
        f"{word}-{'none' if now[name] is None else now[name]}"
        for name, word in (
            ("search", "search"),
            ("prune", "prune"),
            ("limit", "limit"),
            ("memory_cap_bytes", "memory"),
        )
        if was[name] != now[name]
    ]
    if old.sources != new.sources:
        parts.append(f"build-{new.sources[:12]}")
    return "-".join([place.rpartition("/")[2], "retry", *parts])


def _look_at(place: str) -> tuple[Selection, dict[str, int]]:
    """The deals of a run without a proof, and how many have each verdict. Raises RunIncomplete."""
    with open_runs(place) as session:
        (run,) = session.parts
        for link in run.links:
            _check_complete(link)
        exhausted = (
            session.ask("SELECT deal FROM deals WHERE winnable IS NULL").table.column("deal").to_numpy()
        )
        asked = unite(*(link.scan.asked for link in run.links))
        failed = subtract(asked, unite(*(link.scan.solved_ranges for link in run.links)))
        return Selection.of(exhausted, *map(deal_numbers, failed)), _counts(session)[place]


def _counts(session: Session) -> dict[str, dict[str, int]]:
    """How many deals of each run, by its location, have each verdict."""
    names = {part.location: part.config.verdicts for part in session.parts}
    counts = {location: dict.fromkeys(verdicts, 0) for location, verdicts in names.items()}
    for row in _ask(session, "SELECT location, tally.* FROM runs JOIN tally USING (run)"):
        deals = (row["solved"], row["unsolvable"], row["exhausted"])
        counts[row["location"]] = dict(zip(names[row["location"]], deals, strict=True))
    return counts


def _check_complete(run: RunRows) -> None:
    if run.scan.missing:
        raise RunIncomplete(
            f"{run.location} is incomplete, deals {describe(run.scan.missing)} are missing; "
            f"first finish it: {resume_command(run.location)}"
        )


def _ask(session: Session, sql: str, **params: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = session.ask(sql, params).table.to_pylist()
    return rows
