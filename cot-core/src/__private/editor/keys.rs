//! The keys of `cot_process!`. A test of `cot-macros` writes this file from the tables of the parser.

use super::words::*;

/// The keys of a process.
#[derive(Debug, Clone, Copy)]
pub struct ProcessItems {
    /// The state that the tasks share. Written `state: Type` or `state: { name: Type, … }`.
    pub state: super::State,
    /// The type of what the program gives to the functions of the process. Written `context: Type`.
    pub context: super::Type,
    /// The goal of the process. Written `goal: "template"`.
    pub goal: super::Template,
    /// The first part of every prompt. Written `intro: "template"`.
    pub intro: super::Template,
    /// The system message of every request. Written `system: "template"`.
    pub system: super::Template,
    /// The named texts that prompts can show. Written `prompts: { name: "template", … }`.
    pub prompts: super::Parts,
    /// The texts in place of the default ones around the standard parts of prompts. Written `primers: { goal: "template", … }`.
    pub primers: super::Primers,
    /// The functions that models can call. Written `tools: { name: function "what it does", … }`.
    pub tools: super::Tools,
    /// The maximum number of tool calls in a visit of a task. Written `max_tool_calls: 16`.
    pub max_tool_calls: super::Number,
    /// The order of the standard parts of prompts. Written `order: [intro, goal, prompt, transitions, output, history, errors]`.
    pub order: StandardPart,
    /// The engines of all tasks that do not name their own. Written `model: "engine id"` or `model: ["first", "second"]`.
    pub model: super::Engines,
    /// The engines that private values may be shown to. Written `private: ["engine id"]`.
    pub private: super::Engines,
    /// Whether it is an error that an untrusted value reaches an effect. Written `trust: strict` or `trust: warn`.
    pub trust: Trust,
    /// The maximum number of retries of a task. Written `max_retries: 2`.
    pub max_retries: super::Number,
    /// The maximum number of times that a model makes the same choice in a row. Written `max_repeats: 3`.
    pub max_repeats: super::Number,
    /// The part of the history that prompts show. Written `history: none` or `history: { max_items: 20 }`.
    pub history: HistoryItems,
    /// The first task. Written `start: task`.
    pub start: super::Task,
    /// The task that follows tasks without a `next`. Written `default_return: task`.
    pub default_return: super::Task,
    /// The maximum number of steps of a run. Written `max_steps: 50`.
    pub max_steps: super::Number,
    /// The maximum duration of a run. Written `timeout: 10m`.
    pub timeout: super::Duration,
    /// The limits on tokens, model calls and cost of a run. Written `budget: { tokens: 100000 }`.
    pub budget: BudgetItems,
    /// What a run is proven not to exceed. Written `at_most: { calls: 60, output_tokens: 90000 }`.
    pub at_most: AtMostItems,
    /// The mock function of all tasks that have none of their own. Written `mock: function`.
    pub mock: super::Function,
    /// Whether the mocks are active. Written `mock_mode: true`.
    pub mock_mode: super::Boolean,
    /// The sequences of tasks. Written `sequence name [task, task]`.
    pub sequence: super::Declaration,
    /// The tasks. Written `task name { … }`.
    pub task: super::Declaration,
    /// The tasks that run branches at the same time. Written `parallel name [task, task] => join`.
    pub parallel: super::Declaration,
    /// The temperature of the model. Written `temperature: 0.7`.
    pub temperature: super::Number,
    /// The share of the most probable tokens that are sampled from. Written `top_p: 0.9`.
    pub top_p: super::Number,
    /// The maximum number of tokens in a reply. Written `max_tokens: 1000`.
    pub max_tokens: super::Number,
    /// The texts at which a reply ends. Written `stop: ["text"]`.
    pub stop: super::Text,
    /// The seed of the sampling. Written `seed: 42`.
    pub seed: super::Number,
    /// How much a reasoning model thinks before it replies. Written `effort: low`.
    pub effort: Effort,
    /// The additional members of the request. Written `extra: { "member": value }`.
    pub extra: super::Json,
}

/// The keys of a history.
#[derive(Debug, Clone, Copy)]
pub struct HistoryItems {
    /// The maximum number of items that prompts show. Written `max_items: 20`.
    pub max_items: super::Number,
    /// The maximum number of items in the field `history` of the state. Written `state_max_items: 20`.
    pub state_max_items: super::Number,
    /// What the history has of the tools that models call. Written `tools: names` or `tools: all`.
    pub tools: ToolHistory,
    /// What prompts show of entries that untrusted values may have written. Written `untrusted: omit` or `untrusted: quoted`.
    pub untrusted: UntrustedHistory,
}

/// The keys of a budget.
#[derive(Debug, Clone, Copy)]
pub struct BudgetItems {
    /// The maximum number of tokens. Written `tokens: 100000`.
    pub tokens: super::Number,
    /// The maximum number of model calls. Written `calls: 50`.
    pub calls: super::Number,
    /// The maximum cost, in the unit of the engines' prices. Written `cost: 2.5`.
    pub cost: super::Number,
}

/// The keys of a at_most.
#[derive(Debug, Clone, Copy)]
pub struct AtMostItems {
    /// The maximum number of model calls. Written `calls: 60`.
    pub calls: super::Number,
    /// The maximum number of tokens in replies. Written `output_tokens: 90000`.
    pub output_tokens: super::Number,
    /// The maximum number of questions to people. Written `questions: 3`.
    pub questions: super::Number,
}

/// The keys of a task.
#[derive(Debug, Clone, Copy)]
pub struct TaskItems {
    /// The title that people see. Written `title: "text"`.
    pub title: super::Text,
    /// The description of the task. Written `description: "text"`.
    pub description: super::Text,
    /// The type of the inputs. Written `inputs: Type`.
    pub inputs: super::Type,
    /// The function that the task runs. Written `run: function`.
    pub run: super::Function,
    /// The question to a person. Written `ask: "template"`.
    pub ask: super::Template,
    /// The sub-process that the task runs. Written `process: Name` or `process: Name with state`.
    pub process: super::SubProcess,
    /// The context of the sub-process, if it is not the one of the process. Written `context: app.part.clone()`.
    pub context: super::Expression,
    /// The list over whose items the task iterates. Written `for_each: item in list`.
    pub for_each: super::ForEach,
    /// The maximum number of concurrent items of a for-each task, or of concurrent tool calls. Written `max_concurrency: 8`.
    pub max_concurrency: super::Number,
    /// The maximum number of items of a for-each task. With more of them, the task fails. Written `max_items: 100`.
    pub max_items: super::Number,
    /// Whether a for-each task collects the items that fail, or fails with the first one. Written `collect: ok` or `collect: all`.
    pub collect: Collect,
    /// The task's own part of the prompt, shown with the standard parts. Written `prompt: "template"`.
    pub prompt: super::Template,
    /// The whole prompt, in the place of the standard parts. Written `full_prompt: "template"`.
    pub full_prompt: super::Template,
    /// The prompt of a task that reasons in steps. Written `reason: "template"`.
    pub reason: super::Template,
    /// How replies in a format of the program's own are read. Written `read: function` or `read: { reply: function, until: function, schema: function }`.
    pub read: ReadItems,
    /// The turns of an earlier conversation, which precede the prompt. Written `turns: state.turns`.
    pub turns: super::Expression,
    /// The function that returns the examples, which precede the turns. Written `examples: function`.
    pub examples: super::Function,
    /// The tasks that the model can choose as the next one. Written `transitions: { task: "label" if guard, … }`.
    pub transitions: super::Transitions,
    /// Whether the model is asked although a single transition is open. Written `always_ask`.
    pub always_ask: super::Flag,
    /// The tool calls that the task performs. Written `calls: state.calls`.
    pub calls: super::Expression,
    /// The tools that the model can call, or that the task performs calls of. Written `tools: [search, price if guard]`.
    pub tools: super::ToolUses,
    /// The maximum number of tool calls in a visit of the task. Written `max_tool_calls: 16`.
    pub max_tool_calls: super::Number,
    /// The state writes of an accepted output. Written `update: path` or `update: { path = value, … }`.
    pub update: super::Update,
    /// The texts in which values of an output have to stand. Written `found_in: state.text` or `found_in: { name: state.text, items[].name: state.text }`.
    pub found_in: super::Sources,
    /// The function that accepts or rejects an output. Written `check: function` or `check: async function`.
    pub check: super::Function,
    /// The function that processes an accepted output. Written `process_output: function`.
    pub process_output: super::Choice,
    /// The pause before the task. Written `wait: 5m`.
    pub wait: super::Duration,
    /// The next task after success. Written `next: task` or `next: { task if guard, … }`.
    pub next: super::Arms,
    /// The next task for each kind of failure, in the place of a halt. Written `on: { exhausted => task, … }`.
    pub on: super::Routes,
    /// When a parallel task is done. Written `join: all`, `join: any` or `join: settled`.
    pub join: Join,
    /// The engines, tried in order. Written `model: "engine id"` or `model: ["first", "second"]`.
    pub model: super::Engines,
    /// The maximum number of retries. Written `max_retries: 2`.
    pub max_retries: super::Number,
    /// The retries of a function, or of a model that can't be reached. Written `retry: { max: 4, backoff: 1s..60s, timeouts }`.
    pub retry: RetryItems,
    /// Whether the function can be called again after an unknown outcome. Written `effect: once`, `effect: repeatable`, `effect: transaction` or `effect: none`.
    pub effect: Effect,
    /// What the function of the task reads that carries no authority. Written `content: [body, subject]`.
    pub content: super::ToolNames,
    /// The mark that the output does not have, whatever the task was shown. Written `clears: untrusted` or `clears: private`.
    pub clears: Clears,
    /// Why untrusted values may reach what the task does. Written `trusts: "why"`.
    pub trusts: super::Text,
    /// The time limit of the task. Written `timeout: 30s`.
    pub timeout: super::Duration,
    /// Whether the process may end after the task. Written `may_end`.
    pub may_end: super::Flag,
    /// Whether the output is left out of the history. Written `no_history`.
    pub no_history: super::Flag,
    /// The text that introduces the errors of a rejected reply. Written `errors_primer: "template"`.
    pub errors_primer: super::Template,
    /// The function that answers in place of the model, the person or the function. Written `mock: function`.
    pub mock: super::Function,
    /// Whether the mock is active. Written `mock_mode: true`.
    pub mock_mode: super::Boolean,
    /// Whether the task ends the process successfully. Written `end`.
    pub end: super::Flag,
    /// The reason with which the task fails the process. Written `fail: "why"`.
    pub fail: super::Template,
    /// The temperature of the model. Written `temperature: 0.7`.
    pub temperature: super::Number,
    /// The share of the most probable tokens that are sampled from. Written `top_p: 0.9`.
    pub top_p: super::Number,
    /// The maximum number of tokens in a reply. Written `max_tokens: 1000`.
    pub max_tokens: super::Number,
    /// The texts at which a reply ends. Written `stop: ["text"]`.
    pub stop: super::Text,
    /// The seed of the sampling. Written `seed: 42`.
    pub seed: super::Number,
    /// How much a reasoning model thinks before it replies. Written `effort: low`.
    pub effort: Effort,
    /// The additional members of the request. Written `extra: { "member": value }`.
    pub extra: super::Json,
}

/// The keys of a block of `read`.
#[derive(Debug, Clone, Copy)]
pub struct ReadItems {
    /// The function that reads a reply into the output. Written `reply: function`.
    pub reply: super::Function,
    /// The function that says where a reply that is streamed ends. Written `until: function`.
    pub until: super::Function,
    /// The function that returns the schema for engines. Written `schema: function`.
    pub schema: super::Function,
}

/// The keys of a retry.
#[derive(Debug, Clone, Copy)]
pub struct RetryItems {
    /// The maximum number of retries; 2 by default. Written `max: 4`.
    pub max: super::Number,
    /// The range of the pauses between attempts. Written `backoff: 1s..60s`.
    pub backoff: super::Duration,
    /// Whether attempts that time out are retried. Written `timeouts`.
    pub timeouts: super::Flag,
}

/// The keys of a tool.
#[derive(Debug, Clone, Copy)]
pub struct ToolItems {
    /// Whether the function can be called again after an unknown outcome. Written `effect: once`, `effect: repeatable` or `effect: none`.
    pub effect: Effect,
    /// The retries of a failed call. Written `retry: { max: 4, backoff: 1s..60s, timeouts }`.
    pub retry: RetryItems,
    /// The time limit of a call. Written `timeout: 30s`.
    pub timeout: super::Duration,
    /// The approval of each call before it is made. Written `approve: person`.
    pub approve: Approver,
    /// Whether the results come from outside. Written `untrusted`.
    pub untrusted: super::Flag,
    /// Why the results of a source can be trusted. Written `trusts: "why"`.
    pub trusts: super::Text,
    /// The arguments that carry no authority. Written `content: [body, subject]`.
    pub content: super::ToolNames,
    /// The texts in which arguments have to stand. Written `found_in: { payee: state.request }`.
    pub found_in: super::Sources,
    /// The function that answers in place of the tool. Written `mock: function`.
    pub mock: super::Function,
    /// The tools of a source that can be called. Written `only: [read_file, list_directory]` or `only: all`.
    pub only: super::ToolNames,
}
