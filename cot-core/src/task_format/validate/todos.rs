//! Todo items: defined, then satisfied.

use std::collections::{BTreeMap, HashSet};

use super::{
    super::{
        Block, BlockKind, Code, Expr, Named, Position, Report, Value,
        diagnostic::{Findings, shown},
    },
    unique,
};

/// An item as far as the trace was read.
#[derive(Clone, Copy, Debug)]
struct Item {
    position: Position,
    turn: usize,
    is_satisfied: bool,
}

pub(super) fn check(blocks: &[Block], report: &mut Report, findings: &mut Findings) {
    let mut items = BTreeMap::new();
    let (mut defined, mut satisfied) = (Vec::new(), Vec::new());
    let mut turn = 0;
    for block in blocks {
        turn += usize::from(block.kind == BlockKind::User);
        defined.extend(define(block, turn, &mut items, findings));
        satisfy(&block.content, &mut items, &mut satisfied, findings);
    }
    for (number, item) in items {
        unsatisfied(number, item, findings);
    }
    report.todos_defined = unique(defined.into_iter());
    report.todos_satisfied = unique(satisfied.into_iter());
}

/// Takes the items of a todo list. A new plan of the same turn keeps what is done; a new turn can
/// begin to count anew.
fn define(
    block: &Block,
    turn: usize,
    items: &mut BTreeMap<u64, Item>,
    findings: &mut Findings,
) -> Vec<u64> {
    let mut here = HashSet::new();
    for todo in block.todos() {
        let position = todo.entry.position;
        let Some(number) = todo.number else {
            let message = format!("{} is no number of a todo item", shown(&todo.entry.key));
            findings.add(Code::BadTodoId, position, message);
            continue;
        };
        if !here.insert(number) {
            let message = format!("the todo item {number} is given twice");
            findings.add(Code::DuplicateTodo, position, message);
            continue;
        }
        let new = Item { position, turn, is_satisfied: false };
        let item = items.entry(number).or_insert(new);
        if item.turn != turn {
            unsatisfied(number, *item, findings);
            *item = new;
        }
    }
    block.todos().filter_map(|todo| todo.number).collect()
}

fn satisfy(
    expr: &Expr,
    items: &mut BTreeMap<u64, Item>,
    satisfied: &mut Vec<u64>,
    findings: &mut Findings,
) {
    match &expr.value {
        Value::Array(list) => {
            list.iter().for_each(|item| satisfy(item, items, satisfied, findings));
        }
        Value::Object(object) => {
            let exprs = object.entries.iter().map(|entry| &entry.expr);
            exprs.for_each(|expr| satisfy(expr, items, satisfied, findings));
        }
        _ => {}
    }
    for Named { text: number, position } in expr.satisfies() {
        satisfied.push(*number);
        match items.get_mut(number) {
            Some(item) => item.is_satisfied = true,
            None => {
                let message = format!("no todo item {number} is defined");
                findings.add(Code::UndefinedTodo, *position, message);
            }
        }
    }
}

fn unsatisfied(number: u64, item: Item, findings: &mut Findings) {
    if !item.is_satisfied {
        let message = format!("nothing satisfies the todo item {number}");
        findings.add(Code::UnsatisfiedTodo, item.position, message);
    }
}
