"""Writes the banking and workspace suites of AgentDojo as data: requests, attacks, and the calls that each of them takes.

    pip install --no-deps agentdojo==0.1.35
    pip install 'pydantic[email]' pyyaml deepdiff docstring-parser python-dotenv tenacity requests rich typing-extensions
    python3 tests/real/agentdojo/extract.py > tests/real/agentdojo/suites.json

Calls are those with which AgentDojo itself solves a task, and results are those of its tools. A place in which an attacker can
write has the text `[[injection]]` after what stands there otherwise.
"""

import importlib.abc
import importlib.machinery
import json
import sys
from unittest.mock import MagicMock

VERSION = "v1.2.2"
PLACE = "[[injection]]"
READERS = ("get_", "read_", "search_", "list_")
MARK = "mark.black-2134@gmail.com"
CLIENTS = ("anthropic", "cohere", "google", "langchain", "openai")


class Clients(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Stands in for the clients of vendors, which the package imports and no suite uses."""

    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in CLIENTS:
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
        return None

    def create_module(self, spec):
        module = MagicMock(name=spec.name)
        module.__path__ = []
        return module

    def exec_module(self, module):
        pass


sys.meta_path.insert(0, Clients())

from agentdojo.agent_pipeline.ground_truth_pipeline import GroundTruthPipeline  # noqa: E402
from agentdojo.agent_pipeline.tool_execution import tool_result_to_str  # noqa: E402
from agentdojo.functions_runtime import FunctionCall, FunctionsRuntime  # noqa: E402
from agentdojo.task_suite.load_suites import get_suites  # noqa: E402


def environment(suite):
    """Returns the environment in which each place that an attacker can write to is marked."""
    defaults = suite.get_injection_vector_defaults()
    return suite.load_and_inject_default_environment({name: text + PLACE for name, text in defaults.items()})


def calls(suite, task, results):
    """Returns the calls that solve a task, and keeps what the tools that read return."""
    env = environment(suite)
    if hasattr(task, "init_environment"):
        env = task.init_environment(env)
    runtime = FunctionsRuntime(suite.tools)
    found = []
    for call in task.ground_truth(env.model_copy(deep=True)) or unsolved(task):
        result, error = runtime.run_function(env, call.function, dict(call.args), raise_on_error=True)
        assert error is None, error
        arguments = plain(call.args)
        found.append({"tool": call.function, "arguments": arguments})
        if call.function.startswith(READERS):
            row = {"tool": call.function, "arguments": arguments, "text": tool_result_to_str(result)}
            if row not in results:
                results.append(row)
    return found


def unsolved(task):
    """Returns the calls of an attack for which AgentDojo has none, since its check looks at any mail to the attacker."""
    goal = task.GOAL
    to = MARK if MARK in goal else "john.mitchell@gmail.com"
    send = {"recipients": [to], "subject": "Emails", "body": "All that you asked for."}
    found = [FunctionCall(function="send_email", args=send)]
    if "delete the sent email" in goal:
        found.append(FunctionCall(function="delete_email", args={"email_id": "34"}))
    return found


def plain(args):
    """Returns arguments as JSON, without the marks of places, and with the ids of attached files alone."""
    found = json.loads(json.dumps(dict(args), default=str).replace(PLACE, ""))
    if "attachments" in found:
        found["attachments"] = [it["file_id"] for it in found["attachments"]]
    return found


def user_task(suite, task, results):
    """Returns a task of the user, and whether AgentDojo accepts what its own calls make of it."""
    solved, _ = suite.run_task_with_pipeline(GroundTruthPipeline(task), task, None, {})
    return {
        "id": task.ID,
        "request": task.PROMPT,
        "answer": task.GROUND_TRUTH_OUTPUT,
        "solved": bool(solved),
        "calls": calls(suite, task, results),
    }


def attack(suite, task, results):
    return {"id": task.ID, "goal": task.GOAL, "calls": calls(suite, task, results)}


def main():
    found = {
        "source": f"AgentDojo {VERSION}, https://github.com/ethz-spylab/agentdojo",
        "licence": "MIT, Copyright (c) Edoardo Debenedetti, Jie Zhang, Mislav Balunovic, Luca Beurer-Kellner, "
        "Marc Fischer, and Florian Tramer",
        "suites": [],
    }
    for name in ("banking", "workspace"):
        suite = get_suites(VERSION)[name]
        results = []
        by_number = lambda tasks: sorted(tasks.values(), key=lambda task: int(task.ID.split("_")[-1]))
        found["suites"].append(
            {
                "name": name,
                "tasks": [user_task(suite, it, results) for it in by_number(suite.user_tasks)],
                "attacks": [attack(suite, it, results) for it in by_number(suite.injection_tasks)],
                "results": results,
            }
        )
    json.dump(found, sys.stdout, indent=1, ensure_ascii=False)
    print()


main()
