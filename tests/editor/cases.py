"""What an editor is expected to show. `$0` is the cursor."""

from typing import NamedTuple

GUARD = "if state.revisions < 3,"
UPDATE = "update: { mail = Some(output), revisions = state.revisions + 1 }"
TRANSITIONS = """\
transitions: {
                revise: "Improve the draft" if state.revisions < 3,
                send: "The draft is right",
                escalate: "A person must answer this",
            }"""
REST_OF_GUARD = TRANSITIONS[TRANSITIONS.index(GUARD) :] + ",\n        }"

LITERAL = "stable Rust gives no places within a literal"
BRACE = "without a closing brace the server hands the macro nothing"


class Completion(NamedTuple):
    """Words that complete what is at the cursor, after `old` is replaced by `new` in the demo."""

    old: str
    new: str
    wanted: str
    # Why the words are missing.
    reason: str = ""
    # The text before, and what it is replaced by first: the state of the process around it.
    broken: tuple = ()


AFTER = "let task = TriageTask::Draft;"
LAST = "desk.ticket.len()"
OPEN_GUARD = (GUARD, "if state.,")
OPEN_BRACE = (TRANSITIONS, "transitions: { re")

COMPLETIONS = [
    # Guards.
    Completion(GUARD, "if state.$0,", "revisions ticket is_urgent"),
    Completion(GUARD, "if state.rev$0,", "revisions"),
    Completion(GUARD, "if state.$0", "revisions"),
    Completion(GUARD, "if state.$0 < 3,", "revisions"),
    Completion(GUARD, "if $0,", "state"),
    Completion(GUARD, "if st$0,", "state"),
    Completion(GUARD, "if state.mail.as_ref().$0,", "is_some_and"),
    Completion(GUARD, "if state.mail.as_ref().is_some_and(|it| it.$0),", "subject"),
    Completion("ask if !output.missing.is_empty()", "ask if !output.$0", "missing urgent"),
    Completion("ask if !output.missing.is_empty()", "ask if !output.missing.$0", "is_empty"),
    # Updates.
    Completion(UPDATE, "update: { $0 }", "mail revisions"),
    Completion(UPDATE, "update: { ma$0 }", "mail"),
    Completion(UPDATE, "update: { ma$0 = Some(output), revisions = 1 }", "mail"),
    Completion(UPDATE, "update: { mail?.$0 = output.subject }", "subject body"),
    Completion(UPDATE, "update: $0", "mail"),
    Completion(UPDATE, "update: { mail = output.$0, revisions = 1 }", "subject"),
    Completion(UPDATE, "update: { mail = Some(output), revisions = state.$0 }", "revisions"),
    Completion(UPDATE, "update: { mail = Some(output), revisions = $0 }", "state"),
    Completion(UPDATE, "update: { mail = Some(out$0), revisions = 1 }", "output"),
    # Routes.
    Completion(TRANSITIONS, "transitions: { $0 }", "send escalate"),
    Completion(TRANSITIONS, "transitions: { re$0 }", "revise"),
    Completion('send: "The draft is right"', 'se$0: "The draft is right"', "send"),
    Completion("next: review,", "next: $0,", "review"),
    Completion("next: review,", "next: rev$0,", "review"),
    Completion("next: { ask if !output.missing.is_empty(), route }", "next: { as$0 }", "ask asked"),
    # Keys.
    Completion("check: polite,", "check: polite,\n            ma$0", "max_retries"),
    Completion("check: polite,", "check: polite,\n            $0", "max_retries"),
    Completion("max_steps: 20,", "max_steps: 20,\n        def$0", "default_return"),
    # Templates.
    Completion("${state.revisions} revisions:", "${state.$0} revisions:", "revisions"),
    Completion("${state.revisions} revisions:", "${state.rev$0} revisions:", "revisions", LITERAL),
    Completion("${state.revisions} revisions:", "${$0} revisions:", "state"),
    Completion("${json(state.classification)}", "${json(state.$0)}", "classification"),
    Completion('${part(tone)}"', '${part($0)}"', "tone"),
    # Types and functions.
    Completion("task draft -> Mail {", "task draft -> Ma$0 {", "Mail"),
    Completion("task draft -> Mail {", "task draft -> $0 {", "Mail"),
    Completion("check: polite,", "check: po$0,", "polite"),
    Completion("check: polite,", "check: $0,", "polite"),
    Completion("run: deliver", "run: del$0", "deliver"),
    Completion("state: Desk,", "state: De$0,", "Desk"),
    # Braces that are still open.
    Completion(TRANSITIONS + ",\n        }", "transitions: { re$0\n        }", "revise", BRACE),
    Completion(REST_OF_GUARD, "if state.$0\n        }", "revisions", BRACE),
    # Outside of the process, while it is incomplete.
    Completion(AFTER, "let task = TriageTask::$0", "Draft", broken=OPEN_GUARD),
    Completion(LAST, "desk.$0", "ticket", broken=OPEN_GUARD),
    Completion(AFTER, "let task = TriageTask::$0", "Draft", BRACE, broken=OPEN_BRACE),
    Completion(LAST, "desk.$0", "ticket", BRACE, broken=OPEN_BRACE),
]
COMPLETIONS_WANTED = 40

# A part of what is shown over each word.
HOVERS = {
    # Keys show their documentation.
    "$0goal: ": "goal",
    "$0prompts: {": "The named texts that prompts can show.",
    "$0max_retries: 2": "retries",
    "$0timeout: 10m": "time",
    '$0title: "Draft': "title",
    '$0prompt: "Write the answer': "The task's own part of the prompt",
    "$0check: polite": "check",
    "$0update: { classification": "state",
    "$0next: review": "next",
    "$0transitions: {": "The tasks that the model can choose as the next one",
    "$0run: deliver": "function",
    "asked { $0end }": "ends the process successfully",
    # Tasks show their title and where they lead.
    "task $0review": "**Review the draft**: an AI task.\n\nLeads to `revise`, `send` and `escalate`.",
    "next: $0review": "**Review the draft**: an AI task.\n\nLeads to `revise`, `send` and `escalate`.",
    '$0revise: "Improve': "**Improve the draft**: an AI task with the output `Mail`.",
    "{ $0ask if": "**Ask for what is missing**: an AI task with the output `Mail`.\n\nLeads to `asked`.",
    "$0escalate if": "**escalate**: a terminal.",
    # Code shows what it is.
    "if state.$0revisions": "How often the draft was rewritten.",
    "state.$0is_urgent()": "Whether the ticket is urgent.",
    "check: $0polite": "fn polite(mail: &Mail, _: &Desk) -> Result<(), Issues>",
    "draft -> $0Mail": "A mail to the customer.",
    "Some($0output), rev": "The output of the task.",
    "if $0state.revisions": "The state that the tasks share.",
    "process $0Triage": "Handles one support ticket.",
}
HOVER_LIMIT = 2500

# The one place to which each word leads. A target without a cursor is a file outside of the demo.
DEFINITIONS = {
    '$0revise: "Improve': "task $0revise",
    "next: $0review": "task $0review",
    "{ $0ask if": "task $0ask",
    "task $0draft": "task $0draft",
    "{ $0mail = Some(output), rev": "pub $0mail: Option<Mail>",
    "if state.$0revisions": "pub $0revisions: u32",
    "state.$0is_urgent()": "pub fn $0is_urgent",
    "!output.$0missing": "pub $0missing",
    "ask -> $0Mail": "pub struct $0Mail",
    "state: $0Desk": "pub struct $0Desk",
    "check: $0polite": "fn $0polite",
    "run: $0deliver": "fn $0deliver",
    "Some($0output), rev": "task revise $0-> Mail",
    "if $0state.revisions": "state$0: Desk",
    "process $0Triage": "process $0Triage",
    '$0prompt: "Write the answer': "keys.rs",
    "asked { $0end }": "keys.rs",
}

# Words with more targets: the server shows the call of the macro beside a place that it must not rename.
SEVERAL_TARGETS = {
    "TriageTask::$0Draft": "a generated variant has the place of the word `task`",
    "TriageOutcome::$0Asked": "a generated variant has the place of the word `task`",
    "process": "the generated types have the place of the word",
    "task": "the key, and the generated variants, which have the place of the word",
}

# What can be renamed at each of its places, besides the tasks: the place of its declaration.
RENAMED = [
    "pub $0mail: Option<Mail>",
    "pub $0revisions: u32",
    "pub $0missing",
    "pub fn $0is_urgent",
    "fn $0polite",
    "fn $0deliver",
    "pub struct $0Mail",
    "pub struct $0Desk",
    "pub struct $0Classification",
]

NOT_RENAMED = ["TriageTask::$0Draft", "TriageOutcome::$0Asked", "$0process Triage", "if $0state."]

# Files outside of the demo that renames edit, and why.
KNOWN_EDITS = {
    "cot-core/src/__private/editor/keys.rs": "a key is a field of a struct of `cot-core`, which the"
    " server refuses to rename only if `cot-core` is no dependency by path",
}

# Renames after which the demo must compile: neither a template nor code outside has the word.
COMPILED = ["task $0review", "fn $0polite", "pub struct $0Mail"]

# Errors that the server shows in valid programs: their code, and where they are from.
KNOWN_ERRORS = {
    "tests/ui/accepted/all/templates_of_the_context.rs": ("E0282", "a generic template function"),
    "tests/ui/accepted/all/rules.rs": ("E0282", "in the derive of the output"),
    "examples/claim.rs": ("E0282", "in `#[tokio::main]`"),
}

# Words that complete in later tasks while a token is missing.
LATER = [
    Completion(UPDATE, UPDATE.replace("state.revisions", "state.$0"), "revisions"),
    Completion("run: deliver, next: asked", "run: deliver, next: as$0", "asked"),
]

# Medians in milliseconds by the number of tasks.
LATENCY = {20: 150, 80: 300}
