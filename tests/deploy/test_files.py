"""The files of deploy/, checked without a network, a cloud, Docker or Kubernetes."""

import json
import re
import shutil
import subprocess
import sys
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
RAY = "2.60.0"


def read(name):
    return yaml.safe_load((DEPLOY / name).read_text())


def images(value):
    """Every image that is named anywhere."""
    if isinstance(value, dict):
        yield from (v for k, v in value.items() if k == "image" and isinstance(v, str))
        value = list(value.values())
    if isinstance(value, list):
        for inner in value:
            yield from images(inner)


def test_the_pinned_version_of_ray_is_one_the_package_accepts():
    wanted = next(
        d
        for d in tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
        if "ray" in d
    )
    assert wanted == "ray>=2.60,<2.61"
    assert version("ray") == RAY
    assert read("rayjob.yaml")["spec"]["rayClusterSpec"]["rayVersion"] == RAY
    assert f"rayproject/ray:{RAY}-py" in (DEPLOY / "Dockerfile").read_text()


PREPARE = """
import json, sys
from ray.autoscaler._private.util import prepare_config, validate_config
config = prepare_config(json.load(sys.stdin))
validate_config(config)
print(json.dumps(config))
"""


def test_the_launcher_takes_the_cluster():
    # In a process of its own: Ray reads its settings once, when it is first imported.
    done = subprocess.run(
        [sys.executable, "-c", PREPARE],
        input=json.dumps(read("cluster.yaml")),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    config = json.loads(done.stdout)
    head, spot = (config["available_node_types"][name] for name in ("head", "spot_worker"))
    assert head["resources"]["CPU"] == 0
    assert "InstanceMarketOptions" not in head["node_config"]
    assert spot["node_config"]["InstanceMarketOptions"]["MarketType"] == "spot"
    assert 1 <= spot["min_workers"] < spot["max_workers"] <= config["max_workers"]
    for commands in ("head_start_ray_commands", "worker_start_ray_commands"):
        assert "RAY_AUTH_MODE=token" in config[commands][-1]


JOB = {
    "entrypoint", "submissionMode", "backoffLimit", "shutdownAfterJobFinishes", "ttlSecondsAfterFinished",
    "submitterConfig", "rayClusterSpec", "activeDeadlineSeconds", "runtimeEnvYAML", "suspend", "jobId",
    "submitterPodTemplate", "metadata", "clusterSelector", "entrypointNumCpus", "deletionStrategy",
    "entrypointNumGpus", "entrypointResources", "managedBy",
}  # fmt: skip
CLUSTER = {
    "rayVersion", "authOptions", "enableInTreeAutoscaling", "autoscalerOptions", "headGroupSpec",
    "workerGroupSpecs", "suspend", "headServiceAnnotations", "gcsFaultToleranceOptions", "managedBy",
}  # fmt: skip
HEAD = {"rayStartParams", "template", "serviceType", "headService", "enableIngress", "resources", "labels"}
GROUP = {
    "groupName", "replicas", "minReplicas", "maxReplicas", "rayStartParams", "template", "numOfHosts",
    "idleTimeoutSeconds", "scaleStrategy", "suspend", "resources", "labels",
}  # fmt: skip
CONTAINER = {
    "name", "image", "env", "envFrom", "ports", "resources", "securityContext", "volumeMounts", "command",
    "args", "imagePullPolicy", "lifecycle", "livenessProbe", "readinessProbe",
}  # fmt: skip


def test_the_job_has_the_structure_of_ray_io_v1():
    job = read("rayjob.yaml")
    assert set(job) == {"apiVersion", "kind", "metadata", "spec"}
    assert (job["apiVersion"], job["kind"]) == ("ray.io/v1", "RayJob")
    spec = job["spec"]
    assert spec.keys() <= JOB
    assert spec["entrypoint"].startswith("dealsweep run ")
    assert spec["shutdownAfterJobFinishes"] is True
    assert spec["backoffLimit"] >= 1
    cluster = spec["rayClusterSpec"]
    assert cluster.keys() <= CLUSTER
    assert cluster["authOptions"] == {"mode": "token"}
    head, groups = cluster["headGroupSpec"], cluster["workerGroupSpecs"]
    assert head.keys() <= HEAD
    assert head["rayStartParams"]["num-cpus"] == "0"
    for group in groups:
        assert group.keys() <= GROUP
        assert group["minReplicas"] <= group["replicas"] <= group["maxReplicas"]
    for group in [head, *groups]:
        assert all(isinstance(value, str) for value in group["rayStartParams"].values())
        for container in group["template"]["spec"]["containers"]:
            assert container.keys() <= CONTAINER
            assert {"name", "image", "resources"} <= container.keys()
            assert container["resources"]["requests"] == container["resources"]["limits"]
            assert container["envFrom"] == [{"secretRef": {"name": "dealsweep-store"}}]
            assert container["securityContext"]["runAsNonRoot"] is True


def test_commands_in_the_files_are_ones_the_program_takes():
    """Every `dealsweep run` that is written down parses, up to the store that is not there."""
    from typer.main import get_command

    from pipeline.cli import app

    text = "\n".join(path.read_text() for path in DEPLOY.iterdir() if path.is_file())
    found = re.findall(r"dealsweep (run|resume|status|verify) ([^\n'`]*)", text)
    assert len(found) >= 4
    for name, words in found:
        command = get_command(app).commands[name]
        command.make_context(name, words.replace("\\", "").split())


def test_no_secret_and_no_floating_image_is_written_down():
    for path in DEPLOY.iterdir():
        text = path.read_text()
        assert not re.search(r"AKIA[0-9A-Z]{16}|BEGIN [A-Z ]*PRIVATE KEY", text), path
        assert ":latest" not in text, path
    for name in ("cluster.yaml", "rayjob.yaml", "compose.yaml"):
        for image in images(read(name)):
            assert image == "dealsweep" or re.search(r":\d", image), image
    compose = read("compose.yaml")
    for service in compose["services"].values():
        assert "ports" not in service
        for variable, value in service["environment"].items():
            if re.search("TOKEN|KEY|SECRET", variable):
                assert value.startswith("${DEALSWEEP_") and ":?" in value


def stages(text):
    """The stages of a Dockerfile, each a list of instructions with their continuation lines joined."""
    plain = re.sub(r"^\s*#.*\n", "", text, flags=re.MULTILINE).replace("\\\n", " ")
    found = []
    for line in filter(None, map(str.strip, plain.splitlines())):
        if line.startswith("FROM "):
            found.append([])
        if found:
            found[-1].append(line)
    return found


def test_the_image_has_no_source_and_no_root():
    build, final = stages((DEPLOY / "Dockerfile").read_text())
    assert build[0].endswith(" AS build")
    copies = [line for line in final if line.startswith(("COPY", "ADD"))]
    assert copies == ["COPY --from=build /tmp/wheels /tmp/wheels"]
    assert [line for line in final if line.startswith("USER")][-1] == "USER 1000"


def test_the_dockerfile_is_lint_free():
    linter = Path(sys.prefix, "bin", "hadolint")
    if not linter.exists() and not shutil.which("hadolint"):
        pytest.skip("hadolint is not installed")
    done = subprocess.run(
        [linter if linter.exists() else "hadolint", DEPLOY / "Dockerfile"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "")
