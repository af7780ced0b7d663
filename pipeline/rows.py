"""Runs as a question sees them: the committed rows, and what is known around them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.dataset as ds  # type: ignore[import-untyped]
from pyarrow import fs

from pipeline.config import RunConfig
from pipeline.deals import DealRange
from pipeline.errors import BrokenShard, DealsweepError, RunDamaged
from pipeline.objects import ObjectFolder, same_place
from pipeline.scan import Scan
from pipeline.schema import shard_schema
from pipeline.shard_table import shard_name
from pipeline.store import RunStore


@dataclass(frozen=True)
class RunRows:
    """One run, as it was when it was opened.

    Attributes:
        name: what the run is called in answers: the last part of its location, or all of it where
            two runs would be called the same.
        store: where it is kept.
        scan: what it holds.
        older: of a retry, the runs that it stands on, from the first one to the one that it retries.
    """

    name: str
    store: RunStore
    scan: Scan
    older: tuple[RunRows, ...] = ()

    @property
    def links(self) -> tuple[RunRows, ...]:
        """The runs whose rows it speaks of, from the first one to itself."""
        return (*self.older, self)

    @property
    def config(self) -> RunConfig:
        """What the run computes."""
        return self.store.config

    @property
    def location(self) -> str:
        """Where the run is kept."""
        return self.scan.location

    @property
    def failed(self) -> tuple[DealRange, ...]:
        """The deals that killed every worker that tried them."""
        return tuple(DealRange(deal, deal) for deal in self.scan.failures)

    def states(self) -> Iterator[tuple[DealRange, str]]:
        """Every range of deals with what became of it, in order."""
        states = [
            *((deals, "committed") for deals in self.scan.solved_ranges),
            *((deals, "missing") for deals in self.scan.missing),
            *((deals, "failed") for deals in self.failed),
        ]
        return iter(sorted(states))

    @cached_property
    def rules(self) -> str:
        """The named rule set, with the switches that were changed: `masten (order=4321)`.

        Two runs with the same text here have the same rules.
        """
        settings = self.config.settings
        named, switches = str(settings["rules"]), dict(settings.get("switches") or {})
        try:
            standard = RunConfig.resolve(self.config.game, rules=named).settings["switches"]
        except (DealsweepError, ImportError):
            standard = {}  # another build's rules: every switch is told
        changed = [f"{name}={value}" for name, value in switches.items() if standard.get(name) != value]
        return f"{named} ({', '.join(changed)})" if changed else named

    def rows(self) -> ds.Dataset:
        """The committed rows; every page is checked against its checksum when it is read."""
        schema = shard_schema(self.config)
        if not self.scan.shards:
            return ds.dataset(schema.empty_table())
        options = ds.ParquetFragmentScanOptions(page_checksum_verification=True)
        root, files = _open_files(self.store.folder)
        return ds.FileSystemDataset.from_paths(
            [root + shard_name(deals) for deals in self.scan.shards],
            schema=schema,
            format=ds.ParquetFileFormat(default_fragment_scan_options=options),
            filesystem=files,
        )

    def find_damage(self) -> None:
        """Read every shard whole. Raises BrokenShard, naming the first that is damaged."""
        for deals in self.scan.shards:
            try:
                self.store.check_rows(deals, self.scan.selection)
            except BrokenShard as error:
                raise BrokenShard(
                    f"{self.location}/{shard_name(deals)} is damaged: {error}; "
                    f"`dealsweep verify {self.location}` finds all such files"
                ) from None
            except FileNotFoundError:
                raise BrokenShard(f"{self.location}/{shard_name(deals)} has vanished; ask again") from None


def read_runs(places: Sequence[str]) -> list[RunRows]:
    """Open and list every run. Raises RunNotFound, RunDamaged or StoreError."""
    # A run that is named twice is asked once.
    chains = {chain[-1].folder.location: chain for chain in map(_follow, map(RunStore.open, places))}
    stores = {store.folder.location: store for chain in chains.values() for store in chain}
    short = {location: location.rstrip("/").rpartition("/")[2] for location in stores}
    asked = [short[location] for location in chains]
    names = {
        location: name
        for location, name in short.items()
        if (asked if location in chains else list(short.values())).count(name) == 1
    }
    opened: dict[str, RunRows] = {}
    for chain in chains.values():
        older: tuple[RunRows, ...] = ()
        for store in chain:
            place = store.folder.location
            if place not in opened:
                opened[place] = RunRows(names.get(place, place), store, store.scan(), older)
            older = (*older, opened[place])
    return [opened[location] for location in chains]


def _follow(store: RunStore) -> tuple[RunStore, ...]:
    """A run after the runs that it stands on. Raises RunDamaged when it stands on itself."""
    chain = [store]
    while (older := chain[0].retried()) is not None:
        if any(same_place(older.folder.location, other.folder.location) for other in chain):
            raise RunDamaged(f"{store.folder.location} is a retry that leads back to itself")
        chain.insert(0, older)
    return tuple(chain)


def _open_files(folder: ObjectFolder) -> tuple[str, fs.FileSystem]:
    if folder.path is not None:
        return f"{folder.path.as_posix()}/", fs.LocalFileSystem()
    return "", fs.PyFileSystem(_Objects(folder))


class _Objects(fs.FileSystemHandler):  # type: ignore[misc]
    """An object store as pyarrow reads it: whole objects, a request each, and nothing else."""

    def __init__(self, folder: ObjectFolder) -> None:
        self._folder = folder

    def open_input_file(self, path: str) -> pa.NativeFile:
        return pa.BufferReader(self._folder.read(path))

    def open_input_stream(self, path: str) -> pa.NativeFile:
        return self.open_input_file(path)

    def get_type_name(self) -> str:
        return "objects"

    def normalize_path(self, path: str) -> str:
        return path

    def _refuse(self, *_: Any) -> Any:
        raise NotImplementedError("rows are only read")

    get_file_info = get_file_info_selector = create_dir = delete_dir = delete_dir_contents = _refuse
    delete_root_dir_contents = delete_file = move = copy_file = _refuse
    open_output_stream = open_append_stream = _refuse
