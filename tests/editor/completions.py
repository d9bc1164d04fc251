"""Completions within a process, and beside one that is incomplete."""

from cases import COMPLETIONS, COMPLETIONS_WANTED
from text import CURSOR, replace


def check(document, report):
    demo, complete, misses = document.text, 0, []
    for case in COMPLETIONS:
        text, cursor = apply(demo, case)
        document.change(text)
        shown = document.completions(cursor)
        missing = [word for word in case.wanted.split() if word not in shown]
        complete += not missing
        if missing and not case.reason:
            misses.append(f"{describe(case)} lacks {', '.join(missing)}")
        if case.reason and not missing:
            print(f"works, although {case.reason}: {describe(case)}")
    document.change(demo)
    if complete < COMPLETIONS_WANTED:
        misses.append("too few of them")
    total = len(COMPLETIONS)
    report.target("completions", f"{COMPLETIONS_WANTED} of {total}", f"{complete} of {total}", misses)


def apply(demo, case):
    """Returns the text of a case and its cursor."""
    if case.broken:
        demo, _ = replace(demo, *case.broken)
    return replace(demo, case.old, case.new)


def describe(case):
    line = next(line for line in case.new.splitlines() if CURSOR in line)
    return f"`{line.strip()}`"
