"""The rest of a file, and of a process, while a part of it is incomplete."""

import completions
from cases import BRACE, COMPLETIONS, LATER
from diagnostics import describe
from text import process_range, process_tokens, replace

STEP = 10


def check(document, report):
    check_outside(document, report)
    check_missing_tokens(document, report)


def check_outside(document, report):
    """An incomplete process gives no error outside of it."""
    demo, misses = document.text, []
    cases = [case for case in COMPLETIONS if not case.broken and case.reason != BRACE]
    for case in cases:
        text, _ = completions.apply(demo, case)
        document.change(text)
        start, end = (document.position(offset)["line"] for offset in process_range(text))
        for error in document.errors():
            if not start <= error["range"]["start"]["line"] <= end:
                misses.append(f"{completions.describe(case)}: {describe(error)}")
    document.change(demo)
    report.target(f"errors outside of {len(cases)} incomplete processes", 0, len(misses), misses)


def check_missing_tokens(document, report):
    """While a token is missing, the words of a later task complete."""
    demo, misses, complete, braces = document.text, [], 0, 0
    samples = [
        (token, probe) for token in process_tokens(demo)[::STEP] for probe in later(demo, token)
    ]
    for token, probe in samples:
        if token.is_delimiter():
            braces += 1
            continue
        text, cursor = replace(demo, probe.old, probe.new)
        document.change(text[: token.start] + text[token.end :])
        shown = document.completions(cursor - (token.end - token.start))
        if probe.wanted in shown:
            complete += 1
        else:
            line = demo.count("\n", 0, token.start) + 1
            misses.append(f"{completions.describe(probe)} without `{token.text}` in line {line}")
    document.change(demo)
    total = len(samples) - braces
    report.target("completions while a token is missing", total, complete, misses)
    report.note("not asked, since a delimiter is missing", braces)


def later(demo, token):
    """Returns the probes whose task is behind that of the token."""
    for probe in LATER:
        task = demo.rindex("        task ", 0, demo.index(probe.old))
        if token.end <= task:
            yield probe
