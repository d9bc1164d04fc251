//! The items of a task.

use syn::{Expr, LitBool, LitInt, LitStr, Path, Type};

use TaskKind::{
    Ai, Calls, Code, Each, EachCode, EachProcess, End, Fail, Gateway, Human, Parallel, Process,
};

use crate::{
    items::{read::ReadItems, retry::RetryItems, settings::item_table_with_settings},
    kind::TaskKind,
    parse::{item::Slot, row::Range},
    template::syntax::Template,
    values::{
        duration::{DurationValue, Wait},
        effect::EffectValue,
        engines::Engines,
        for_each::ForEach,
        found_in::FoundIn,
        functions::{Check, ProcessOutput},
        next::Next,
        on::OnRoute,
        parallel::JoinValue,
        sub_process::SubProcess,
        tools::{names::Names, uses::ToolUse},
        transitions::Transition,
        update::Update,
        word::{ClearsValue, CollectValue},
    },
};

const ANY: &[TaskKind] =
    &[Ai, Each, EachCode, EachProcess, Code, Calls, Human, Process, Parallel, Gateway, End, Fail];
const ALL: &[TaskKind] =
    &[Ai, Each, EachCode, EachProcess, Code, Calls, Human, Process, Gateway, End, Fail];
const ROUTING: &[TaskKind] =
    &[Ai, Each, EachCode, EachProcess, Code, Calls, Human, Process, Gateway];
const WAITING: &[TaskKind] =
    &[Ai, Each, EachCode, EachProcess, Code, Calls, Human, Process, Parallel, Gateway];
const WORK: &[TaskKind] = &[Ai, Each, EachCode, EachProcess, Code, Calls, Human, Process];
const RETRYING: &[TaskKind] = &[Ai, Each, EachCode, EachProcess, Code, Human, Process];
const FAILING: &[TaskKind] =
    &[Ai, Each, EachCode, EachProcess, Code, Calls, Human, Process, Parallel];
const MOCKED: &[TaskKind] = &[Ai, Each, EachCode, Code, Calls, Human];
const EACH: &[TaskKind] = &[Each, EachCode, EachProcess];
const CONCURRENT: &[TaskKind] = &[Each, EachCode, EachProcess, Calls];
const TOOLS: &[TaskKind] = &[Ai, Calls];
const FUNCTION: &[TaskKind] = &[Code, EachCode];
const SUB_PROCESS: &[TaskKind] = &[Process, EachProcess];
const CLEARING: &[TaskKind] = &[Ai, Each, EachCode, EachProcess, Code, Process];
const ANSWER: &[TaskKind] = &[Ai, Each, Human];
const MODEL: &[TaskKind] = &[Ai, Each];

item_table_with_settings! {
    kinds: MODEL;
    /// The items of a task.
    pub struct TaskItems of "task" {
        /// The title that people see.
        title: Slot<LitStr> { form: "title: \"text\"", kinds: ANY }
        /// The description of the task.
        description: Slot<LitStr> { form: "description: \"text\"", kinds: ANY }
        /// The type of the inputs.
        inputs: Slot<Type> { form: "inputs: Type", kinds: ALL }
        /// The function that the task runs.
        run: Slot<Path> { form: "run: function", kinds: FUNCTION, decides: Some(Code) }
        /// The question to a person.
        ask: Slot<Template> { form: "ask: \"template\"", kinds: &[Human], decides: Some(Human) }
        /// The sub-process that the task runs.
        process: Slot<SubProcess> {
            form: "process: Name` or `process: Name with state",
            kinds: SUB_PROCESS,
            decides: Some(Process),
        }
        /// The context of the sub-process, if it is not the one of the process.
        context: Slot<Expr> { form: "context: app.part.clone()", kinds: SUB_PROCESS }
        /// The list over whose items the task iterates.
        for_each: Slot<ForEach> {
            form: "for_each: item in list",
            kinds: EACH,
            decides: Some(Each),
        }
        /// The maximum number of concurrent items of a for-each task, or of concurrent tool calls.
        max_concurrency: Slot<LitInt> {
            form: "max_concurrency: 8",
            kinds: CONCURRENT,
            range: Some(Range::LIMIT),
        }
        /// The maximum number of items of a for-each task. With more of them, the task fails.
        max_items: Slot<LitInt> { form: "max_items: 100", kinds: EACH, range: Some(Range::LIMIT) }
        /// Whether a for-each task collects the items that fail, or fails with the first one.
        collect: Slot<CollectValue> { form: "collect: ok` or `collect: all", kinds: EACH }
        /// The task's own part of the prompt, shown with the standard parts.
        prompt: Slot<Template> { form: "prompt: \"template\"", kinds: MODEL, decides: Some(Ai) }
        /// The whole prompt, in the place of the standard parts.
        full_prompt: Slot<Template> {
            form: "full_prompt: \"template\"",
            kinds: MODEL,
            decides: Some(Ai),
        }
        /// The prompt of a task that reasons in steps.
        reason: Slot<Template> { form: "reason: \"template\"", kinds: MODEL, decides: Some(Ai) }
        /// How replies in a format of the program's own are read.
        read: Slot<ReadItems> {
            form: "read: function` or `read: { reply: function, until: function, schema: function }",
            kinds: &[Ai],
            decides: Some(Ai),
        }
        /// The turns of an earlier conversation, which precede the prompt.
        turns: Slot<Expr> { form: "turns: state.turns", kinds: MODEL }
        /// The function that returns the examples, which precede the turns.
        examples: Slot<Path> { form: "examples: function", kinds: MODEL }
        /// The tasks that the model can choose as the next one.
        transitions: Slot<Vec<Transition>> {
            form: "transitions: { task: \"label\" if guard, … }",
            kinds: &[Ai],
            decides: Some(Ai),
            routes: true,
            has_conditions: true,
        }
        /// Whether the model is asked although a single transition is open.
        always_ask: Slot<()> { form: "always_ask", kinds: &[Ai] }
        /// The tool calls that the task performs.
        calls: Slot<Expr> { form: "calls: state.calls", kinds: &[Calls], decides: Some(Calls) }
        /// The tools that the model can call, or that the task performs calls of.
        tools: Slot<Vec<ToolUse>> {
            form: "tools: [search, price if guard]",
            kinds: TOOLS,
            has_conditions: true,
        }
        /// The maximum number of tool calls in a visit of the task.
        max_tool_calls: Slot<LitInt> {
            form: "max_tool_calls: 16",
            kinds: TOOLS,
            range: Some(Range::LIMIT),
        }
        /// The state writes of an accepted output.
        update: Slot<Update> {
            form: "update: path` or `update: { path = value, … }",
            kinds: WORK,
            has_conditions: true,
        }
        /// The texts in which values of an output have to stand.
        found_in: Slot<FoundIn> {
            form: "found_in: state.text` or `found_in: { name: state.text, items[].name: state.text }",
            kinds: ANSWER,
        }
        /// The function that accepts or rejects an output.
        check: Slot<Check> { form: "check: function` or `check: async function", kinds: ANSWER }
        /// The function that processes an accepted output.
        process_output: Slot<ProcessOutput> {
            form: "process_output: function",
            kinds: WORK,
            routes: true,
        }
        /// The pause before the task.
        wait: Slot<Wait> { form: "wait: 5m", kinds: WAITING }
        /// The next task after success.
        next: Slot<Next> {
            form: "next: task` or `next: { task if guard, … }",
            kinds: ROUTING,
            routes: true,
            has_conditions: true,
        }
        /// The next task for each kind of failure, in the place of a halt.
        on: Slot<Vec<OnRoute>> {
            form: "on: { exhausted => task, … }",
            kinds: FAILING,
            routes: true,
            has_conditions: true,
        }
        /// When a parallel task is done.
        join: Slot<JoinValue> {
            form: "join: all`, `join: any` or `join: settled",
            kinds: &[Parallel],
        }
        /// The engines, tried in order.
        model: Slot<Engines> {
            form: "model: \"engine id\"` or `model: [\"first\", \"second\"]",
            kinds: MODEL,
        }
        /// The maximum number of retries.
        max_retries: Slot<LitInt> {
            form: "max_retries: 2",
            kinds: RETRYING,
            range: Some(Range::COUNT),
        }
        /// The retries of a function, or of a model that can't be reached.
        retry: Slot<RetryItems> {
            form: "retry: { max: 4, backoff: 1s..60s, timeouts }",
            kinds: &[Code, EachCode, Ai, Each],
        }
        /// Whether the function can be called again after an unknown outcome.
        effect: Slot<EffectValue> {
            form: "effect: once`, `effect: repeatable`, `effect: transaction` or `effect: none",
            kinds: FUNCTION,
        }
        /// What the function of the task reads that carries no authority.
        content: Slot<Names> { form: "content: [body, subject]", kinds: FUNCTION }
        /// The mark that the output does not have, whatever the task was shown.
        clears: Slot<ClearsValue> {
            form: "clears: untrusted` or `clears: private",
            kinds: CLEARING,
        }
        /// Why untrusted values may reach what the task does.
        trusts: Slot<LitStr> { form: "trusts: \"why\"", kinds: WORK }
        /// The time limit of the task.
        timeout: Slot<DurationValue> { form: "timeout: 30s", kinds: FAILING }
        /// Whether the process may end after the task.
        may_end: Slot<()> { form: "may_end", kinds: WORK }
        /// Whether the output is left out of the history.
        no_history: Slot<()> { form: "no_history", kinds: WORK }
        /// The text that introduces the errors of a rejected reply.
        errors_primer: Slot<Template> { form: "errors_primer: \"template\"", kinds: MODEL }
        /// The function that answers in place of the model, the person or the function.
        mock: Slot<Path> { form: "mock: function", kinds: MOCKED }
        /// Whether the mock is active.
        mock_mode: Slot<LitBool> { form: "mock_mode: true", kinds: MOCKED }
        /// Whether the task ends the process successfully.
        end: Slot<()> { form: "end", kinds: &[End], decides: Some(End) }
        /// The reason with which the task fails the process.
        fail: Slot<Template> { form: "fail: \"why\"", kinds: &[Fail], decides: Some(Fail) }
    }
}
