//! What one visit of a task costs at most.

use cot_bounds::{
    Bound, DEFAULT_FUNCTION_RETRIES, DEFAULT_HELD_CALLS, DEFAULT_MAX_RETRIES, DEFAULT_TOOL_CALLS,
    Quantity, WorstCase,
};
use cot_syntax::{RetryItems, Slot, TaskKind, ToolWork};
use syn::{LitInt, Path};

use crate::model::{Model, Task};

/// The cost of one visit of a task.
#[derive(Debug)]
pub(crate) struct VisitCost<'a> {
    /// What the task itself uses up.
    pub(crate) own: WorstCase,
    /// The sub-process, with the number of its runs.
    pub(crate) child: Option<(Bound, &'a Path)>,
    /// The factors, for messages.
    factors: Vec<(Bound, &'static str)>,
    /// The tool calls, each of which makes one more call of the model.
    tool_calls: Option<Bound>,
    max_tokens: Option<Bound>,
}

impl<'a> VisitCost<'a> {
    pub(super) fn new(model: &Model<'a>, task: &Task<'a>) -> Self {
        let mut cost = Self {
            own: WorstCase::NOTHING,
            child: None,
            factors: Vec::new(),
            tool_calls: None,
            max_tokens: None,
        };
        if task.kind.is_each() {
            let items = limit(&task.syntax.items.max_items);
            cost.factor(items.unwrap_or(Bound::UNBOUNDED), "items");
        }
        match task.kind {
            TaskKind::Ai | TaskKind::Each => cost.ask_model(model, task),
            TaskKind::Code | TaskKind::EachCode => {
                cost.factor(function_attempts(task), "attempts");
                cost.own.function_calls = cost.product();
            }
            TaskKind::Calls => {
                let calls = max_tool_calls(model, task).unwrap_or(Bound::from(DEFAULT_HELD_CALLS));
                cost.call_tools(calls, model, task);
            }
            TaskKind::Human => {
                cost.own.questions = Bound::at_most(1);
                if has_async_check(task) {
                    let attempts = limit(&task.syntax.items.max_retries).map(one_more);
                    cost.own.function_calls = attempts.unwrap_or(Bound::UNBOUNDED);
                }
            }
            TaskKind::Process | TaskKind::EachProcess => {
                cost.factor(
                    one_more(limit(&task.syntax.items.max_retries).unwrap_or(Bound::ZERO)),
                    "attempts",
                );
                let process = task.syntax.items.process.as_ref();
                cost.child = process.map(|item| (cost.product(), &item.value.path));
            }
            TaskKind::Parallel
            | TaskKind::Gateway
            | TaskKind::End
            | TaskKind::Fail
            | TaskKind::Unknown => {}
        }
        cost
    }

    /// Adds the calls of a model. Each engine has its own retries, each pause of `retry` begins with the first engine
    /// again, and each round of tool calls is one more call.
    fn ask_model(&mut self, model: &Model<'_>, task: &Task<'_>) {
        let (items, process) = (&task.syntax.items, &model.syntax.items);
        let retries = limit(&items.max_retries).or_else(|| limit(&process.max_retries));
        let attempts = one_more(retries.unwrap_or(Bound::from(DEFAULT_MAX_RETRIES)));
        let engines =
            items.model.as_ref().or(process.model.as_ref()).map_or(1, |item| item.value.0.len());
        let engines = Bound::at_most(u64::try_from(engines.max(1)).unwrap_or(u64::MAX));
        let pauses = items.retry.as_ref().map_or(Bound::ZERO, |retry| max_retries_of(&retry.value));
        self.factor(attempts, "attempts");
        self.factor(engines, "engines");
        self.factor(one_more(pauses), "rounds of `retry`");
        let replies = self.product();
        if has_async_check(task) {
            self.own.function_calls = replies;
        }
        self.own.model_calls = replies;
        if !task.tools.is_empty() {
            let calls = max_tool_calls(model, task).unwrap_or(Bound::from(DEFAULT_TOOL_CALLS));
            self.own.model_calls = replies.plus(calls);
            self.call_tools(calls, model, task);
        }
        let max_tokens = limit(&items.max_tokens).or_else(|| limit(&process.max_tokens));
        self.max_tokens = max_tokens;
        self.own.output_tokens = self.own.model_calls.times(max_tokens.unwrap_or(Bound::UNBOUNDED));
        self.own.prompt_bytes =
            self.own.model_calls.times(Bound::at_most(fixed_bytes(model, task)));
    }

    fn call_tools(&mut self, calls: Bound, model: &Model<'_>, task: &Task<'_>) {
        self.tool_calls = Some(calls);
        let used = || task.tools.iter().filter_map(|used| model.tools.get(used.tool));
        let attempts = used().map(|tool| {
            let retry = tool.items.retry.as_ref();
            one_more(retry.map_or(Bound::ZERO, |retry| max_retries_of(&retry.value)))
        });
        let attempts = attempts.fold(Bound::at_most(1), Bound::or);
        self.own.function_calls = self.own.function_calls.plus(calls.times(attempts));
        // A source can have tools that a person approves.
        if used()
            .any(|tool| tool.items.approve.is_some() || matches!(tool.work, ToolWork::Source(_)))
        {
            self.own.questions = calls;
        }
    }

    /// Returns how a quantity of a visit comes about: `3 attempts x 2 engines`.
    pub(super) fn formula(&self, quantity: Quantity) -> String {
        let factors = self.factors.iter().map(|(number, what)| format!("{number} {what}"));
        let mut factors: Vec<_> = factors.collect();
        match (quantity, self.tool_calls) {
            (Quantity::Questions, _) | (_, None) => {}
            (Quantity::ModelCalls | Quantity::OutputTokens, Some(calls)) => {
                let replies = if factors.is_empty() { "1".to_owned() } else { factors.join(" x ") };
                factors = vec![format!("({replies} + {calls} tool calls)")];
            }
            (_, Some(calls)) => factors.push(format!("{calls} tool calls")),
        }
        match (quantity, self.max_tokens) {
            (Quantity::Questions, _) => format!("{}", self.own.questions),
            (Quantity::OutputTokens, Some(tokens)) => {
                factors.push(format!("{tokens} tokens"));
                factors.join(" x ")
            }
            _ if factors.is_empty() => "1".to_owned(),
            _ => factors.join(" x "),
        }
    }

    fn factor(&mut self, number: Bound, what: &'static str) {
        if number != Bound::at_most(1) {
            self.factors.push((number, what));
        }
    }

    fn product(&self) -> Bound {
        self.factors.iter().fold(Bound::at_most(1), |product, (number, _)| product.times(*number))
    }
}

/// Returns the number of an item. One that does not fit has been reported.
pub(super) fn limit(slot: &Slot<LitInt>) -> Option<Bound> {
    slot.as_ref().and_then(|item| item.value.base10_parse().ok()).map(Bound::at_most)
}

const fn one_more(number: Bound) -> Bound {
    number.plus(Bound::at_most(1))
}

fn max_retries_of(retry: &RetryItems) -> Bound {
    limit(&retry.max).unwrap_or(Bound::from(DEFAULT_FUNCTION_RETRIES))
}

/// Returns the attempts at a function: only retries that the task itself declares count.
fn function_attempts(task: &Task<'_>) -> Bound {
    let items = &task.syntax.items;
    one_more(match &items.retry {
        Some(retry) => max_retries_of(&retry.value),
        None => limit(&items.max_retries).unwrap_or(Bound::ZERO),
    })
}

fn max_tool_calls(model: &Model<'_>, task: &Task<'_>) -> Option<Bound> {
    limit(&task.syntax.items.max_tool_calls).or_else(|| limit(&model.syntax.items.max_tool_calls))
}

fn has_async_check(task: &Task<'_>) -> bool {
    task.syntax.items.check.as_ref().is_some_and(|check| check.value.is_async.is_some())
}

/// Returns the bytes of a prompt that are fixed in the declaration.
fn fixed_bytes(model: &Model<'_>, task: &Task<'_>) -> u64 {
    let (items, process) = (&task.syntax.items, &model.syntax.items);
    let own = items.prompt.as_ref().or(items.reason.as_ref());
    let texts = match &items.full_prompt {
        Some(whole) => [process.system.as_ref(), Some(whole), None],
        None => [process.system.as_ref(), process.intro.as_ref(), own],
    };
    let facts =
        texts.into_iter().flatten().map(|text| model.text_facts(&text.value, Some(task)).fixed);
    let labels = task.transitions.iter().filter_map(|edge| edge.syntax.label.as_ref());
    let labels = labels.map(|label| model.text_facts(label, None).fixed);
    u64::try_from(facts.chain(labels).sum::<usize>()).unwrap_or(u64::MAX)
}
