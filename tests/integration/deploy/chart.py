"""Enough of Go's templates to render the chart: what it uses of them, and an error for anything else.

Helm itself is a program that no package index has; on a machine that has it, `helm template` and `helm lint` say more.
"""

import re
from pathlib import Path
from typing import Any

import msgspec
from ruamel.yaml import YAML

CHART = Path(__file__).parents[3] / "deploy" / "helm" / "turnlog"

_TAG = re.compile(r"\{\{(-?)\s*(.*?)\s*(-?)\}\}", re.DOTALL)
_yaml = YAML(typ="safe")


class Chart:
    """The chart, with values laid over its own. `name`: of the release."""

    def __init__(self, name: str = "demo", **values: Any) -> None:
        told = _yaml.load((CHART / "values.yaml").read_text())
        chart = _yaml.load((CHART / "Chart.yaml").read_text())
        self.dot: dict[str, Any] = {
            "Values": _laid_over(told, values),
            "Chart": {"AppVersion": chart["appVersion"]},
            "Release": {"Name": name, "Service": "Helm"},
        }
        self.defined: dict[str, list[Any]] = {}
        _render(_parsed((CHART / "templates" / "_names.tpl").read_text()), self, {})

    def objects(self) -> list[dict[str, Any]]:
        """Everything that would be sent to Kubernetes."""
        found: list[dict[str, Any]] = []
        for file in sorted((CHART / "templates").glob("*.yaml")):
            text = _render(_parsed(file.read_text()), self, {})
            found += [one for one in _yaml.load_all(text) if one is not None]
        return found

    def pods(self) -> list[dict[str, Any]]:
        """The pods of what runs all the time, and of what runs once."""
        return [one["spec"]["template"]["spec"] for one in self.objects() if one["kind"] in ("Deployment", "Job")]


def containers_of(pod: dict[str, Any]) -> list[dict[str, Any]]:
    """All of a pod, in the order in which they start."""
    return [*pod.get("initContainers", ()), *pod["containers"]]


def _laid_over(told: Any, values: Any) -> Any:
    if not isinstance(told, dict) or not isinstance(values, dict):
        return values
    return told | {name: _laid_over(told.get(name), value) for name, value in values.items()}


def _parsed(text: str) -> list[Any]:
    """A tree: texts, expressions `("say", e)`, and blocks `(keyword, argument, children)`."""
    stack: list[list[Any]] = [[]]
    at = 0
    for tag in _TAG.finditer(text):
        before = text[at : tag.start()]
        stack[-1].append(before.rstrip() if tag[1] else before)
        at = tag.end()
        if tag[3]:
            at += len(text[at:]) - len(text[at:].lstrip())
        keyword, _, argument = tag[2].partition(" ")
        if keyword in ("if", "range", "define"):
            block = (keyword, argument, [])
            stack[-1].append(block)
            stack.append(block[2])
        elif keyword == "end":
            stack.pop()
        else:
            stack[-1].append(("say", tag[2]))
    stack[-1].append(text[at:])
    (tree,) = stack
    return tree


def _render(tree: list[Any], chart: Chart, variables: dict[str, Any]) -> str:
    said = []
    for node in tree:
        if isinstance(node, str):
            said.append(node)
        elif node[0] == "say":
            said.append(str(_value(node[1], chart, variables)))
        elif node[0] == "define":
            chart.defined[msgspec.json.decode(node[1])] = node[2]
        elif node[0] == "if":
            if _value(node[1], chart, variables):
                said.append(_render(node[2], chart, variables))
        else:
            key, value, source = re.fullmatch(r"(\$\w+), (\$\w+) := (.+)", node[1]).groups()
            for name, told in sorted(_value(source, chart, variables).items()):
                said.append(_render(node[2], chart, variables | {key: name, value: told}))
    return "".join(said)


def _value(expression: str, chart: Chart, variables: dict[str, Any]) -> Any:
    first, *pipes = [part.strip() for part in expression.split("|")]
    value = _term(first, chart, variables)
    for pipe in pipes:
        name, _, argument = pipe.partition(" ")
        value = {
            "quote": lambda told, _: msgspec.json.encode(str(told)).decode(),
            "default": lambda told, other: told or _term(other, chart, variables),
            "nindent": lambda told, depth: "".join(f"\n{' ' * int(depth)}{line}" for line in told.splitlines()),
        }[name](value, argument)
    return value


def _term(term: str, chart: Chart, variables: dict[str, Any]) -> Any:
    if term.startswith("include "):
        _, name, dot = term.split()
        assert dot == "."
        return _render(chart.defined[msgspec.json.decode(name)], chart, variables).strip()
    if term.startswith("toYaml "):
        return msgspec.yaml.encode(_term(term.removeprefix("toYaml "), chart, variables)).decode().strip()
    if term.startswith("$"):
        return variables[term]
    value: Any = chart.dot
    for name in term.removeprefix(".").split("."):
        value = value[name]
    return value
