#!/usr/bin/env python3
"""How much longer `cargo check` takes for a file with a process than for the same file without it.

First a process of 20 tasks with all that tasks have: after touching the file, and after editing a word
in it (of a prompt, where there is one). Then rings, hubs and meshes of tasks that lead to each other:
the difference for each, after touching the file.

    python3 tests/check_time.py [ROUNDS]

Needs nothing but cargo and the standard library. The packages lie under the target directory.
"""

import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")).resolve()
SCRATCH = TARGET / "check-time"
STEPS = 16  # beside them a hub, a gateway, an end and a failure: 20 tasks
WITH, WITHOUT, NONE = "with_process", "without_process", "no_shape"
SHAPES = [(name, tasks) for name in ("ring", "hub", "mesh") for tasks in (20, 40, 80)]


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    write_packages()
    for package in (WITH, WITHOUT):
        check(package)
    for change in (touch, edit):
        times = {WITH: [], WITHOUT: []}
        for number in range(rounds):
            for package, measured in times.items():
                change(source(package), number)
                measured.append(check(package))
        report(change.__name__, times)
    measure_shapes(max(3, rounds // 3))


def measure_shapes(rounds):
    print(f"{'shape':<10}{'tasks':>6}{'median':>10}{'least':>10}")
    for name, tasks in SHAPES:
        package = f"{name}_{tasks}"
        times = {package: [], NONE: []}
        for measured in times:
            check(measured)
        for _ in range(rounds):
            for measured in times:
                source(measured).touch()
                times[measured].append(check(measured))
        median = statistics.median(times[package]) - statistics.median(times[NONE])
        print(f"{name:<10}{tasks:>6}{median:>8.3f} s{min(times[package]) - min(times[NONE]):>8.3f} s")


def touch(path, _):
    path.touch()


def edit(path, number):
    path.write_text(re.sub(r"draft \d+", f"draft {number + 1}", path.read_text()))


def report(change, times):
    print(f"{'after ' + change:<18}{'median':>10}{'least':>10}")
    for package, measured in times.items():
        print(f"{package:<18}{statistics.median(measured):>8.3f} s{min(measured):>8.3f} s")
    median = statistics.median(times[WITH]) - statistics.median(times[WITHOUT])
    least = min(times[WITH]) - min(times[WITHOUT])
    print(f"{'difference':<18}{median:>8.3f} s{least:>8.3f} s")


def check(package):
    """Seconds of one check."""
    began = time.perf_counter()
    command = ["cargo", "check", "--quiet", "--package", package]
    environment = {**os.environ, "CARGO_TARGET_DIR": str(TARGET)}
    subprocess.run(command, cwd=SCRATCH, env=environment, check=True)
    return time.perf_counter() - began


def write_packages():
    shutil.rmtree(SCRATCH, ignore_errors=True)
    SCRATCH.mkdir(parents=True)
    # The same versions, and so the same builds, as in the library's own workspace.
    shutil.copy(ROOT / "Cargo.lock", SCRATCH / "Cargo.lock")
    shutil.copy(ROOT / "rust-toolchain.toml", SCRATCH / "rust-toolchain.toml")
    texts = {WITH: TYPES + process(), WITHOUT: TYPES, NONE: SHAPE_TYPES}
    texts |= {f"{name}_{tasks}": SHAPE_TYPES + shape(name, tasks) for name, tasks in SHAPES}
    members = ", ".join(f'"{package}"' for package in texts)
    workspace = f'[workspace]\nresolver = "3"\nmembers = [{members}]\n'
    (SCRATCH / "Cargo.toml").write_text(workspace)
    for package, text in texts.items():
        source(package).parent.mkdir(parents=True)
        source(package).write_text(text)
        (SCRATCH / package / "Cargo.toml").write_text(manifest(package))


def source(package):
    return SCRATCH / package / "src" / "lib.rs"


def manifest(package):
    return f"""[package]
name = "{package}"
version = "0.0.0"
edition = "2024"

[dependencies]
cot-core = {{ path = "{ROOT / "cot-core"}" }}
schemars = "1"
serde = {{ version = "1", features = ["derive"] }}
"""


def each(template, separator="\n"):
    """The template once for each step, `#` standing for its number."""
    return separator.join(template.replace("#", str(step)) for step in range(1, STEPS + 1))


FINDING = """
/// What step # found.
@[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Finding# {
    /// In one sentence.
    @[schemars(length(min = 1, max = 200))]
    pub summary: String,
    /// How sure this is, in percent.
    @[schemars(range(max = 100))]
    pub certainty: u8,
    pub tags: Vec<String>,
}

pub fn is_new_#(finding: &Finding#, review: &Review) -> Result<(), Issues> {
    match review.summaries.contains(&finding.summary) {
        true => Err(Issues::at("summary", "has been said before")),
        false => Ok(()),
    }
}
"""

TYPES = (
    """use std::collections::BTreeMap;

use cot_core::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the tasks share (draft 0).
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Review {
    pub subject: String,
    pub summaries: Vec<String>,
    pub certainties: BTreeMap<String, u8>,
"""
    + each("    pub finding_#: Option<Finding#>,")
    + "\n}\n"
    + each(FINDING).replace("@[", "#[")
)

STEP = """
        task step_# -> Finding# {
            title: "Look at side #",
            prompt: "Look at side # of ${state.subject}. ${state.summaries.len()} summaries are there.\\n${part(rules)}",
            check: is_new_#,
            update: {
                summaries[] = output.summary,
                certainties["step_#".to_owned()] = output.certainty,
                finding_# = Some(output),
            },
            next: { step_# if output.certainty < 10, weigh if output.certainty < 50, hub },
        }
"""


def process():
    transitions = each('                step_#: "Look at side #" if state.finding_#.is_none(),')
    return (
        """
cot_process! {
    /// Looks at a subject from all sides.
    pub process Reviewing {
        state: Review,
        goal: "Understand ${state.subject} from all sides (draft 0)",
        intro: "You review ${state.subject}. The review so far:\\n${json(state)}",
        prompts: {
            rules: "Say nothing twice. Said so far:\\n${list(&state.summaries)}",
        },
        max_retries: 3,
        history: { max_items: 20 },
        start: hub,
        default_return: hub,

        task hub {
            title: "Choose a side",
            transitions: {
"""
        + transitions
        + """
                done: "All is said",
            },
        }
"""
        + each(STEP)
        + """
        task weigh {
            next: { give_up if state.summaries.len() > 100, hub },
        }

        task done { end }

        task give_up { fail: "nothing is certain about ${state.subject}" }
    }
}
"""
    )


SHAPE_TYPES = """use cot_core::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Found {
    pub summary: String,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct State {
    pub subject: String,
    pub found: Vec<Found>,
}
"""


def shape(name, count):
    """A ring leads on by transition and `next`, a hub to all others and back, a mesh from all to all."""
    tasks = []
    for task in range(count):
        after = (task + 1) % count
        targets = {
            "ring": [after],
            "hub": range(1, count) if task == 0 else [],
            "mesh": [other for other in range(count) if other != task],
        }[name]
        transitions = [f"t{target}" for target in targets] + ["done"] * (task == 0)
        items = [f'prompt: "Look at side {task} of ${{state.subject}}"', "update: { found[] = output }"]
        if transitions:
            items.append(f"transitions: {{ {', '.join(transitions)} }}")
        if name == "ring":
            items.append(f"next: t{after}")
        if name == "mesh" and task == 0:
            items.append("may_end")
        tasks.append(f"task t{task} -> Found {{ {', '.join(items)} }}")
    returning = "default_return: t0," if name == "hub" else ""
    body = "\n".join(tasks)
    return f"cot_process! {{ pub process Shape {{ state: State, {returning}\n{body}\ntask done {{ end }} }} }}\n"


if __name__ == "__main__":
    main()
