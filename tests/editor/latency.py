"""How long an editor waits in large processes."""

import statistics
import time

from cases import GUARD, LATENCY
from projects import Session, cargo_check, write_demo
from text import find, replace

REPEATS = 10

AI = """\
        task t{number} -> Mail {{
            title: "Draft {number}",
            prompt: "Write it after ${{state.revisions}} revisions.\\n${{json(state.mail)}}\\n${{part(tone)}}",
            check: polite,
            update: {{ mail = Some(output), revisions = state.revisions + 1 }},
            next: {next},
        }}
"""
CHOICE = """\
        task t{number} {{
            title: "Review {number}",
            prompt: "The draft after ${{state.revisions}} revisions:\\n${{json_pretty(state.mail)}}",
            transitions: {{
                {next}: "Improve the draft" if state.revisions < 3,
                escalate: "A person must answer this",
                asked: "It is done",
            }},
        }}
"""
GATEWAY = """\
        task t{number} {{
            next: {{ {next} if state.revisions > {number}, escalate if state.is_urgent(), asked }},
        }}
"""
KINDS = [AI, CHOICE, GATEWAY]


def check(report, is_checked):
    for number, limit in LATENCY.items():
        file = write_demo(f"tasks{number}", process_of(number))
        errors = cargo_check(file.parent.parent)
        if errors:
            raise SystemExit(f"the process of {number} tasks is wrong:\n{errors}")
        with Session(file, file.parent.parent) as document:
            measure(document, number, limit if is_checked else None, report)


def process_of(number):
    """Returns the demo with another number of tasks."""
    demo = write_demo("demo").read_text()
    start, end = demo.index("        task classify"), demo.index("        task asked { end }")
    tasks = [
        KINDS[at % 3].format(number=at, next=f"t{at + 1}" if at < number - 3 else "asked")
        for at in range(number - 2)
    ]
    text = demo[:start] + "\n".join(tasks) + "\n" + demo[end:]
    # What only the replaced tasks use.
    text = text.replace("TriageTask::Draft", "TriageTask::T0")
    return text.replace("async fn deliver", "#[allow(dead_code)]\nasync fn deliver")


def measure(document, number, limit, report):
    base, hovers, completions = document.text, [], []
    for at in range(REPEATS):
        text, cursor = replace(base, GUARD, f"if state.$0revisions < {at + 4},")
        document.change(text)
        hovers.append(timed(document.hover, cursor, "How often the draft was rewritten."))
        text, cursor = replace(base, GUARD, f"if state.re{'v' * (at % 3)}$0,")
        document.change(text)
        completions.append(timed(document.completions, cursor, "revisions"))
    document.change(base)
    for what, times in [("hover", hovers), ("completion", completions)]:
        add_row(f"{what} after an edit, {number} tasks", times, limit, report)
    size = len(document.expansion(find(base, "cot_$0process! {")))
    report.note(f"bytes of the expansion, {number} tasks", size)


def timed(ask, cursor, wanted):
    start = time.monotonic()
    answer = ask(cursor)
    seconds = time.monotonic() - start
    if wanted not in answer:
        raise SystemExit(f"the server does not answer with `{wanted}`")
    return seconds * 1000


def add_row(what, times, limit, report):
    median = statistics.median(times)
    measured = f"{median:.0f} ms, at most {max(times):.0f} ms"
    if limit is None:
        report.note(what, measured)
    else:
        report.target(what, f"under {limit} ms", measured, [measured] if median >= limit else [])
