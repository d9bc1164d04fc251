"""Runs the checks that `run.sh` names."""

import sys

import broken
import completions
import diagnostics
import latency
import navigation
from projects import Session, demo_session, write_programs
from report import Report

DEMO_CHECKS = {
    "completions": completions.check,
    "navigation": navigation.check,
    "diagnostics": diagnostics.check_demo,
    "broken": broken.check,
}
USAGE = "usage: run.sh [completions|navigation|diagnostics|broken|latency [--check]|all]"


def main(arguments):
    command, *options = arguments or ["all"]
    if command not in {*DEMO_CHECKS, "latency", "all"} or options not in ([], ["--check"]):
        raise SystemExit(USAGE)
    report = Report()
    checks = DEMO_CHECKS.values() if command == "all" else [DEMO_CHECKS.get(command)]
    if command != "latency":
        with demo_session() as document:
            for check in checks:
                check(document, report)
    if command in {"diagnostics", "all"}:
        check_programs(report)
    if command in {"latency", "all"}:
        latency.check(report, "--check" in options)
    report.print()
    return 0 if report.passed() else 1


def check_programs(report):
    programs = write_programs()
    first = programs[0][1]
    with Session(first, first.parents[2]) as document:
        diagnostics.check_programs(document, programs, report)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
