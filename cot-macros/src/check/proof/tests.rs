//! Tests of the paths that the check follows against all runs of a simulated engine.

use std::collections::VecDeque;

use super::{paths::Paths, writes::writes};
use crate::{check::random::Random, model, model::Model};
use cot_syntax::diagnostics::Errors;

/// A task, and the chain of its callers.
type RunPosition = (usize, Vec<usize>);

#[test]
fn paths_are_those_of_the_engine() {
    let mut numbers = Random::new();
    let mut unset = 0;
    for _ in 0..2_000 {
        let source = process(&mut numbers);
        let errors = Errors::new();
        let tokens = source.parse().unwrap();
        let syntax = cot_syntax::parse(tokens, &errors).unwrap();
        let model = model::build(&syntax, &errors);
        assert_eq!(errors.messages(), Vec::<String>::new(), "{source}");
        let paths = Paths::while_unset(&model, 0);
        let expected = run_all(&model);
        let found: Vec<_> = (0..model.tasks.len())
            .map(|task| paths.reaches(task).then(|| paths.length(Some(task))))
            .collect();
        assert_eq!(found, expected, "{source}");
        unset += found.iter().flatten().count();
    }
    assert!(unset > 4_000, "only {unset} places: the processes are too simple");
}

/// Returns the length of the shortest path to each task that a run can reach while the field is unset.
fn run_all(model: &Model<'_>) -> Vec<Option<usize>> {
    let mut least = vec![None; model.tasks.len()];
    let mut seen: Vec<RunPosition> = vec![(model.start, Vec::new())];
    let mut open = VecDeque::from([((model.start, Vec::new()), 1)]);
    while let Some((place, length)) = open.pop_front() {
        least[place.0].get_or_insert(length);
        for next in moves(model, &place) {
            if !seen.contains(&next) {
                seen.push(next.clone());
                open.push_back((next, length + 1));
            }
        }
    }
    least
}

/// Returns the next positions of the engine after which the field is still unset.
fn moves(model: &Model<'_>, (index, callers): &RunPosition) -> Vec<RunPosition> {
    let task = &model.tasks[*index];
    let mut next = Vec::new();
    for edge in &task.transitions {
        let mut callers = callers.clone();
        callers.push(*index);
        next.push(unwound(edge.target, callers));
    }
    next.extend(task.on.iter().map(|edge| unwound(edge.target, callers.clone())));
    let succeeds = task.output.is_some() && !task.kind.is_terminal();
    if succeeds && !writes(model, task, 0) {
        let arms: Vec<_> = task.next.iter().map(|edge| edge.target).collect();
        let arms = if arms.is_empty() {
            let after = task.in_sequence.or(model.default_return);
            after.or(callers.last().copied()).into_iter().collect()
        } else {
            arms
        };
        next.extend(arms.into_iter().map(|target| unwound(target, callers.clone())));
    }
    next
}

/// Moves to a task. If it waits in the chain, the chain is cut back to it.
fn unwound(target: usize, mut callers: Vec<usize>) -> RunPosition {
    if let Some(position) = callers.iter().position(|&task| task == target) {
        callers.truncate(position);
    }
    (target, callers)
}

/// Generates a process of a few tasks with routes of all kinds.
fn process(numbers: &mut Random) -> String {
    let tasks = 2 + numbers.below(4);
    let mut source = "process Demo { state: { plan: u8, other: u8 = 0 },".to_owned();
    if numbers.below(3) == 0 {
        source.push_str(&format!("default_return: t{},", numbers.below(tasks)));
    }
    if numbers.below(3) == 0 {
        source.push_str("sequence steps [t0, t1],");
    }
    for task in 0..tasks {
        let output = if numbers.below(4) > 0 { "-> u8" } else { "" };
        source.push_str(&format!("task t{task} {output} {{"));
        let targets = |numbers: &mut Random| {
            let chosen: Vec<_> =
                (0..tasks).filter(|_| numbers.below(3) == 0).map(|to| format!("t{to}")).collect();
            chosen
        };
        source.push_str(&format!("transitions: {{ {} }},", targets(numbers).join(", ")));
        if numbers.below(3) == 0 {
            source.push_str(&format!("on: {{ exhausted => t{} }},", numbers.below(tasks)));
        }
        if !output.is_empty() {
            let written = ["plan", "other", "plan?.x", "plan.x"][numbers.below(4)];
            source.push_str(&format!("update: {written},"));
            let arms = targets(numbers).join(", ");
            if !arms.is_empty() && numbers.below(2) == 0 {
                source.push_str(&format!("next: {{ {arms} }},"));
            }
        }
        source.push('}');
    }
    source + "}"
}
