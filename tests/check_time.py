#!/usr/bin/env python3
"""How much longer `cargo check` takes for a file with a process of 20 tasks than for the same file
without the process: after touching it, and after editing a word in it (of a prompt, where there is
one).

    python3 tests/check_time.py [ROUNDS]

Needs nothing but cargo and the standard library. The two packages lie under the target directory.
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
WITH, WITHOUT = "with_process", "without_process"


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
    workspace = f'[workspace]\nresolver = "3"\nmembers = ["{WITH}", "{WITHOUT}"]\n'
    (SCRATCH / "Cargo.toml").write_text(workspace)
    for package, text in ((WITH, TYPES + process()), (WITHOUT, TYPES)):
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


if __name__ == "__main__":
    main()
