"""YAML 1.2 at the speed of libyaml: PyYAML's loader, with scalars resolved as ruamel.yaml, which writes cases, does.

PyYAML alone reads YAML 1.1, for which `no` and `1:30` are no words. Without libyaml it is slower, and reads the same.
"""

from typing import Any, ClassVar, Final

import yaml
from ruamel.yaml.resolver import implicit_resolvers
from yaml.constructor import ConstructorError

#: The tags that plain scalars may have: JSON's, the merging of maps, and dates, which are refused later as no JSON.
_RESOLVED: Final = ("bool", "float", "int", "merge", "null", "timestamp")
_TAG: Final = "tag:yaml.org,2002:"


class Yaml12(yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader):  # type: ignore[misc]
    """The loader: `get_single_node()` gives the tree with its lines, `construct_document(node)` the values."""

    yaml_implicit_resolvers: ClassVar[dict[str, Any]] = {}

    def construct_object(self, node: yaml.Node, deep: bool = False) -> Any:  # noqa: FBT001, FBT002 - as it is there
        """The value of a node; what it says it is, and is not, is an error with its line."""
        try:
            return super().construct_object(node, deep=deep)
        except (ValueError, LookupError, AttributeError) as error:
            told = f"{str(node.value)[:40]!r} is no {node.tag.removeprefix(_TAG)}"
            raise ConstructorError(None, None, told, node.start_mark) from error

    def construct_yaml_int(self, node: yaml.ScalarNode) -> int:
        """An integer: a leading zero is no octal, and no colon makes it one to the base of sixty."""
        return int(self.construct_scalar(node).replace("_", ""), 0 if node.value.lstrip("+-")[:2] in _PREFIXES else 10)


_PREFIXES: Final = ("0b", "0o", "0x")

for _versions, _tag, _pattern, _first in implicit_resolvers:
    if (1, 2) in _versions and _tag.removeprefix(_TAG) in _RESOLVED:
        Yaml12.add_implicit_resolver(_tag, _pattern, _first)
Yaml12.add_constructor(f"{_TAG}int", Yaml12.construct_yaml_int)
