import dataclasses
import json

import pytest

from pipeline.config import ExecutionOptions, RunConfig, RunRecord, parse_bytes
from pipeline.deals import DealRange
from pipeline.errors import RunDamaged, UsageError


@pytest.fixture
def config():
    return RunConfig.resolve("black-hole", limit=2000, memory_cap=10**9)


def test_equal_requests_have_equal_fingerprints(config):
    again = RunConfig.resolve("black-hole", limit=2000, memory_cap=config.memory_cap_bytes)
    assert again == config
    assert again.fingerprint == config.fingerprint
    assert RunConfig.from_json(json.loads(json.dumps(config.to_json()))) == config


@pytest.mark.parametrize(
    ("change", "line"),
    [
        ({"limit": 3000}, "limit: 2000 here, 3000 there"),
        ({"limit": 2000, "search": "reference"}, "search: fast here, reference there"),
        ({"limit": 2000, "solutions": True}, "solutions: False here, True there"),
    ],
)
def test_whatever_changes_rows_changes_the_fingerprint(config, change, line):
    other = RunConfig.resolve("black-hole", **{"memory_cap": 10**9, **change})
    assert other.fingerprint != config.fingerprint
    assert config.differences(other) == [line]


@pytest.mark.parametrize("change", [{"sources": "x"}, {"dealer": "x"}, {"schema_version": 99}])
def test_build_dealer_and_schema_are_part_of_the_fingerprint(config, change):
    other = dataclasses.replace(config, **change)
    assert other.fingerprint != config.fingerprint
    assert len(config.differences(other)) == 1


@pytest.mark.parametrize(
    ("request_", "fault"),
    [
        ({"game": "klondike"}, "unknown game"),
        ({"game": "black-hole", "limit": 0}, "limit"),
        ({"game": "black-hole", "rules": "nonsense"}, "nonsense"),
        ({"game": "black-hole", "rule": {"nonsense": "1"}}, "nonsense"),
        ({"game": "black-hole", "search": "nonsense"}, "nonsense"),
        ({"game": "black-hole", "prune": "nonsense"}, "nonsense"),
    ],
)
def test_requests_that_no_game_serves_are_usage_errors(request_, fault):
    with pytest.raises(UsageError, match=fault) as caught:
        RunConfig.resolve(**request_)
    assert "\n" not in str(caught.value)


def test_a_record_is_a_pure_function_of_its_content(config):
    record = RunRecord(config, DealRange(1, 600), 100)
    assert record.to_bytes() == RunRecord(config, DealRange(1, 600), 100).to_bytes()
    assert RunRecord.from_bytes(record.to_bytes()) == record


@pytest.mark.parametrize(
    "damage",
    [
        lambda d: d[:50],
        lambda d: b"",
        lambda d: b"[1, 2]",
        lambda d: b"\xff\xfe",
        lambda d: d.replace(b'"limit": 2000', b'"limit": 2001'),
        lambda d: d.replace(b'"first": 1', b'"first": 0'),
        lambda d: d.replace(b'"first": 1,', b""),
        lambda d: d.replace(b'"shard_size": 100', b'"shard_size": 0'),
        lambda d: d.replace(b"dealsweep run", b"something else"),
        lambda d: d.replace(b'"settings": {', b'"settings": 5, "x": {'),
    ],
)
def test_damaged_records_are_named(config, damage):
    data = RunRecord(config, DealRange(1, 600), 100).to_bytes()
    with pytest.raises(RunDamaged, match=r"run\.json is damaged") as caught:
        RunRecord.from_bytes(damage(data))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "size"),
    [("2GB", 2 * 10**9), ("512MiB", 512 * 2**20), ("1_000", 1000), ("1.5k", 1500), ("4gib", 4 * 2**30)],
)
def test_sizes(text, size):
    assert parse_bytes(text) == size


@pytest.mark.parametrize("text", ["", "0", "-1", "x", "5QB", "9999999TB", "1 2"])
def test_bad_sizes(text):
    with pytest.raises(UsageError):
        parse_bytes(text)


def test_workers_are_checked():
    with pytest.raises(UsageError):
        ExecutionOptions(workers=0)
