//! `task name -> Output { … }`.

use syn::{
    Attribute, Ident, Lit, LitBool, LitInt, LitStr, Path, Result, Token, Type, braced,
    parse::{Parse, ParseStream},
};

use crate::diagnostics::{Errors, error_at};
use crate::items::retry::RetryItem;
use crate::parse::table::{Entry, InvalidItems, Item, Slot, Table, fill};
use crate::template::reader::Template;
use crate::values::duration::{Engines, Names, Seconds, function, ty};
use crate::values::for_each::ForEach;
use crate::values::next::Next;
use crate::values::on::{OnRoute, on};
use crate::values::sub_process::SubProcess;
use crate::values::transitions::{Transition, transitions};
use crate::values::update::Update;

/// A task as written.
#[derive(Debug)]
pub struct Task {
    pub attributes: Vec<Attribute>,
    pub name: Ident,
    pub output: Option<Type>,
    pub items: TaskItems,
    /// The keys of the items, in their order.
    pub keys: Vec<Ident>,
    /// The items that have mistakes.
    pub broken: InvalidItems,
}

/// The items of a task.
#[derive(Debug, Default)]
pub struct TaskItems {
    pub title: Slot<LitStr>,
    pub description: Slot<LitStr>,
    pub inputs: Slot<Type>,
    pub run: Slot<Path>,
    pub ask: Slot<Template>,
    pub process: Slot<SubProcess>,
    pub for_each: Slot<ForEach>,
    pub max_concurrency: Slot<LitInt>,
    pub prompt: Slot<Template>,
    pub full_prompt: Slot<Template>,
    pub reason: Slot<Template>,
    pub transitions: Slot<Vec<Transition>>,
    pub update: Slot<Update>,
    pub check: Slot<Check>,
    pub process_output: Slot<ProcessOutput>,
    pub wait: Slot<Seconds>,
    pub next: Slot<Next>,
    pub may_end: Slot<()>,
    pub on: Slot<Vec<OnRoute>>,
    pub model: Slot<Engines>,
    pub max_retries: Slot<LitInt>,
    pub retry: Slot<RetryItem>,
    pub temperature: Slot<Lit>,
    pub max_tokens: Slot<LitInt>,
    pub timeout: Slot<Seconds>,
    pub no_history: Slot<()>,
    pub errors_primer: Slot<Template>,
    pub mock: Slot<Path>,
    pub mock_mode: Slot<LitBool>,
    pub end: Slot<()>,
    pub fail: Slot<Template>,
}

/// `path`, or `async path`.
#[derive(Debug)]
pub struct Check {
    pub is_async: Option<Token![async]>,
    pub path: Path,
}

/// `path`, or `path -> [a, b]`.
#[derive(Debug)]
pub struct ProcessOutput {
    pub path: Path,
    pub choices: Option<Names>,
}

const TABLE: Table<TaskItems> = Table {
    owner: "task",
    docs: None,
    entries: &[
        item("title", "title: \"text\"", |t, key, input, _| fill(&mut t.title, key, input)),
        item("description", "description: \"text\"", |t, key, input, _| {
            fill(&mut t.description, key, input)
        }),
        item("inputs", "inputs: Type", |t, key, input, _| {
            t.inputs = Some(Item { key, value: ty(input)? });
            Ok(())
        }),
        item("run", "run: function", |t, key, input, _| {
            t.run = Some(Item { key, value: function(input)? });
            Ok(())
        }),
        item("ask", "ask: \"template\"", |t, key, input, _| fill(&mut t.ask, key, input)),
        item("process", "process: Name` or `process: Name with state", |t, key, input, _| {
            fill(&mut t.process, key, input)
        }),
        item("for_each", "for_each: item in list", |t, key, input, _| {
            fill(&mut t.for_each, key, input)
        }),
        item("max_concurrency", "max_concurrency: 8", |t, key, input, _| {
            fill(&mut t.max_concurrency, key, input)
        }),
        item("prompt", "prompt: \"template\"", |t, key, input, _| fill(&mut t.prompt, key, input)),
        item("full_prompt", "full_prompt: \"template\"", |t, key, input, _| {
            fill(&mut t.full_prompt, key, input)
        }),
        item("reason", "reason: \"template\"", |t, key, input, _| fill(&mut t.reason, key, input)),
        item(
            "transitions",
            "transitions: { task: \"label\" if guard, … }",
            |t, key, input, errors| {
                t.transitions = Some(Item { key, value: transitions(input, errors)? });
                Ok(())
            },
        ),
        item(
            "update",
            "update: path` or `update: { path = value, … }",
            |t, key, input, errors| {
                t.update = Some(Item { key, value: Update::parse(input, errors)? });
                Ok(())
            },
        ),
        item("check", "check: function` or `check: async function", |t, key, input, _| {
            fill(&mut t.check, key, input)
        }),
        item("process_output", "process_output: function", |t, key, input, _| {
            fill(&mut t.process_output, key, input)
        }),
        item("wait", "wait: 5m", |t, key, input, _| {
            t.wait = Some(Item { key, value: Seconds::wait(input)? });
            Ok(())
        }),
        item("next", "next: task` or `next: { task if guard, … }", |t, key, input, errors| {
            t.next = Some(Item { key, value: Next::parse(input, errors)? });
            Ok(())
        }),
        item("on", "on: { exhausted => task, … }", |t, key, input, errors| {
            t.on = Some(Item { key, value: on(input, errors)? });
            Ok(())
        }),
        item(
            "model",
            "model: \"engine id\"` or `model: [\"first\", \"second\"]",
            |t, key, input, _| fill(&mut t.model, key, input),
        ),
        item("max_retries", "max_retries: 2", |t, key, input, _| {
            fill(&mut t.max_retries, key, input)
        }),
        item("retry", "retry: { max: 4, backoff: 1s..60s, timeouts }", |t, key, input, _| {
            fill(&mut t.retry, key, input)
        }),
        item("temperature", "temperature: 0.7", |t, key, input, _| {
            fill(&mut t.temperature, key, input)
        }),
        item("max_tokens", "max_tokens: 1000", |t, key, input, _| {
            fill(&mut t.max_tokens, key, input)
        }),
        item("timeout", "timeout: 30s", |t, key, input, _| fill(&mut t.timeout, key, input)),
        flag("may_end", "may_end", |t, key, _, _| set(&mut t.may_end, key)),
        flag("no_history", "no_history", |t, key, _, _| set(&mut t.no_history, key)),
        item("errors_primer", "errors_primer: \"template\"", |t, key, input, _| {
            fill(&mut t.errors_primer, key, input)
        }),
        item("mock", "mock: function", |t, key, input, _| {
            t.mock = Some(Item { key, value: function(input)? });
            Ok(())
        }),
        item("mock_mode", "mock_mode: true", |t, key, input, _| fill(&mut t.mock_mode, key, input)),
        flag("end", "end", |t, key, _, _| set(&mut t.end, key)),
        item("fail", "fail: \"why\"", |t, key, input, _| fill(&mut t.fail, key, input)),
    ],
};

type Read = fn(&mut TaskItems, Ident, ParseStream<'_>, &Errors) -> Result<()>;

const fn item(key: &'static str, form: &'static str, read: Read) -> Entry<TaskItems> {
    Entry { key, form, repeats: false, colon: true, read }
}

const fn flag(key: &'static str, form: &'static str, read: Read) -> Entry<TaskItems> {
    Entry { key, form, repeats: false, colon: false, read }
}

fn set(slot: &mut Slot<()>, key: Ident) -> Result<()> {
    *slot = Some(Item { key, value: () });
    Ok(())
}

impl Task {
    /// The task of which no more than the name is known.
    pub fn named(name: Ident, attributes: Vec<Attribute>) -> Self {
        let (items, broken) = (TaskItems::default(), InvalidItems::default());
        Self { attributes, name, output: None, items, keys: Vec::new(), broken }
    }

    /// The word `reason`, whether or not what follows on it can be read.
    pub fn reason(&self) -> Option<&Ident> {
        self.keys.iter().find(|key| *key == "reason")
    }

    /// Reads what follows the name.
    pub fn read(&mut self, input: ParseStream<'_>, errors: &Errors) -> Result<()> {
        let name = &self.name;
        if input.parse::<Option<Token![->]>>()?.is_some() {
            let span = input.span();
            let wrong = |_| {
                error_at(span, "expected a type", format!("write `task {name} -> Output {{ … }}`"))
            };
            self.output = Some(input.parse().map_err(wrong)?);
        }
        if !input.peek(syn::token::Brace) {
            return Err(error_at(
                input.span(),
                format!("expected `{{` after `task {name}`"),
                format!("write `task {name} {{ … }}` or `task {name} -> Output {{ … }}`"),
            ));
        }
        let content;
        braced!(content in input);
        (self.keys, self.broken) = TABLE.read(&mut self.items, &content, errors);
        Ok(())
    }
}

impl Parse for Check {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        Ok(Self { is_async: input.parse()?, path: function(input)? })
    }
}

impl Parse for ProcessOutput {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let path = function(input)?;
        let choices = match input.parse::<Option<Token![->]>>()? {
            Some(_) => Some(input.parse()?),
            None => None,
        };
        Ok(Self { path, choices })
    }
}
