"""The outputs of the cases for libraries that read pydantic's models, with the words of `../src/kinds`.

pydantic has no descriptions for the values of an enum: its docstring names them.
"""

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import BaseModel, Field

Day = Annotated[str, Field(pattern="^[0-9]{4}-[0-9]{2}-[0-9]{2}$")]
Time = Annotated[str, Field(pattern="^[0-2][0-9]:[0-5][0-9]$")]
Count = Annotated[int, Field(ge=0)]


class Person(BaseModel):
    """A person."""

    name: str
    age: int = Field(ge=0, le=150)


class SpamLabel(StrEnum):
    SPAM = "spam"
    NOT_SPAM = "not_spam"


class Spam(BaseModel):
    """Whether a message is spam."""

    class_label: SpamLabel


class Topic(StrEnum):
    """
    tech_issue: Software or an account does not work.
    billing: Invoices, charges and payments.
    hardware: A device or a part of it does not work.
    general_query: A question about anything else.
    """

    TECH_ISSUE = "tech_issue"
    BILLING = "billing"
    HARDWARE = "hardware"
    GENERAL_QUERY = "general_query"


class Topics(BaseModel):
    """What a message to the support is about."""

    predicted_labels: list[Topic] = Field(
        min_length=1, description="All labels that apply, in the order in which the message has them."
    )


class Sentiment(StrEnum):
    POSITIVE = "positive"
    NEUTRAL = "neutral"
    NEGATIVE = "negative"


class Mood(BaseModel):
    """The opinion in a review."""

    sentiment: Sentiment


class Customer(BaseModel):
    name: str
    email: str | None = Field(None, description="Only if the mail has it.")


class Item(BaseModel):
    article: str = Field(description="In the singular.")
    quantity: int = Field(ge=1)
    unit_price: float = Field(description="The price of one.")


class Priority(StrEnum):
    """
    low: It can wait.
    normal: The mail says nothing about it.
    urgent: It has to be quick.
    """

    LOW = "low"
    NORMAL = "normal"
    URGENT = "urgent"


class Currency(StrEnum):
    EUR = "EUR"
    GBP = "GBP"
    USD = "USD"


class Order(BaseModel):
    """An order of a customer."""

    order_number: str
    customer: Customer
    placed_on: Day = Field(description="The day of the order, as YYYY-MM-DD.")
    priority: Priority
    currency: Currency
    items: list[Item] = Field(min_length=1)
    delivery_cost: float | None = Field(None, description="Only if the mail names it.")
    needed_by: Day | None = Field(
        None, description="The day by which it is needed, as YYYY-MM-DD, only if the mail names it."
    )


class Meeting(BaseModel):
    """A meeting."""

    date: Day = Field(description="As YYYY-MM-DD.")
    start: Time = Field(description="The time at which it begins, as HH:MM, with hours from 00 to 23.")
    minutes: int = Field(ge=5, le=480, description="How long it takes.")
    place: str | None = Field(None, description="The room or place, if the text names one.")
    people: list[str] = Field(description="The names of all who take part, in the order of the text.")


class Room(StrEnum):
    KITCHEN = "kitchen"
    BEDROOM = "bedroom"
    OFFICE = "office"


class Alarm(BaseModel):
    """Wake the user."""

    kind: Literal["alarm"]
    time: Time = Field(description="As HH:MM, with hours from 00 to 23.")


class Light(BaseModel):
    """Set the brightness of a light."""

    kind: Literal["light"]
    room: Room
    percent: int = Field(ge=0, le=100, description="0 is off.")


class Timer(BaseModel):
    """Count down."""

    kind: Literal["timer"]
    seconds: Count


class Message(BaseModel):
    """Send a message."""

    kind: Literal["message"]
    to: str
    text: str = Field(description="The words to send.")


class Commands(BaseModel):
    """What a voice assistant has to do."""

    commands: list[Annotated[Alarm | Light | Timer | Message, Field(discriminator="kind")]] = Field(
        min_length=1, max_length=5, description="In the order in which they were said."
    )


class Unit(StrEnum):
    """
    gram: For kilograms, too: 1 kg is 1000 grams.
    millilitre: For litres, too: 1 l is 1000 millilitres.
    piece: Things that are counted.
    """

    GRAM = "gram"
    MILLILITRE = "millilitre"
    TABLESPOON = "tablespoon"
    PIECE = "piece"


class Ingredient(BaseModel):
    name: str = Field(description="As the recipe writes it.")
    amount: float = Field(description="In the unit below.")
    unit: Unit


class Recipe(BaseModel):
    """A recipe."""

    servings: Count = Field(description="The number of people for whom it is.")
    ingredients: list[Ingredient] = Field(min_length=1)


class Bill(BaseModel):
    """The figures of a bill."""

    net: float = Field(description="The sum without tax.")
    vat_percent: float = Field(ge=0, le=100, description="0 if there is no tax.")
    total: float = Field(description="The sum with tax.")
    due_in_days: Count | None = Field(None, description="The number of days to pay, only if the bill names them.")
    paid: bool = Field(description="Whether it is paid already.")


class Cause(StrEnum):
    """
    deployment: A new version or setting.
    hardware: Machines and disks.
    network: Lines and cables.
    overload: More requests than the system can serve.
    human_error: A mistake of a person, apart from a deployment.
    unknown: The report does not know it.
    """

    DEPLOYMENT = "deployment"
    HARDWARE = "hardware"
    NETWORK = "network"
    OVERLOAD = "overload"
    HUMAN_ERROR = "human_error"
    UNKNOWN = "unknown"


class Incident(BaseModel):
    """An outage of a system."""

    system: str = Field(description="The name of the system, without an article, as the report has it.")
    began_on: Day = Field(description="As YYYY-MM-DD.")
    minutes_down: Count = Field(description="How long the system could not be used.")
    customers_affected: Count
    cause: Cause
    data_lost: bool = Field(description="Whether something was lost for ever.")


class Refund(BaseModel):
    """Pay the money back; the mail has to name the order"""

    target: Literal["refund"]
    order: str = Field(description="Its number, as the mail has it.")


class SendAgain(BaseModel):
    """Send the goods again; the mail has to name the order"""

    target: Literal["send_again"]
    order: str = Field(description="Its number, as the mail has it.")


class AskNumber(BaseModel):
    """Ask for the number of the order, without which nothing can be done"""

    target: Literal["ask_number"]


class Answer(BaseModel):
    """Answer a general question"""

    target: Literal["answer"]


class Escalate(BaseModel):
    """Pass it to a person: somebody was hurt, or threatens with a lawyer"""

    target: Literal["escalate"]


class Choice(BaseModel):
    """What to do with the mail."""

    action: Refund | SendAgain | AskNumber | Answer | Escalate = Field(discriminator="target")


OUTPUTS = {
    "person": (Person, "Extract the person."),
    "spam": (Spam, "Is this message spam?"),
    "topics": (Topics, "Label this message to our support."),
    "sentiment": (Mood, "What does the author of this review think?"),
    "order": (Order, "Read the order from this mail."),
    "meeting": (Meeting, "Extract the appointment."),
    "commands": (Commands, "What has the assistant to do?"),
    "recipe": (Recipe, "Extract the recipe."),
    "bill": (Bill, "Read the figures of this bill."),
    "incident": (Incident, "Extract the facts of the outage from this report."),
    "desk": (Choice, "Handle the mails of customers of a shop. Decide what to do with this mail."),
}
