"""The port for figures: what happens is counted and measured by name; `server/metrics.py` has the names."""

from typing import Any, Final, Protocol


class Meter(Protocol):
    """Takes figures. Never blocks, never raises for figures that it knows by name and number of labels."""

    def count(self, name: str, *labels: str, by: float = 1) -> None:
        """Something has happened (`by` times)."""

    def observe(self, name: str, value: float, *labels: str) -> None:
        """Something has been measured, in the unit that the name ends with."""


class Silent(Meter):
    """Takes no figures: for commands and tests that nobody watches."""

    def count(self, name: str, *labels: str, by: float = 1) -> None:
        """Nothing."""

    def observe(self, name: str, value: float, *labels: str) -> None:
        """Nothing."""


SILENT: Final = Silent()


def count_problem(meter: Meter, problem: dict[str, Any], channel: str) -> None:
    """Count the document of a problem that a client gets, over `http` or the `stream`."""
    meter.count("turnlog_problems_total", problem["code"], channel)
    if "reason" in problem:
        meter.count("turnlog_refusals_total", problem["code"], problem["reason"])
