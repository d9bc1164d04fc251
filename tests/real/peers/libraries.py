"""How each library asks for an output, as its own documentation proposes.

A library is a function of the server and the model. It returns a function, which takes a kind of cases with a text
and returns the output as JSON, and the errors that this function raises when replies of the model were not accepted.
All have the retries that our tasks have, apart from BAML, which only repeats requests that failed.
"""

import os
from enum import Enum

from outputs import OUTPUTS

RETRIES = 2


def pydantic_ai(base_url, model, prompted=False):
    from pydantic_ai import Agent, PromptedOutput, UnexpectedModelBehavior
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider

    chat = OpenAIChatModel(model, provider=OpenAIProvider(base_url=base_url, api_key="none"))

    def ask(kind, text):
        output, instructions = OUTPUTS[kind]
        output = PromptedOutput(output) if prompted else output
        agent = Agent(chat, output_type=output, instructions=instructions, retries=RETRIES)
        return unwrapped(agent.run_sync(text).output)

    return ask, UnexpectedModelBehavior


def instructor(base_url, model, mode="TOOLS"):
    from instructor import Mode, from_openai
    from instructor.core import IncompleteOutputException, InstructorRetryException
    from openai import OpenAI

    client = from_openai(OpenAI(base_url=base_url, api_key="none"), mode=Mode[mode])

    def ask(kind, text):
        output, instructions = OUTPUTS[kind]
        messages = [{"role": "user", "content": f"{instructions}\n{text}"}]
        return unwrapped(
            client.create(model=model, response_model=output, messages=messages, max_retries=RETRIES)
        )

    return ask, (InstructorRetryException, IncompleteOutputException)


def baml(base_url, model):
    os.environ |= {"PEERS_BASE_URL": base_url, "PEERS_MODEL": model, "BAML_LOG": "off"}
    from baml_client import b
    from baml_py.errors import BamlValidationError

    return lambda kind, text: lowered(getattr(b, f"Read{kind.title()}")(text).model_dump()), BamlValidationError


def unwrapped(output):
    """A union is wrapped for the libraries that want an object."""
    value = output.model_dump(mode="json")
    return value.get("action", value)


def lowered(value):
    """The values of enums begin with a capital in BAML."""
    if isinstance(value, dict):
        return {name: lowered(member) for name, member in value.items()}
    if isinstance(value, list):
        return [lowered(element) for element in value]
    return value.value.lower() if isinstance(value, Enum) else value


LIBRARIES = {
    "baml": baml,
    "instructor-tools": instructor,
    "instructor-json": lambda *server: instructor(*server, mode="JSON"),
    "pydantic-ai-tools": pydantic_ai,
    "pydantic-ai-prompted": lambda *server: pydantic_ai(*server, prompted=True),
}
