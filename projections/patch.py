"""JSON Patch (RFC 6902) between two views of the same reader: small, stable, add/remove/replace only."""

from collections.abc import Sequence
from typing import Any

#: A view has tuples where its JSON has arrays.
_LIST = (list, tuple)


def diff(old: Any, new: Any, path: str = "") -> list[dict[str, Any]]:
    """The operations that turn `old` into `new` (JSON builtins). Lists shrink and grow at their end.

    Object members come in sorted order, so that equal changes give equal bytes.
    """
    if isinstance(old, dict) and isinstance(new, dict):
        return _objects(old, new, path)
    if isinstance(old, _LIST) and isinstance(new, _LIST):
        return _lists(old, new, path)
    if type(old) is type(new) and old == new:
        return []
    return [{"op": "replace", "path": path, "value": new}]


def _objects(old: dict[str, Any], new: dict[str, Any], path: str) -> list[dict[str, Any]]:
    operations: list[dict[str, Any]] = []
    for name in sorted(old.keys() | new.keys()):
        at = f"{path}/{_escaped(name)}"
        if name not in new:
            operations.append({"op": "remove", "path": at})
        elif name not in old:
            operations.append({"op": "add", "path": at, "value": new[name]})
        else:
            operations += diff(old[name], new[name], at)
    return operations


def _lists(old: Sequence[Any], new: Sequence[Any], path: str) -> list[dict[str, Any]]:
    operations: list[dict[str, Any]] = []
    shared = min(len(old), len(new))
    for index in range(shared):
        operations += diff(old[index], new[index], f"{path}/{index}")
    operations += [{"op": "remove", "path": f"{path}/{index}"} for index in range(len(old) - 1, shared - 1, -1)]
    operations += [{"op": "add", "path": f"{path}/-", "value": value} for value in new[shared:]]
    return operations


def _escaped(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")
