"""What a run computes (RunConfig) apart from how it is computed (ExecutionOptions)."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pipeline.deals import DealRange
from pipeline.errors import RunDamaged, UsageError

SCHEMA_VERSION = 1
"""Counts up whenever the columns or the footer of a shard change their meaning."""

FORMAT = "dealsweep run"


def canonical_json(value: Any) -> str:
    """The one JSON text of a value: sorted keys, no spaces, ASCII."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True)


@dataclass(frozen=True)
class RunConfig:
    """All that the rows of a run depend on, and nothing else.

    Attributes:
        settings: the solver's own settings, with defaults filled in and named rules spelt out.
        verdicts: the names of verdict codes 0, 1 and 2.
        own_columns: the names of the game's own columns.
        sources: the digest of the solver's sources.
        dealer: which numbering of deals this is.
        schema_version: of the files.
    """

    settings: Mapping[str, Any]
    verdicts: tuple[str, str, str]
    own_columns: tuple[str, ...]
    sources: str
    dealer: str
    schema_version: int = SCHEMA_VERSION

    @classmethod
    def resolve(
        cls,
        game: str,
        *,
        rules: str | None = None,
        rule: Mapping[str, str | int] | None = None,
        search: str | None = None,
        prune: str | None = None,
        limit: int | None = None,
        memory_cap: int | None = None,
        solutions: bool = False,
    ) -> RunConfig:
        """The configuration of a request, by this machine's solver. Raises UsageError.

        Args:
            game: a game's name or alias.
            rules: a named rule set; None is the game's default.
            rule: switches over the named rules.
            search: a search of the game; None is its default.
            prune: a pruning rule.
            limit: iterations a deal; None is the search's default.
            memory_cap: bytes of tables a deal; None is the search's default.
            solutions: whether rows carry winning lines.
        """
        import solver  # noqa: PLC0415 - the native core is loaded only where something is solved

        try:
            session = solver.open_solver(
                game,
                rules=rules,
                rule=rule,
                search=search,
                prune=prune,
                limit=limit,
                memory_cap=memory_cap,
                solutions=solutions,
            )
        except ValueError as error:
            raise UsageError(str(error)) from None
        build = solver.build_info()
        return cls(
            settings=session.settings,
            verdicts=session.verdicts,
            own_columns=tuple(session.own_columns),
            sources=build["sources"],
            dealer=build["dealer"],
        )

    @property
    def game(self) -> str:
        """The game's canonical name."""
        return str(self.settings["game"])

    @property
    def plays_itself(self) -> bool:
        """Whether the game has no choices."""
        import solver  # noqa: PLC0415 - the native core is loaded only where something is solved

        return solver.plays_itself(self.verdicts)

    @property
    def solutions(self) -> bool:
        """Whether rows carry winning lines."""
        return bool(self.settings["solutions"])

    @property
    def memory_cap_bytes(self) -> int:
        """What the tables of one deal may take, in bytes."""
        return int(self.settings["memory_cap_bytes"])

    def to_json(self) -> dict[str, Any]:
        """As plain JSON values."""
        return {
            "settings": dict(self.settings),
            "verdicts": list(self.verdicts),
            "own_columns": list(self.own_columns),
            "sources": self.sources,
            "dealer": self.dealer,
            "schema_version": self.schema_version,
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> RunConfig:
        """What `to_json` gave. Raises KeyError, TypeError or ValueError for anything else."""
        won, lost, undecided = map(str, value["verdicts"])
        settings = dict(value["settings"])
        for name in ("game", "search", "solutions", "memory_cap_bytes"):
            if name not in settings:
                raise KeyError(name)
        return cls(
            settings=settings,
            verdicts=(won, lost, undecided),
            own_columns=tuple(map(str, value["own_columns"])),
            sources=str(value["sources"]),
            dealer=str(value["dealer"]),
            schema_version=int(value["schema_version"]),
        )

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of the canonical JSON: equal for equal rows."""
        return hashlib.sha256(canonical_json(self.to_json()).encode()).hexdigest()

    def differences(self, other: RunConfig) -> list[str]:
        """What differs, as `limit: 2000 here, 3000 there`; "here" is this configuration."""
        here, there = _flatten(self.to_json()), _flatten(other.to_json())
        names = {"sources": "solver build", "schema_version": "file schema", "memory_cap_bytes": "memory cap"}
        return [
            f"{names.get(name, name)}: {_show(here.get(name))} here, {_show(there.get(name))} there"
            for name in dict.fromkeys([*here, *there])
            if here.get(name) != there.get(name)
        ]


def _flatten(value: Mapping[str, Any]) -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for name, inner in value.items():
        if isinstance(inner, Mapping):
            flat.update(_flatten(inner))
        else:
            flat[name] = inner
    return flat


def _show(value: Any) -> str:
    return "none" if value is None else str(value)


@dataclass(frozen=True)
class Link:
    """The run whose undecided deals a retry takes up.

    Attributes:
        run: where it is kept, as the retry's record says it (see pipeline.objects.refer).
        fingerprint: of its configuration.
    """

    run: str
    fingerprint: str


@dataclass(frozen=True)
class RunRecord:
    """The content of run.json: written once, never changed.

    A run may grow by later ranges; each is a record of its own (see pipeline.store), so that
    this one stays as it was. A retry holds picked deals between the first and the last one.
    """

    config: RunConfig
    deals: DealRange
    shard_size: int
    retry_of: Link | None = None

    def to_bytes(self) -> bytes:
        """The file: equal for equal records, to the byte."""
        value: dict[str, Any] = {
            "format": FORMAT,
            "fingerprint": self.config.fingerprint,
            "config": self.config.to_json(),
            "first": self.deals.first,
            "last": self.deals.last,
            "shard_size": self.shard_size,
        }
        if self.retry_of is not None:
            value["retry_of"] = {"run": self.retry_of.run, "fingerprint": self.retry_of.fingerprint}
        return (json.dumps(value, indent=2, sort_keys=True) + "\n").encode()

    @classmethod
    def from_bytes(cls, data: bytes) -> RunRecord:
        """Read run.json. Raises RunDamaged, saying what is wrong with it."""
        try:
            value = json.loads(data)
            if value["format"] != FORMAT:
                raise ValueError(f'its format is "{value["format"]}"')
            record = cls(
                RunConfig.from_json(value["config"]),
                DealRange(int(value["first"]), int(value["last"])),
                int(value["shard_size"]),
                _read_link(value["retry_of"]) if "retry_of" in value else None,
            )
            fingerprint = value["fingerprint"]
        except KeyError as error:
            raise RunDamaged(f"run.json is damaged: it has no {error.args[0]}") from None
        except (TypeError, AttributeError):
            raise RunDamaged("run.json is damaged: it is not a record of a run") from None
        except (ValueError, UsageError) as error:
            raise RunDamaged(f"run.json is damaged: {error}") from None
        if record.shard_size < 1:
            raise RunDamaged(f"run.json is damaged: shard size {record.shard_size}")
        if record.config.fingerprint != fingerprint:
            raise RunDamaged("run.json is damaged: its fingerprint does not fit its configuration")
        return record


def _read_link(value: Mapping[str, Any]) -> Link:
    return Link(str(value["run"]), str(value["fingerprint"]))


@dataclass(frozen=True)
class ExecutionOptions:
    """How a run is computed. Nothing here changes a row or a file.

    Attributes:
        workers: deals solved at once; None is every CPU there is.
        address: a Ray cluster to join; None starts one on this machine.
        window: tasks handed out for each CPU.
        attempts: how often a shard may kill its worker before it is bisected.
    """

    workers: int | None = None
    address: str | None = None
    window: int = 2
    attempts: int = 3

    def __post_init__(self) -> None:
        if self.workers is not None and not 1 <= self.workers <= 100_000:
            raise UsageError(f"--workers {self.workers} is not between 1 and 100000")


_SIZE = re.compile(r"([0-9]+(?:\.[0-9]+)?)\s*([kmgt]?)(i?)b?", re.IGNORECASE)
_POWERS = {"": 0, "k": 1, "m": 2, "g": 3, "t": 4}


def parse_bytes(text: str) -> int:
    """Read `2GB`, `512MiB` or `1000000` as bytes. Raises UsageError."""
    match = _SIZE.fullmatch(text.strip().replace("_", ""))
    if not match:
        raise UsageError(f'"{text}" is not a size such as 512MB or 2GiB')
    number, unit, binary = match.groups()
    size = int(float(number) * (1024 if binary else 1000) ** _POWERS[unit.lower()])
    if not 1 <= size < 2**63:
        raise UsageError(f'"{text}" is not a size between 1 byte and 2^63')
    return size
