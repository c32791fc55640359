"""What is deployed: the linters' word, and that it fits the program: settings, figures, ports, users, secrets."""

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import threading
import time
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from prometheus_client.parser import text_string_to_metric_families
from ruamel.yaml import YAML

from server.audit import LIVE, LOG, SNAPSHOT
from server.key_files import read_key
from server.metrics import METRICS, Metrics
from server.settings import Settings, load_settings
from tests.cluster.proxy import configuration
from tests.integration.deploy.chart import Chart, containers_of

ROOT = Path(__file__).parents[3]
DEPLOY = ROOT / "deploy"
BIN = Path(sys.executable).parent
STYLE = """{extends: default, rules: {line-length: {max: 140}, document-start: disable, braces: disable,
  comments: {min-spaces-from-content: 1}}}"""

_yaml = YAML(typ="safe")


def run(*command, **environment):
    return subprocess.run(
        [str(part) for part in command],
        cwd=ROOT,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def compose():
    return _yaml.load((DEPLOY / "compose.yaml").read_text())


def test_the_dockerfile_passes_its_linter():
    told = run(BIN / "hadolint", "deploy/Dockerfile")
    assert (told.returncode, told.stdout) == (0, "")


def test_yaml_files_pass_their_linter():
    files = ["compose.yaml", "prometheus/alerts.yaml", "helm/turnlog/Chart.yaml", "helm/turnlog/values.yaml"]
    told = run(BIN / "yamllint", "--strict", "-d", STYLE, *(DEPLOY / file for file in files))
    assert (told.returncode, told.stdout) == (0, "")


def compose_schema(file):
    """The word of the Compose specification's schema, which the linter brings along."""
    return run(sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec", file).returncode


def test_compose_is_as_its_specification_says(tmp_path):
    assert compose_schema(DEPLOY / "compose.yaml") == 0
    (tmp_path / "compose.yaml").write_text((DEPLOY / "compose.yaml").read_text().replace("read_only:", "readonly:"))
    assert compose_schema(tmp_path / "compose.yaml") == 1


def test_scripts_are_understood_by_a_plain_shell():
    for script in [*DEPLOY.rglob("*.sh"), ROOT / "tests" / "cluster" / "install.sh"]:
        assert run("sh", "-n", script).returncode == 0


def test_the_proxy_understands_its_configuration(tmp_path):
    haproxy = shutil.which("haproxy", path=f"{os.environ['PATH']}:/usr/sbin")
    listen = {"TURNLOG_LISTEN": "127.0.0.1:1", "TURNLOG_NODE_1": "127.0.0.1:2", "TURNLOG_NODE_2": "127.0.0.1:3"}
    assert run(haproxy, "-c", "-f", "deploy/haproxy/haproxy.cfg", **listen).returncode == 0
    four = tmp_path / "four.cfg"
    four.write_text(configuration([1, 2, 3, 4]))
    assert re.findall(r"server (node-\d) 127.0.0.1:(\d)", four.read_text()) == [
        (f"node-{n}", str(n)) for n in range(1, 5)
    ]
    assert run(haproxy, "-c", "-f", four, **listen).returncode == 0


class Anything(BaseHTTPRequestHandler):
    """A node that has an answer at every address."""

    def do_GET(self):
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


@pytest.fixture
def proxy(tmp_path):
    """The proxy before such a node; its port."""
    node = ThreadingHTTPServer(("127.0.0.1", 0), Anything)
    threading.Thread(target=node.serve_forever, daemon=True).start()
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    told = configuration([node.server_port]).replace("expect status 200", "expect status 204")
    (tmp_path / "haproxy.cfg").write_text(told)
    program = shutil.which("haproxy", path=f"{os.environ['PATH']}:/usr/sbin")
    environment = os.environ | {"TURNLOG_LISTEN": f"127.0.0.1:{port}"}
    with subprocess.Popen([program, "-db", "-f", tmp_path / "haproxy.cfg"], env=environment) as process:
        try:
            yield port
        finally:
            process.terminate()
            node.shutdown()
            node.server_close()


def status(port, path):
    with socket.create_connection(("127.0.0.1", port), timeout=5) as connection:
        connection.sendall(f"GET {path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".encode())
        return int(connection.recv(100).split()[1])


def test_the_proxy_shows_figures_to_nobody_however_they_are_asked_for(proxy):
    for _ in range(100):
        with suppress(OSError):
            if status(proxy, "/v1/games") == 204:
                break
        time.sleep(0.05)
    asked = ("/metrics", "/metrics/", "//metrics", "/%6Detrics", "/metrics?a=1", "http://a/metrics", "/metrics%2F")
    assert {path: status(proxy, path) for path in asked} == dict.fromkeys(asked, 403)
    assert status(proxy, "/v1/metrics-of-games") == 204


#: Docker, as far as the README needs it: the program of the image runs here, in the folder of the volume.
DOCKER = """#!{python}
import subprocess, sys
if sys.argv[1] == "run":
    here, there = sys.argv[sys.argv.index("--volume") + 1].split(":")
    arguments = [one.replace(there, here, 1) for one in sys.argv[sys.argv.index("turnlog") + 1:]]
    sys.exit(subprocess.run([sys.executable, "-m", "server.cli", *arguments]).returncode)
"""


@pytest.fixture
def follow(tmp_path):
    """Does what the README says for Compose, in a copy of its folder; the secrets that are there then, by name."""
    (command,) = re.findall(
        r"^```\n(docker build.*?)^```", (DEPLOY / "README.md").read_text(), re.DOTALL | re.MULTILINE
    )
    (tmp_path / "deploy").mkdir()
    shutil.copy(DEPLOY / "make-secrets.sh", tmp_path / "deploy")
    docker = tmp_path / "docker"
    docker.write_text(DOCKER.format(python=sys.executable))
    docker.chmod(0o755)
    path = f"{tmp_path}:{os.environ['PATH']}"

    def follow():
        done = run("sh", "-euc", f"cd {tmp_path}\n{command}", PATH=path, PYTHONPATH=str(ROOT))
        assert done.returncode == 0, done.stderr
        return {file.name: file for file in (tmp_path / "deploy" / "secrets").iterdir()}

    return follow


def test_every_secret_of_compose_is_made_by_following_the_readme(follow):
    for _ in range(2):  # what is there stays
        made = {name: file.read_text() for name, file in follow().items()}
        assert {Path(one["file"]).name for one in compose()["secrets"].values()} == set(made)
    assert made == {name: file.read_text() for name, file in follow().items()}
    assert made["owner_password"] in made["owner_dsn"]
    assert made["node_password"] in made["node_dsn"]
    assert made["redis_password"] in made["redis_url"]
    assert len(made["node_password"]) == 48
    used = {secret for service in compose()["services"].values() for secret in service.get("secrets", ())}
    assert used == set(compose()["secrets"])


def test_nodes_of_compose_can_read_the_key_of_signed_heads_and_nobody_else_on_the_machine_can(follow):
    """Compose mounts files as they are, and nodes are user 10001: without their key they sign nothing."""
    made = follow()
    assert {name: file.stat().st_mode & 0o777 for name, file in made.items()} == dict.fromkeys(made, 0o444)
    assert made["heads_key"].parent.stat().st_mode & 0o777 == 0o700
    assert read_key(made["heads_key"]).public.name == "turnlog.example.org"
    services = compose()["services"]
    for node in (services["node-1"], services["node-2"]):
        assert node["environment"]["TURNLOG_HEADS_KEY"] == "/run/secrets/heads_key"
        assert "heads_key" in node["secrets"]
    assert [name for name, one in services.items() if "heads_key" in one.get("secrets", ())] == ["node-1", "node-2"]


def test_secrets_are_made_again_by_somebody_who_is_not_root():
    """An earlier run left files that their owner may not write to."""
    nobody = {"user": 65534, "group": 65534, "extra_groups": []} if os.geteuid() == 0 else {}
    with TemporaryDirectory() as folder:
        script, docker = Path(folder, "make-secrets.sh"), Path(folder, "docker")
        shutil.copy(DEPLOY / script.name, script)
        docker.write_text("#!/bin/sh\numask 077\necho key >heads_key\n")
        docker.chmod(0o755)
        if nobody:
            os.chown(folder, nobody["user"], nobody["group"])
        command, path = ["sh", script, "turnlog.example.org"], f"{folder}:{os.environ['PATH']}"
        made = []
        for _ in range(2):
            done = subprocess.run(
                command, cwd=folder, env={"PATH": path}, capture_output=True, text=True, check=False, **nobody
            )
            assert done.returncode == 0, done.stderr
            files = sorted(Path(folder, "secrets").iterdir())
            assert {file.name: file.stat().st_mode & 0o777 for file in files} == {file.name: 0o444 for file in files}
            made.append({file.name: file.read_text() for file in files})
            Path(folder, "secrets", "heads_key").unlink()  # a new one is asked for
        assert made[0] == made[1]


def test_redis_gives_up_what_the_documents_say(follow):
    told = re.findall(r"maxmemory-policy ([a-z-]+)", (ROOT / "docs" / "operation.md").read_text())
    assert re.findall(r"maxmemory-policy ([a-z-]+)", follow()["redis_conf"].read_text()) == told == ["volatile-ttl"]


def test_nodes_of_compose_are_alike_bounded_and_without_privileges():
    services = compose()["services"]
    for node in (services["node-1"], services["node-2"]):
        assert node["read_only"]
        assert node["cap_drop"] == ["ALL"]
        assert {"mem_limit", "pids_limit"} <= node.keys()
        assert node["depends_on"]["migrate"] == {"condition": "service_completed_successfully"}
    assert "ports" not in services["node-1"]
    assert services["proxy"]["environment"]["TURNLOG_NODE_2"] == "node-2:8000"
    dockerfile = (DEPLOY / "Dockerfile").read_text()
    assert re.search(r"^USER 10001$", dockerfile, re.MULTILINE)
    assert "TURNLOG_HOST=0.0.0.0" in dockerfile
    grace = float(services["node-1"]["stop_grace_period"].removesuffix("s"))
    assert grace > 2 * Settings().stop_grace_s


def environments():
    """What a process has in its environment, wherever it is run: what the image sets, and what is set for it."""
    dockerfile = (DEPLOY / "Dockerfile").read_text().replace("\\\n", " ")
    image = dict(
        word.split("=", 1) for line in dockerfile.splitlines() if line.startswith("ENV ") for word in line.split()[1:]
    )
    services, pods = compose()["services"], Chart().pods()
    yield from (image | services[name]["environment"] for name in ("node-1", "node-2", "migrate"))
    containers = (container for pod in pods for container in containers_of(pod))
    yield from (image | {one["name"]: one["value"] for one in container["env"]} for container in containers)


def test_every_process_that_is_deployed_has_settings_that_a_server_takes(tmp_path):
    (tmp_path / "told").write_text("postgresql://a/b\n")
    for environment in environments():
        files = {name: str(tmp_path / "told") for name in environment if name.endswith("_FILE")}
        settings = load_settings(environment | files)
        assert (settings.host, settings.database) == ("0.0.0.0", "postgresql://a/b")


def test_the_image_alone_keeps_its_database_in_the_volume():
    dockerfile = (DEPLOY / "Dockerfile").read_text()
    (folder,) = re.findall(r"^WORKDIR (.*)$", dockerfile.rpartition("\nFROM ")[2], re.MULTILINE)
    assert Path(folder, Settings().database).parent == Path("/data")
    assert "install --directory --owner turnlog /data" in dockerfile


def alerts():
    return _yaml.load((DEPLOY / "prometheus" / "alerts.yaml").read_text())["groups"][0]["rules"]


def figures(text):
    suffix = re.compile(r"_(bucket|count|sum)$")
    return {suffix.sub("", name) for name in re.findall(r"turnlog_[a-z_]+", text)}


@pytest.mark.parametrize("file", ["grafana/turnlog.json", "prometheus/alerts.yaml"])
def test_every_figure_that_is_watched_is_one_of_the_servers(file):
    known = {metric.name: metric for metric in METRICS}
    text = (DEPLOY / file).read_text()
    assert figures(text) - set(known) == set()
    labels = {"instance", "le"} | {label for metric in METRICS for label in metric.labels}
    for group in re.findall(r"by \(([^)]*)\)", text):
        assert set(re.split(r",\s*", group)) <= labels
    for name, label in re.findall(r"(turnlog_\w+)\{(\w+)=", text):
        assert label in known[name].labels


def told_by_a_new_node():
    """(name, labels) of every sample of a node in which nothing has happened."""
    families = text_string_to_metric_families(Metrics().render().decode())
    return [(sample.name, sample.labels) for family in families for sample in family.samples]


def counters_waited_for():
    """(name, labels) of every counter that an alert looks at, with the labels that it picks."""
    for rule in alerts():
        for name, labels in re.findall(r"(turnlog_\w+_total)\b(?:\{([^}]*)\})?", rule["expr"]):
            yield name, dict(re.findall(r'(\w+)="([^"]*)"', labels))


def test_every_counter_that_an_alert_waits_for_is_told_before_its_first_count():
    """Of a series that comes into being as 1 no increase is ever seen: the first fault would page nobody."""
    told, waited_for = told_by_a_new_node(), list(counters_waited_for())
    assert ("turnlog_problems_total", {"code": "internal"}) in waited_for
    assert [
        (name, labels)
        for name, labels in waited_for
        if not any(name == other and labels.items() <= its.items() for other, its in told)
    ] == []


def test_a_series_begins_for_every_value_that_the_program_counts():
    begins = {metric.name: set(metric.begins) for metric in METRICS}
    assert begins["turnlog_replay_mismatches_total"] == {(part,) for part in (LOG, LIVE, SNAPSHOT)}
    program = "".join(file.read_text() for file in (ROOT / "server").rglob("*.py"))
    counted = set(re.findall(r'count\("turnlog_redis_done_without_total", "(\w+)"\)', program))
    assert begins["turnlog_redis_done_without_total"] == {(what,) for what in counted}
    channels = set(re.findall(r'count_problem\(.*"(\w+)"\)$', program, re.MULTILINE))
    assert begins["turnlog_problems_total"] == {("internal", channel) for channel in channels}


def test_a_node_that_cannot_be_scraped_has_an_alert_that_finds_the_jobs_of_the_documents_and_of_the_chart():
    (picked,) = (re.findall(r'^up\{job=~"(.*)"\} == 0$', rule["expr"]) for rule in alerts() if "up{" in rule["expr"])
    documented = re.findall(r"job_name: (\S+)", (ROOT / "docs" / "operation.md").read_text())
    (monitor,) = (one for one in Chart(podMonitor={"enabled": True}).objects() if one["kind"] == "PodMonitor")
    (deployment,) = (one for one in Chart().objects() if one["kind"] == "Deployment")
    in_chart = deployment["spec"]["template"]["metadata"]["labels"][monitor["spec"]["jobLabel"]]
    assert all(re.fullmatch(picked[0], job) for job in [*documented, in_chart])
    assert len(documented) == 1


def test_what_the_operators_page_wants_an_alert_for_has_one():
    page = (ROOT / "docs" / "operation.md").read_text()
    wanted = page.partition("\nWorth an alert")[2].partition("\n\n")[0]
    assert len(figures(wanted)) > 5
    assert figures(wanted) - figures((DEPLOY / "prometheus" / "alerts.yaml").read_text()) == set()


def test_every_alert_is_in_the_runbook_and_every_panel_asks_something():
    runbook = (DEPLOY / "RUNBOOK.md").read_text()
    for rule in alerts():
        assert f"## {rule['alert']}\n" in runbook
    board = json.loads((DEPLOY / "grafana" / "turnlog.json").read_text())
    assert all(target["expr"] for panel in board["panels"] for target in panel["targets"])


def test_the_package_holds_everything_that_a_server_reads(tmp_path):
    """Schemas, packs, texts and the page lie in the wheel, since the image has nothing but that."""
    source = tmp_path / "source"
    listed = run("git", "ls-files", "server", "events", "projections", "games", "api_schema").stdout.split()
    for name in [*listed, "pyproject.toml", "README.md", "LICENSE"]:
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, source / name)
    build = "import sys; from setuptools import build_meta; print(build_meta.build_wheel(sys.argv[1]))"
    built = subprocess.run(
        [sys.executable, "-c", build, tmp_path], cwd=source, capture_output=True, text=True, timeout=100, check=True
    )
    wheel = tmp_path / built.stdout.split()[-1]
    there = set(run(sys.executable, "-m", "zipfile", "-l", wheel).stdout.split())
    assert [name for name in listed if name not in there] == []
