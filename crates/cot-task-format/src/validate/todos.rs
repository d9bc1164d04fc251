//! Rules for todo items: they are defined and later satisfied.

use std::collections::{BTreeMap, HashSet};

use super::common::unique;
use crate::{
    block::{Block, BlockKind, TodoItem, Trace},
    diagnostic::{Code, Findings, quote_excerpt},
    position::Position,
    report::Report,
    value::{Expr, Located, Value},
};

/// The todo items of the structures that were read so far.
#[derive(Debug, Default)]
pub(crate) struct TodoStates<'b> {
    items: BTreeMap<u64, TodoState<'b>>,
    /// The number of user messages that were read.
    turn: usize,
}

/// The newest item with a number.
#[derive(Clone, Copy, Debug)]
struct TodoState<'b> {
    text: Option<&'b str>,
    position: Position,
    turn: usize,
    is_satisfied: bool,
}

pub(super) fn check(blocks: &[Block], report: &mut Report, findings: &mut Findings) {
    let mut items = TodoStates::default();
    let (mut defined, mut satisfied) = (Vec::new(), Vec::new());
    for block in blocks {
        defined.extend(block.todos().filter_map(|todo| todo.number));
        satisfied.extend(items.read(block, findings));
    }
    for (number, item) in items.items {
        report_unsatisfied(number, item, findings);
    }
    report.todos_defined = unique(defined.into_iter());
    report.todos_satisfied = unique(satisfied.into_iter());
}

impl<'b> TodoStates<'b> {
    /// Reads the next structure. Returns the numbers that it satisfies.
    pub(crate) fn read(&mut self, block: &'b Block, findings: &mut Findings) -> Vec<u64> {
        self.turn += usize::from(block.kind == BlockKind::User);
        self.define(block, findings);
        let mut satisfied = Vec::new();
        self.satisfy(&block.content, &mut satisfied, findings);
        satisfied
    }

    /// Converts to a list of the items in their current state, ordered by number.
    pub(crate) fn into_list(self) -> Vec<TodoItem> {
        let item = |(number, item): (u64, TodoState<'_>)| TodoItem {
            number,
            text: item.text.unwrap_or_default().to_owned(),
            turn: item.turn,
            is_satisfied: item.is_satisfied,
        };
        self.items.into_iter().map(item).collect()
    }

    /// Adds the items of a todo list. A new plan in the same turn keeps the satisfied state of its
    /// items; a new turn resets it.
    fn define(&mut self, block: &'b Block, findings: &mut Findings) {
        let mut here = HashSet::new();
        for todo in block.todos() {
            let position = todo.entry.position;
            let Some(number) = todo.number else {
                let message =
                    format!("{} is no number of a todo item", quote_excerpt(&todo.entry.key));
                findings.add(Code::BadTodoId, position, message);
                continue;
            };
            if !here.insert(number) {
                let message = format!("the todo item {number} is given twice");
                findings.add(Code::DuplicateTodo, position, message);
                continue;
            }
            let (text, turn) = (todo.text(), self.turn);
            let new = TodoState { text, position, turn, is_satisfied: false };
            let item = self.items.entry(number).or_insert(new);
            if item.turn != turn {
                report_unsatisfied(number, *item, findings);
                *item = new;
            }
            item.text = text;
        }
    }

    fn satisfy(&mut self, expr: &Expr, satisfied: &mut Vec<u64>, findings: &mut Findings) {
        match &expr.value {
            Value::Array(list) => {
                list.iter().for_each(|item| self.satisfy(item, satisfied, findings));
            }
            Value::Object(object) => {
                let exprs = object.entries.iter().map(|entry| &entry.expr);
                exprs.for_each(|expr| self.satisfy(expr, satisfied, findings));
            }
            _ => {}
        }
        for Located { value: number, position } in expr.satisfies() {
            // `⊨` accepts only item numbers, so the conversion never fails for a trace that was read.
            let Some(number) = number.as_u64() else { continue };
            satisfied.push(number);
            match self.items.get_mut(&number) {
                Some(item) => item.is_satisfied = true,
                None => {
                    let message = format!("no todo item {number} is defined");
                    findings.add(Code::UndefinedTodo, *position, message);
                }
            }
        }
    }
}

fn report_unsatisfied(number: u64, item: TodoState<'_>, findings: &mut Findings) {
    if !item.is_satisfied {
        let message = format!("nothing satisfies the todo item {number}");
        findings.add(Code::UnsatisfiedTodo, item.position, message);
    }
}

impl Trace {
    /// Returns the final states of the todo items, ordered by number. If turns reuse a number, the
    /// newest item counts.
    ///
    /// ```
    /// let text = "user「Hello」 plan { todo ↦ { 1 ↦ Greet • 2 ↦ Ask } } act { think ↦ \"Hi!\" ⊨ 1 }";
    /// let todos = cot_core::task_format::parse(text)?.todos();
    /// assert_eq!((todos[0].is_satisfied, todos[1].is_satisfied), (true, false));
    /// assert_eq!((&*todos[1].text, todos[1].turn), ("Ask", 1));
    /// # Ok::<(), cot_core::task_format::ParseErrors>(())
    /// ```
    #[must_use]
    pub fn todos(&self) -> Vec<TodoItem> {
        let mut items = TodoStates::default();
        for block in &self.blocks {
            items.read(block, &mut Findings::default());
        }
        items.into_list()
    }
}
