"""What is said of a run at its end, and by `status`: coverage, verdicts, win rate, iterations."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field
from typing import Any

from pipeline.deals import Deals, DealSet, count_deals, describe
from pipeline.errors import ExitCode
from pipeline.objects import follow
from pipeline.scan import BrokenFile, Scan
from pipeline.tally import Tallies, Tally, WinRate, win_rate


def resume_command(location: str) -> str:
    """The command that finishes a run."""
    return f"dealsweep resume {shlex.quote(location)}"


@dataclass(frozen=True)
class Effort:
    """What one driver did.

    Attributes:
        deals: how many it had solved.
        seconds: of wall time, from the first task to the last.
        slowest: the shard that took longest, and its seconds; None when nothing was solved.
    """

    deals: int = 0
    seconds: float = 0.0
    slowest: tuple[Deals, float] | None = None


@dataclass(frozen=True)
class Summary:
    """A run as it stands.

    Attributes:
        location: where it is kept.
        config: its configuration, as JSON values.
        fingerprint: of the configuration.
        shard_size: in deals.
        asked: the deals that were asked for.
        missing: those that are neither solved nor failed.
        failures: deals that killed their workers, with the reason.
        broken: files among the shards that count for nothing.
        shards_done: committed shards.
        shards_missing: shards still to be run.
        verdicts: the names of the three verdicts.
        tallies: exact counts and sums by verdict.
        retry_of: the run whose undecided deals this one takes up; None when it is no retry. All else
            here is of this run's own deals.
        effort: what this driver did; None when it only looked.
    """

    location: str
    config: dict[str, Any]
    fingerprint: str
    shard_size: int
    asked: DealSet
    missing: DealSet
    failures: dict[int, str]
    broken: tuple[BrokenFile, ...]
    shards_done: int
    shards_missing: int
    verdicts: tuple[str, str, str]
    tallies: Tallies
    retry_of: str | None = None
    effort: Effort | None = field(default=None)

    @classmethod
    def of(cls, scan: Scan) -> Summary:
        """What a scan found."""
        config, link = scan.record.config, scan.record.retry_of
        return cls(
            location=scan.location,
            config=config.to_json(),
            fingerprint=config.fingerprint,
            shard_size=scan.record.shard_size,
            asked=scan.asked,
            missing=scan.missing,
            failures=scan.failures,
            broken=scan.broken,
            shards_done=len(scan.shards),
            shards_missing=scan.shards_missing,
            verdicts=config.verdicts,
            tallies=scan.tallies,
            retry_of=None if link is None else follow(link.run, scan.location),
        )

    @property
    def exit_code(self) -> ExitCode:
        """Complete, complete with failed deals, or incomplete."""
        if self.missing:
            return ExitCode.INCOMPLETE
        return ExitCode.FAILED_DEALS if self.failures else ExitCode.COMPLETE

    @property
    def deals_done(self) -> int:
        """How many deals have rows."""
        return sum(tally.deals for tally in self.tallies.values())

    @property
    def win_rate(self) -> WinRate:
        """Over all deals with rows."""
        won, _, undecided = (self.tallies[name].deals for name in self.verdicts)
        return win_rate(self.deals_done, won, undecided)

    @property
    def all_iterations(self) -> Tally:
        """All verdicts together."""
        return sum(self.tallies.values(), Tally())

    def to_json(self) -> dict[str, Any]:
        """Every figure by name, as plain JSON values."""
        value: dict[str, Any] = {
            "run": self.location,
            "game": self.config["settings"]["game"],
            "range": describe(self.asked, most=1_000_000),
            "ranges": [[deals.first, deals.last] for deals in self.asked],
            "complete": not self.missing,
            "deals": {
                "asked": count_deals(self.asked),
                "done": self.deals_done,
                "failed": len(self.failures),
                "missing": count_deals(self.missing),
            },
            "shards": {
                "size": self.shard_size,
                "done": self.shards_done,
                "missing": self.shards_missing,
                "broken": len(self.broken),
            },
            "missing": [[deals.first, deals.last] for deals in self.missing],
            "failures": [{"deal": deal, "reason": reason} for deal, reason in self.failures.items()],
            "broken": [{"name": file.name, "reason": file.reason} for file in self.broken],
            "verdicts": {name: _iterations(tally) for name, tally in self.tallies.items()},
            "config": self.config,
            "fingerprint": self.fingerprint,
        }
        if self.retry_of is None:
            value["win_rate"] = self.win_rate.to_json()
        else:
            value["retry_of"] = self.retry_of  # and no rate: that of hard deals alone says nothing
        if self.effort is not None:
            value["effort"] = _effort(self.effort)
        return value

    def lines(self) -> list[str]:
        """The same for people, as lines of plain text."""
        settings = self.config["settings"]
        lines = [
            f"{settings['game']} {describe(self.asked)} in {self.location}",
            f"  rules {settings.get('rules')}, search {settings['search']}, prune {settings.get('prune')}, "
            f"limit {_or_none(settings.get('limit'))}, solver {self.config['sources'][:12]}",
            f"  deals: {count_deals(self.asked):,} asked, {self.deals_done:,} done, "
            f"{len(self.failures):,} failed, {count_deals(self.missing):,} missing",
            f"  shards of {self.shard_size:,}: {self.shards_done:,} done, {self.shards_missing:,} missing, "
            f"{len(self.broken):,} broken",
        ]
        if self.retry_of is not None:
            lines.insert(1, f"  a retry of {self.retry_of}; these are its own deals alone")
        if self.deals_done:
            lines += self._verdict_lines()
            if self.retry_of is None:
                lines.append(_rate_line(self.win_rate))
        lines += [f"  broken: {file.name}: {file.reason}" for file in self.broken[:20]]
        lines += [f"  failed: deal {deal}: {why}" for deal, why in list(self.failures.items())[:20]]
        if self.missing:
            lines.append(f"  missing: {describe(self.missing)}")
        if self.effort is not None and self.effort.deals:
            lines.append(_effort_line(self.effort))
        return lines

    def _verdict_lines(self) -> list[str]:
        wide = max(len(name) for name in self.verdicts)
        rows = [*self.tallies.items(), ("all", self.all_iterations)]
        return [
            f"  {name:<{wide}} {tally.deals:>13,}   iterations: mean {_figure(tally.mean)}, "
            f"std dev {_figure(tally.deviation)}"
            for name, tally in rows
            if tally.deals
        ]


@dataclass(frozen=True)
class Whole:
    """What a retry and the run that it retries say together: of each deal the stronger verdict.

    Attributes:
        location: of the retry; of the run itself when there is nothing to retry.
        retry_of: the run that it retries.
        verdicts: the names of the three verdicts.
        before: how many deals had each verdict without the retry.
        after: how many have it with the retry.
        reasons: how many deals are still undecided for each reason: limit, memory.
    """

    location: str
    retry_of: str
    verdicts: tuple[str, str, str]
    before: dict[str, int]
    after: dict[str, int]
    reasons: dict[str, int]

    @property
    def decided(self) -> dict[str, int]:
        """How many deals the retry has decided, by verdict."""
        return {name: self.after[name] - self.before[name] for name in self.verdicts[:2]}

    @property
    def win_rate(self) -> WinRate:
        """Over all deals with a row in either."""
        return win_rate(sum(self.after.values()), self.after[self.verdicts[0]], self.after[self.verdicts[2]])

    def to_json(self) -> dict[str, Any]:
        """Every figure by name, as plain JSON values."""
        return {
            "run": self.location,
            "retry_of": self.retry_of,
            "before": self.before,
            "decided_now": self.decided,
            "after": self.after,
            "undecided": self.reasons,
            "win_rate": self.win_rate.to_json(),
        }

    def lines(self) -> list[str]:
        """The same for people, as lines of plain text."""
        if self.location == self.retry_of:
            return [
                f"{self.location}: nothing is undecided, so that nothing is retried",
                _rate_line(self.win_rate),
            ]
        left = self.after[self.verdicts[2]]
        reasons = ", ".join(f"{deals:,} by {name}" for name, deals in self.reasons.items())
        return [
            f"with {self.retry_of}, the stronger verdict of each deal:",
            f"  before: {_counted(self.before)}",
            f"  decided now: {_counted(self.decided)}",
            f"  still undecided: {left:,}" + (f" ({reasons})" if reasons else ""),
            _rate_line(self.win_rate),
        ]


def _counted(deals: dict[str, int]) -> str:
    return ", ".join(f"{number:,} {name}" for name, number in deals.items())


def _rate_line(rate: WinRate) -> str:
    least, most = rate.least or 0.0, rate.most or 0.0
    share = f"{least:.4%}" if not rate.undecided else f"{least:.4%} to {most:.4%}"
    noun = "deal" if rate.undecided == 1 else "deals"
    undecided = f"; {rate.undecided:,} undecided {noun} counted both ways" if rate.undecided else ""
    return (
        f"  win rate {share}, 95 % interval {rate.low:.4%} to {rate.high:.4%} "
        f"(Wilson, n = {rate.deals:,}{undecided})"
    )


def _iterations(tally: Tally) -> dict[str, int | float | None]:
    return {**tally.to_json(), "iterations_mean": tally.mean, "iterations_deviation": tally.deviation}


def _effort(effort: Effort) -> dict[str, Any]:
    slowest = effort.slowest
    return {
        "deals": effort.deals,
        "seconds": round(effort.seconds, 3),
        "deals_per_second": round(effort.deals / effort.seconds, 1) if effort.seconds else None,
        "slowest_shard": slowest and {"range": str(slowest[0]), "seconds": round(slowest[1], 3)},
    }


def _effort_line(effort: Effort) -> str:
    speed = f", {effort.deals / effort.seconds:,.0f} deals/s" if effort.seconds else ""
    slowest = f"; slowest shard {effort.slowest[0]}: {effort.slowest[1]:.1f} s" if effort.slowest else ""
    return f"  this time: {effort.deals:,} deals in {effort.seconds:.1f} s{speed}{slowest}"


def _figure(value: float | None) -> str:
    return "-" if value is None else f"{value:,.3f}"


def _or_none(value: int | None) -> str:
    return "none" if value is None else f"{value:,}"
