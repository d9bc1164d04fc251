#!/usr/bin/env python3
"""Asks a model for the cases with other libraries. `run.sh` says how."""

import argparse
import json
import pathlib

from libraries import LIBRARIES
from recorder import Recorder

CASES = pathlib.Path(__file__).parent.parent / "cases.jsonl"
MAX_TOKENS = 384  # as `../src/kinds` has it


def main():
    options = arguments()
    sampling = {"seed": options.seed, "temperature": options.temperature, "max_tokens": MAX_TOKENS}
    recorder = Recorder(options.base_url, sampling)
    done = {(result["id"], result["setting"], result["model"], result["seed"]) for result in lines(options.json)}
    for peer in options.peers.split(","):
        ask, gives_up = LIBRARIES[peer](recorder.base_url, options.model)
        for case in cases(options.half)[: options.limit]:
            if (case["name"], peer, options.model, options.seed) in done:
                continue
            value, error = answer(ask, gives_up, case)
            calls = recorder.take()
            setting = {"model": options.model, "setting": peer, "seed": options.seed, "temperature": options.temperature}
            append(options.json, result(case, setting, value, error, calls))
            for call in calls if options.calls else []:
                append(options.calls, {"id": case["name"], "setting": peer, **vars(call)})
            print(case["name"], peer, json.dumps(value, ensure_ascii=False), len(calls), "calls", flush=True)


def arguments():
    parser = argparse.ArgumentParser(prog="run.sh")
    parser.add_argument("base_url")
    parser.add_argument("model")
    parser.add_argument("json", type=pathlib.Path)
    parser.add_argument("--peers", default=",".join(LIBRARIES))
    parser.add_argument("--half", choices=["choose", "hold"], default="choose")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--temperature", type=float, default=0.2)
    parser.add_argument("--limit", type=int)
    parser.add_argument("--calls", type=pathlib.Path)
    return parser.parse_args()


def cases(half):
    """One case of each kind first, then another one of each."""
    chosen = [case for case in lines(CASES) if half in case["tags"]]
    return sorted(chosen, key=lambda case: case["name"][-2:])


def answer(ask, gives_up, case):
    """Returns the value, or why there is none."""
    try:
        return ask(case["tags"][0], case["state"]["text"]), None
    except gives_up as error:
        return None, str(error)


def result(case, setting, value, error, calls):
    """The result as `../src/peers.rs` reads it, which also judges the value."""
    issues = [call.question for call in calls[1:]] + [error] * (error is not None)
    return {
        "id": case["name"],
        "kind": case["tags"][0],
        **setting,
        "value": value,
        "calls": len(calls),
        "prompt_tokens": sum(call.tokens[0] for call in calls),
        "reply_tokens": sum(call.tokens[1] for call in calls),
        "rejected": [{"reply": call.text, "issues": [issue]} for call, issue in zip(calls, issues)],
    }


def lines(file):
    return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


def append(file, value):
    with open(file, "a", encoding="utf-8") as out:
        print(json.dumps(value, ensure_ascii=False), file=out)


if __name__ == "__main__":
    main()
