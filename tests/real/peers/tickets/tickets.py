"""The eval of `book/programs/eval.rs` in pydantic-evals: node cases.cjs | python tickets.py BASE_URL MODEL

Needs pydantic-evals==2.62.0 and pydantic-ai-slim[openai]==2.62.0.
"""

import json
import sys
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel
from pydantic_ai import Agent, NativeOutput
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider
from pydantic_evals import Case, Dataset
from pydantic_evals.evaluators import Evaluator


class Class(BaseModel):
    """What a ticket is about: invoices and payments, parcels that are late or lost, something broken, anything else."""

    category: Literal["billing", "delivery", "defect", "other"]
    is_critical: bool


@dataclass
class Category(Evaluator):
    def evaluate(self, ctx):
        return ctx.output.category == ctx.expected_output["category"]


@dataclass
class Critical(Evaluator):
    def evaluate(self, ctx):
        return float(ctx.output.is_critical == ctx.expected_output["is_critical"])


model = OpenAIChatModel(sys.argv[2], provider=OpenAIProvider(base_url=sys.argv[1], api_key="none"))
agent = Agent(
    model,
    output_type=NativeOutput(Class),
    instructions="Classify this ticket of a shop.",
    retries=2,
    model_settings={"temperature": 0, "max_tokens": 100},
)


async def classify(ticket):
    return (await agent.run(ticket)).output


cases = [
    Case(name=case["description"], inputs=case["vars"]["ticket"], expected_output=case["vars"])
    for case in json.load(sys.stdin)
]
dataset = Dataset(name="tickets", cases=cases, evaluators=[Category(), Critical()])
dataset.evaluate_sync(classify, max_concurrency=1, progress=False).print(include_durations=False)
