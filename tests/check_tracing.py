#!/usr/bin/env python3
"""Compares a step without the feature `tracing` with one with it, without a subscriber and with one that drops all.

Builds the benchmark `step` of `cot-workloads` twice and runs both programs in turn. Fails if the least time of a run
with the feature and no subscriber is above 1.02 times that without the feature, or that with the subscriber above 1.3.
"""
import json
import subprocess
import sys

LIMITS = {"no subscriber": 1.02, "subscriber that drops all": 1.30}
ROUNDS, TRIES = 12, 4


def build(*options):
    command = ["cargo", "bench", "-q", "-p", "cot-workloads", "--bench", "step", "--no-run", "--message-format=json"]
    output = subprocess.run([*command, *options], check=True, stdout=subprocess.PIPE, text=True).stdout
    messages = (json.loads(line) for line in output.splitlines() if line.startswith("{"))
    programs = [m["executable"] for m in messages if m.get("executable") and m["target"]["name"] == "step"]
    return programs[-1]


def least(program, *options):
    output = subprocess.run([program, "--least", *options], check=True, stdout=subprocess.PIPE, text=True).stdout
    return float(output.split("least ")[1])


def main():
    without, with_feature = build(), build("--features", "tracing")
    if without == with_feature:
        sys.exit("both builds are the same program")
    commands = {
        "without the feature": (without,),
        "no subscriber": (with_feature,),
        "subscriber that drops all": (with_feature, "--subscriber"),
    }
    times = {name: [] for name in commands}
    for left in reversed(range(TRIES)):
        for _ in range(ROUNDS):
            for name, command in commands.items():
                times[name].append(least(*command))
        base = min(times["without the feature"])
        ratios = {name: min(times[name]) / base for name in LIMITS}
        for name, ratio in ratios.items():
            print(f"{name}: {ratio:.3f} times the step without the feature; at most {LIMITS[name]}", flush=True)
        if all(ratio <= LIMITS[name] for name, ratio in ratios.items()):
            return
    sys.exit("a step with the feature `tracing` is slower than allowed")


if __name__ == "__main__":
    main()
