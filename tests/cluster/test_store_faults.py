"""Two nodes and an S3 server behind a proxy: whatever fails, a resume gives an undisturbed run's files."""

import os
import signal
import subprocess
import time
import uuid

import faults
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import s3_server
from faulty_proxy import Proxy

import solver

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


POISON = 7_000_000_005


@pytest.fixture(scope="module")
def undisturbed():
    return faults.undisturbed_files()


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    server = s3_server.S3Server(tmp_path_factory.mktemp("s3"))
    try:
        server.start()
        server.make_bucket("runs")
        yield server
    finally:
        server.stop()


@pytest.fixture(scope="module")
def proxy(server):
    proxy = Proxy(server.endpoint)
    yield proxy
    proxy.close()


@pytest.fixture(scope="module")
def cluster(proxy):
    poison = {"DEALSWEEP_TEST_POISON": str(POISON)}
    cluster = faults.ClusterProcess(2, {**s3_server.environment(proxy.endpoint), **poison})
    yield cluster
    cluster.stop()


class Run:
    """A run in the store, its drivers, and what it holds."""

    def __init__(self, cluster, server, proxy):
        self.cluster, self.server = cluster, server
        self.prefix = f"runs/{uuid.uuid4().hex}"
        self.location = f"s3://{self.prefix}"
        self.environment = {**cluster.environment, **s3_server.environment(proxy.endpoint)}
        self.drivers = []

    def drive(self, *words):
        words = [*words, "--address", self.cluster.address]
        self.drivers.append(faults.Driver(words, self.environment))
        return self.drivers[-1]

    def start(self):
        return self.drive("run", *faults.WORDS, "--out", self.location)

    def resume(self):
        return self.drive("resume", self.location)

    def files(self):
        return self.server.objects(self.prefix)


def slow_puts(seconds):
    return lambda method, path: seconds if method == "PUT" and "/shards/" in path else None


@pytest.fixture
def run(cluster, server, proxy):
    run = Run(cluster, server, proxy)
    yield run
    proxy.rule = lambda method, path: None
    for driver in run.drivers:
        driver.clean_up()
        # Shown when the test has failed.
        print(*(event for event in driver.events if event["event"] not in ("shard", "progress")), sep="\n")


def test_answers_are_lost_and_puts_are_slow_or_refused(run, proxy, undisturbed):
    count = [0]

    def rule(method, path):
        if method != "PUT" or "/shards/" not in path:
            return None
        count[0] += 1
        return {1: "lose the answer", 3: "refuse", 4: "refuse after", 6: 2.0}.get(count[0] % 8)

    proxy.rule, before = rule, proxy.faults
    driver = run.start()
    code, err = driver.finish()
    assert (code, err) == (0, "")
    assert proxy.faults - before > faults.SHARDS // 3
    assert run.files() == undisturbed
    shown = repr(driver.events) + repr(run.files())
    assert s3_server.SECRET not in shown and s3_server.KEY not in shown


def test_workers_are_killed(run, cluster, proxy, undisturbed):
    proxy.rule = slow_puts(0.5)  # so that they are at work when they are killed
    driver = run.start()
    for _ in range(2):  # a shard that kills three is halved
        driver.wait_for("shard", times=3)
        os.kill(cluster.worker_at_work(), signal.SIGKILL)
    code, err = driver.finish()
    assert (code, err) == (0, "")
    assert "retry" in {event["event"] for event in driver.events}
    assert run.files() == undisturbed


def test_a_second_interrupt_ends_what_is_begun(run, cluster):
    words = ("black-hole", "1..200000", "--search", "reference", "--shard-size", "100000")
    driver = run.drive("run", *words, "--out", run.location)
    driver.wait_for("running")
    cluster.worker_at_work()
    driver.process.send_signal(signal.SIGINT)
    driver.wait_for("interrupt")
    driver.process.send_signal(signal.SIGINT)
    code, err = driver.finish()
    assert code == 130 and f"dealsweep resume {run.location}" in err
    assert any(not at_work for at_work in faults.patiently(lambda: list(cluster.workers_at_work())))
    assert list(run.files()) == ["run.json"]


def test_the_driver_is_killed_and_a_second_one_refused(run, proxy, undisturbed):
    proxy.rule = slow_puts(2.0)  # so that the first one is still at work when the second one asks
    driver = run.start()
    driver.wait_for("shard", times=3)
    code, err = run.resume().finish()
    assert code == 11
    assert "another driver is at work" in err and str(driver.process.pid) in err
    driver.kill()
    proxy.rule = slow_puts(0.0)
    done = run.files()
    assert all(undisturbed[name] == data for name, data in done.items() if "shards/" in name)
    resumed = run.resume()
    code, err = resumed.finish()
    assert (code, err) == (0, "")
    assert run.files() == undisturbed


def test_the_store_is_killed_and_comes_back(run, server, undisturbed):
    driver = run.start()
    driver.wait_for("shard", times=8)
    server.kill()
    time.sleep(4)
    server.start()
    code, err = driver.finish()
    assert (code, err) == (0, "")
    assert run.files() == undisturbed


def test_a_poison_deal_is_a_failure(run):
    asked = f"{POISON - 20}..{POISON + 15}"
    driver = run.drive("run", "black-hole", asked, "--limit", 50, "--shard-size", 12, "--out", run.location)
    code, _ = driver.finish()
    assert code == 3
    (deals,) = (event["deals"] for event in driver.events if event["event"] == "summary")
    assert (deals["asked"], deals["done"], deals["failed"], deals["missing"]) == (36, 35, 1, 0)
    assert f"failures/{POISON:020d}.json" in run.files()
    assert not [name for name in run.files() if name.startswith(("locks", "tmp", "probes", "quarantine"))]


def test_a_retry_lies_beside_its_run(run, proxy, server):
    words = ("black-hole", "1..120", "--search", "reference", "--limit", 200, "--shard-size", 12)
    assert run.drive("run", *words, "--out", run.location).finish() == (0, "")
    proxy.times(3, "PUT", "/picked/", "refuse")
    assert run.drive("retry", run.location, "--limit", 20_000).finish() == (0, "")
    retried = server.objects(f"{run.prefix}-retry-limit-20000")
    assert {name.partition("/")[0] for name in retried} == {"run.json", "picked", "shards"}
    first, second = (
        solver.solve_range("black-hole", 1, 120, search="reference", limit=limit) for limit in (200, 20_000)
    )
    open_at_first = [i for i, verdict in enumerate(first["verdict"]) if verdict == "exhausted"]
    assert 10 < len(open_at_first) < 110
    assert rows_of(run.files()) == [(i + 1, first["verdict"][i], first["iterations"][i]) for i in range(120)]
    assert rows_of(retried) == [(i + 1, second["verdict"][i], second["iterations"][i]) for i in open_at_first]


def rows_of(files):
    """Deal, verdict and iterations, from the shards among a run's files."""
    shards = [
        pq.read_table(pa.BufferReader(files[name])) for name in sorted(files) if name.startswith("shards/")
    ]
    return [
        (row["deal"], row["verdict"], row["iterations"])
        for row in pa.concat_tables(shards).select(["deal", "verdict", "iterations"]).to_pylist()
    ]


@pytest.fixture
def small_disk(tmp_path):
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=80m", "tmpfs", str(disk)]
    if os.geteuid() or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("a file system of 80 MB cannot be mounted here")
    yield disk
    subprocess.run(["umount", "--lazy", str(disk)], check=True)


def test_a_full_disk_ends_the_run_and_loses_nothing(run, small_disk, undisturbed, tree):
    run.location = folder = str(small_disk / "run")
    driver = run.start()
    driver.wait_for("running")
    os.kill(driver.process.pid, signal.SIGSTOP)  # hands out nothing more until the disk is full
    with (small_disk / "filler").open("wb", buffering=0) as filler:
        for size in (1 << 20, 4096):
            with pytest.raises(OSError, match="No space"):
                while True:
                    assert filler.write(bytes(size))
    os.kill(driver.process.pid, signal.SIGCONT)
    code, err = driver.finish()
    assert code == 1
    assert "No space left on device" in err and f"dealsweep resume {folder}" in err
    assert all(undisturbed[name] == data for name, data in tree(folder).items())
    # There is still no room: that is said before anything is run.
    code, err = run.resume().finish()
    assert code == 1
    (small_disk / "filler").unlink()
    assert run.resume().finish() == (0, "")
    assert tree(folder) == undisturbed


def test_a_node_is_killed_and_another_joins(run, cluster, proxy, undisturbed):
    proxy.rule = slow_puts(2.0)  # so that there is still work when the new node comes
    driver = run.start()
    assert driver.wait_for("running")["workers"] == 2
    driver.wait_for("shard", times=4)
    cluster.tell("kill", 0)
    assert "1 workers, 2 before" in str(driver.wait_for("cluster"))
    assert cluster.tell("add") == {"nodes": 2}
    assert "2 workers, 1 before" in str(driver.wait_for("cluster"))
    proxy.rule = slow_puts(0.0)
    code, err = driver.finish()
    assert (code, err) == (0, "")
    assert run.files() == undisturbed


def test_the_head_is_killed(run, cluster, proxy, undisturbed):
    # Nodes go on for a while without their head; the run is to last longer than the driver's patience.
    proxy.rule = slow_puts(3.0)
    driver = run.start()
    driver.wait_for("shard", times=4)
    cluster.tell("kill", "head")
    code, err = driver.finish()
    assert code == 1
    assert "the head of the cluster is gone" in err
    assert f"dealsweep resume {run.location}" in err
    proxy.rule = slow_puts(0.0)
    done = run.files()
    assert all(undisturbed[name] == data for name, data in done.items() if "shards/" in name)
    run.cluster = fresh = faults.ClusterProcess(1, s3_server.environment(proxy.endpoint))
    try:
        run.environment = {**run.environment, **fresh.environment}
        code, err = run.resume().finish()
        assert (code, err) == (0, "")
        assert run.files() == undisturbed
    finally:
        fresh.stop()
