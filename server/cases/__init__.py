"""Cases: given/when/then files that show the rules of a rulebook, and what runs them."""

from server.cases.coverage import CoverageRow, coverage, without_case
from server.cases.given import Prepared, decode_given, prepare
from server.cases.load import CaseFileError, Located, load_cases
from server.cases.model import Case, Given
from server.cases.record import RecordError, Recording, Span, record
from server.cases.report import Failure, Report, render, summary
from server.cases.run import run_case, run_suite
from server.cases.schema import case_schema, position_schema
from server.cases.suite import Suite, find_files, suites

__all__ = [
    "Case",
    "CaseFileError",
    "CoverageRow",
    "Failure",
    "Given",
    "Located",
    "Prepared",
    "RecordError",
    "Recording",
    "Report",
    "Span",
    "Suite",
    "case_schema",
    "coverage",
    "decode_given",
    "find_files",
    "load_cases",
    "position_schema",
    "prepare",
    "record",
    "render",
    "run_case",
    "run_suite",
    "suites",
    "summary",
    "without_case",
]
