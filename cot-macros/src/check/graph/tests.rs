//! Tests of the linear algorithms against an exhaustive search.

use std::collections::BTreeSet;

use super::{ends::Ends, oracle::Oracle, task_graph::TaskGraph};
use crate::{check::random::Random, model};
use cot_syntax::diagnostics::Errors;

#[test]
fn verdicts_are_those_of_every_place() {
    let mut numbers = Random::new();
    let (mut unreached, mut stuck, mut lonely) = (0, 0, 0);
    for _ in 0..2_000 {
        let source = process(&mut numbers);
        let errors = Errors::new();
        let syntax = cot_syntax::parse(source.parse().unwrap(), &errors).unwrap();
        let model = model::build(&syntax, &errors);
        let graph = TaskGraph::new(&model);
        let ends = Ends::new(&graph);
        let oracle = Oracle::new(&graph);

        let missed: BTreeSet<_> =
            (0..model.tasks.len()).filter(|task| !oracle.reached_tasks().contains(task)).collect();
        let found = |set: &[bool]| -> BTreeSet<usize> {
            (0..set.len()).filter(|&task| set[task]).collect()
        };
        let reached = found(&graph.reached);
        assert_eq!(reached, oracle.reached_tasks(), "reached in {source}");
        assert_eq!(graph.heads_of_unreached(), oracle.heads(&missed), "unreached in {source}");
        let without = found(&graph.reached_without_callers(graph.start, None));
        assert_eq!(without, oracle.reached_without_callers(), "without callers in {source}");
        assert_eq!(found(&ends.stuck_tasks()), oracle.stuck_tasks(), "stuck in {source}");
        assert_eq!(ends.heads_of_stuck(), oracle.heads(&oracle.stuck_tasks()), "heads in {source}");
        unreached += missed.len();
        stuck += oracle.stuck_tasks().len();
        lonely += usize::from(!without.is_empty());
    }
    assert!(unreached > 1_000, "only {unreached} tasks are not reached");
    assert!(stuck > 500, "only {stuck} tasks are stuck");
    assert!(lonely > 1_000);
}

/// Generates a process of a few tasks with routes of all kinds.
fn process(numbers: &mut Random) -> String {
    let tasks = 2 + numbers.below(6);
    let mut source = "process Demo { state: S,".to_owned();
    if numbers.below(4) == 0 {
        source.push_str(&format!("default_return: t{},", numbers.below(tasks)));
    }
    if numbers.below(4) == 0 {
        source.push_str("sequence steps [t0, t1],");
    }
    let sparse = 2 + numbers.below(6);
    let targets = |numbers: &mut Random| -> String {
        let chosen = (0..tasks).filter(|_| numbers.below(sparse) == 0);
        chosen.map(|to| format!("t{to}")).collect::<Vec<_>>().join(", ")
    };
    for task in 0..tasks {
        let (calls, next) = (targets(numbers), targets(numbers));
        let on = match numbers.below(6) {
            0 => format!("on: {{ exhausted => t{} }},", numbers.below(tasks)),
            _ => String::new(),
        };
        let next = match numbers.below(2) {
            0 if !next.is_empty() => format!("next: {{ {next} }},"),
            _ => String::new(),
        };
        source.push_str(&match numbers.below(12) {
            0 => format!("task t{task} {{ end }}"),
            1 => format!("task t{task} {{ next: {{ {calls} }} }}"),
            2 => format!("task t{task} {{ transitions: {{ {calls} }}, {on} }}"),
            3 => format!("task t{task} {{ run: work, {on} {next} }}"),
            4 if sparse == 2 => format!("task t{task} {{ run: work, next: nowhere }}"),
            5 => format!("task t{task} -> u8 {{ process_output: choose -> [{calls}], {on} }}"),
            _ => format!("task t{task} -> u8 {{ transitions: {{ {calls} }}, {on} {next} }}"),
        });
    }
    source + "}"
}
