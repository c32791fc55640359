"""The cases of one ruleset, from any number of files, and how they go on from each other."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from server.cases.load import SUFFIXES, CaseFileError, Located, load_cases
from server.catalogue import Catalogue, Entry


class Suite:
    """The cases of one ruleset. Ids are unique among them, and `after` names one of them."""

    def __init__(self, entry: Entry, cases: Iterable[Located]) -> None:
        self.entry = entry
        self.cases = tuple(cases)
        self._by_id: dict[str, Located] = {}
        for located in self.cases:
            name = located.case.id
            if name is not None and self._by_id.setdefault(name, located) is not located:
                raise _wrong(located, f"the id {name} is taken by {_place(self._by_id[name])}")
        for located in self.cases:
            self.chain(located)

    @classmethod
    def read(cls, entry: Entry, files: Iterable[Path]) -> "Suite":
        """The suite of these files.

        Raises:
            CaseFileError: a file cannot be read, an id is taken, or an `after` leads nowhere or in a circle.
        """
        return cls(entry, [located for file in files for located in load_cases(file)])

    def chain(self, located: Located) -> tuple[Located, ...]:
        """The case with all that it goes on from, the first one first."""
        chain = [located]
        while (after := chain[-1].case.given.after) is not None:
            base = self._by_id.get(after)
            if base is None:
                raise _wrong(chain[-1], f"after: there is no case with the id {after}")
            if base in chain:
                raise _wrong(chain[-1], f"after: {after} goes on from this case itself")
            chain.append(base)
        return tuple(reversed(chain))

    def continued(self, located: Located) -> bool:
        """Whether another case goes on from this one."""
        name = located.case.id
        return name is not None and any(other.case.given.after == name for other in self.cases)


def find_files(paths: Iterable[Path]) -> list[Path]:
    """Case files: those named, and all in the folders named, in the order of their names."""
    found: list[Path] = []
    for path in paths:
        inside = sorted(p for p in path.rglob("*") if p.suffix in SUFFIXES) if path.is_dir() else [path]
        found += [file for file in inside if file not in found]
    return found


def suites(catalogue: Catalogue, files: Sequence[Path], ruleset: str | None = None) -> list[Suite]:
    """The files as a suite for each ruleset: the one named, else the folder's name, else the one that has their rules.

    Raises:
        CaseFileError: a file cannot be read, or its ruleset cannot be told.
        UnknownRulesetError: there is no such ruleset.
    """
    cases: dict[str, list[Located]] = {}
    for file in files:
        loaded = load_cases(file)
        if loaded:
            cases.setdefault(ruleset or _ruleset_of(catalogue, file, loaded[0]), []).extend(loaded)
    return [Suite(catalogue[name], found) for name, found in cases.items()]


def _ruleset_of(catalogue: Catalogue, file: Path, first: Located) -> str:
    for folder in file.resolve().parents:
        if folder.name in catalogue:
            return folder.name
    for name, entry in catalogue.items():
        if first.case.rules[0] in {row.id for row in entry.index}:
            return name
    raise _wrong(first, f"no ruleset has the rule {first.case.rules[0]}; name the ruleset")


def _wrong(located: Located, reason: str) -> CaseFileError:
    return CaseFileError(located.file, located.line, reason)


def _place(located: Located) -> str:
    return f"{located.file}:{located.line}"
