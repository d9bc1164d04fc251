#!/usr/bin/env python3
"""What it costs to depend on the library, beside the same program by hand.

Builds `ours`, a process of twenty tasks with an output each, and `by_hand`, the same twenty questions as a
loop, with the profiles of cargo. Fails if a figure in `cost.toml` has grown by more than a tenth. Times are
printed beside those by hand, and not judged.

    python3 tests/cost/check.py [--cold] [--release] [--write]

`--cold` builds from nothing, `--release` has the figures of that profile too, and `--write` writes the
figures that were measured to `cost.toml`. Needs nothing but cargo and the standard library.
"""

import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import time
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")).resolve() / "cost"
FIGURES = HERE / "cost.toml"
PROGRAMS = ("ours", "by_hand")
GROWTH = 1.1


def main():
    arguments = set(sys.argv[1:])
    if unknown := arguments - {"--cold", "--release", "--write"}:
        sys.exit(f"unknown arguments: {' '.join(sorted(unknown))}\n{__doc__}")
    if "--cold" in arguments:
        shutil.rmtree(TARGET, ignore_errors=True)
    profiles = ["dev", "release"] if "--release" in arguments else ["dev"]
    figures = {program: measure(program, profiles) for program in PROGRAMS}
    report(figures)
    if "--write" in arguments:
        write(figures["ours"])
    sys.exit(judge(figures["ours"]))


def measure(program, profiles):
    """The figures of a program by name; those that end in `seconds` are times."""
    # The versions of dependencies are those of the workspace; cargo removes what the program does not need.
    shutil.copy(ROOT / "Cargo.lock", HERE / program / "Cargo.lock")
    figures = {}
    for profile in profiles:
        figures[f"{profile}_build_seconds"], figures[f"{profile}_cpu_seconds"] = build(program, profile)
        figures[f"{profile}_binary_bytes"] = binary(program, profile).stat().st_size
        figures[f"{profile}_edit_seconds"] = min(edit(program, profile) for _ in range(3))
    figures["packages"] = (HERE / program / "Cargo.lock").read_text().count("[[package]]")
    figures["functions"], figures["ir_lines"] = instantiations(program)
    return figures


def build(program, profile):
    """The seconds of a build: elapsed, and those of all processors."""
    began, before = time.perf_counter(), cpu_seconds()
    cargo(program, "build", "--quiet", "--profile", profile)
    return time.perf_counter() - began, cpu_seconds() - before


def edit(program, profile):
    """The seconds of a build after an edit of a text in the program, which is undone."""
    source = HERE / program / "src" / "main.rs"
    text = source.read_text()
    try:
        source.write_text(text.replace("one part at a time.", f"one part at a time ({time.time_ns()}).", 1))
        return build(program, profile)[0]
    finally:
        source.write_text(text)


def instantiations(program):
    """The functions that are compiled with the program rather than with its dependencies, and their lines of
    LLVM's intermediate representation."""
    out = TARGET / f"{program}.ll"
    cargo(program, "rustc", "--quiet", "--", f"--emit=llvm-ir={out}", "-Ccodegen-units=1")
    lines = out.read_text().splitlines()
    return sum(line.startswith("define ") for line in lines), len(lines)


def binary(program, profile):
    return TARGET / program / ("debug" if profile == "dev" else profile) / program


def cargo(program, *arguments):
    environment = os.environ | {
        "CARGO_TARGET_DIR": str(TARGET / program),
        "CARGO_PROFILE_RELEASE_STRIP": "true",
    }
    subprocess.run(["cargo", *arguments], cwd=HERE / program, env=environment, check=True)


def cpu_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def report(figures):
    print(f"{'':<24}{'ours':>16}{'by hand':>16}{'ratio':>8}")
    ours, by_hand = (figures[program] for program in PROGRAMS)
    for name, value in ours.items():
        shown = [f"{it:.1f}" if name.endswith("seconds") else f"{it:,}" for it in (value, by_hand[name])]
        print(f"{name:<24}{shown[0]:>16}{shown[1]:>16}{value / max(by_hand[name], 0.01):>8.2f}")


def judge(ours):
    """The exit code: 1 if a figure has grown by more than a tenth."""
    expected = tomllib.loads(FIGURES.read_text())
    grown = [
        f"{name}: {ours[name]:,}, and {value:,} in cost.toml"
        for name, value in expected.items()
        if name in ours and ours[name] > value * GROWTH
    ]
    for line in grown:
        print(f"grown by more than a tenth: {line}", file=sys.stderr)
    return int(bool(grown))


def write(ours):
    """Writes the figures that do not depend on the machine, and keeps those that were not measured."""
    kept = tomllib.loads(FIGURES.read_text()) if FIGURES.exists() else {}
    kept |= {name: value for name, value in ours.items() if not name.endswith("seconds")}
    head = re.match(r"(#.*\n)*", FIGURES.read_text() if FIGURES.exists() else "")[0]
    FIGURES.write_text(head + "".join(f"{name} = {value:_}\n" for name, value in kept.items()))


if __name__ == "__main__":
    main()
