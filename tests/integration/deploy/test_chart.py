"""The chart: what it makes is what Kubernetes wants, and what the program needs."""

import re

import kubernetes_validate
import pytest

from server.cli import run
from server.settings import Settings
from tests.integration.deploy.chart import CHART, Chart, containers_of

EVERYTHING = {"ingress": {"enabled": True}, "podMonitor": {"enabled": True}}


def test_the_chart_has_nodes_scaling_a_budget_probes_a_policy_and_a_migration():
    objects = {one["kind"]: one for one in Chart(**EVERYTHING).objects()}
    assert sorted(objects) == [
        "Deployment",
        "HorizontalPodAutoscaler",
        "Ingress",
        "Job",
        "NetworkPolicy",
        "PodDisruptionBudget",
        "PodMonitor",
        "Service",
    ]
    assert sorted(one["kind"] for one in Chart().objects()) == sorted(set(objects) - {"Ingress", "PodMonitor"})
    node = objects["Deployment"]["spec"]["template"]
    container = node["spec"]["containers"][0]
    for probe in ("startupProbe", "livenessProbe", "readinessProbe"):
        assert container[probe]["httpGet"]["path"] in ("/health/live", "/health/ready")
    selector = objects["Deployment"]["spec"]["selector"]["matchLabels"]
    assert selector.items() <= node["metadata"]["labels"].items()
    for kind, where in (("Service", ("selector",)), ("PodDisruptionBudget", ("selector", "matchLabels"))):
        found = objects[kind]["spec"]
        for part in where:
            found = found[part]
        assert found == selector
    job = objects["Job"]["spec"]["template"]
    assert not selector.items() <= job["metadata"]["labels"].items()
    assert objects["Job"]["metadata"]["annotations"]["helm.sh/hook"] == "pre-install,pre-upgrade"
    scaled = objects["HorizontalPodAutoscaler"]["spec"]
    assert scaled["scaleTargetRef"]["name"] == objects["Deployment"]["metadata"]["name"]
    assert scaled["minReplicas"] >= 2
    assert container["resources"]["requests"]["cpu"] == "1"  # what utilisation is counted against: all that a node uses
    assert node["spec"]["terminationGracePeriodSeconds"] > 2 * Settings().stop_grace_s + 5


#: The oldest Kubernetes that the chart is for, and the newest whose schemas there are.
KUBERNETES = (
    re.search(r'kubeVersion: ">=(\d+\.\d+)', (CHART / "Chart.yaml").read_text())[1],
    kubernetes_validate.latest_version(),
)


@pytest.mark.parametrize("version", KUBERNETES)
def test_every_object_of_the_chart_is_as_kubernetes_wants_it(version):
    objects = [one for one in Chart(**EVERYTHING).objects() if one["kind"] != "PodMonitor"]  # of Prometheus Operator
    for one in objects:
        kubernetes_validate.validate(one, version, strict=True)
        with pytest.raises(kubernetes_validate.ValidationError):
            kubernetes_validate.validate(one | {"spec": one["spec"] | {"other": 1}}, version, strict=True)


def test_pods_have_no_privileges_and_only_the_secrets_that_they_need():
    node, job = Chart().pods()
    for pod, keys in ((node, ["node-dsn", "redis-url", "heads-key"]), (job, ["owner-dsn", "node-dsn"])):
        assert pod["automountServiceAccountToken"] is False
        assert pod["enableServiceLinks"] is False  # variables of a Service named turnlog would be none of the settings
        assert pod["securityContext"]["runAsNonRoot"]
        for container in containers_of(pod):
            assert container["securityContext"] == {
                "allowPrivilegeEscalation": False,
                "readOnlyRootFilesystem": True,
                "capabilities": {"drop": ["ALL"]},
            }
        volume = next(one for one in pod["volumes"] if one["name"] == "secrets")
        assert [item["key"] for item in volume["secret"]["items"]] == keys


def test_before_nodes_are_replaced_the_owner_migrates_and_then_a_node_folds_what_the_new_ones_read(capsys):
    _, job = Chart().pods()
    assert [
        (one["args"], [variable["value"] for variable in one["env"]])
        for one in (*job["initContainers"], *job["containers"])
    ] == [(["db", "migrate"], ["/secrets/owner-dsn"]), (["projections", "catch-up"], ["/secrets/node-dsn"])]
    for one in containers_of(job):
        assert run([*one["args"], "--help"]) == 0
    assert "Usage: turnlog projections catch-up" in capsys.readouterr().out


def test_values_reach_the_chart():
    chart = Chart(
        "other",
        image={"tag": "9"},
        replicas={"max": 30},
        settings={"TURNLOG_LEASE_S": "9"},
        networkPolicy={"enabled": False},
    )
    objects = {one["kind"]: one for one in chart.objects()}
    container = objects["Deployment"]["spec"]["template"]["spec"]["containers"][0]
    assert container["image"] == "turnlog:9"
    assert {"name": "TURNLOG_LEASE_S", "value": "9"} in container["env"]
    assert objects["HorizontalPodAutoscaler"]["spec"]["maxReplicas"] == 30
    assert objects["Service"]["metadata"]["name"] == "other"
    assert "NetworkPolicy" not in objects
