//! Tests of the bounds against all runs of a simulated engine, and of single forms.

use std::collections::BTreeMap;

use cot_bounds::{Bound, WorstCase};
use cot_syntax::diagnostics::Errors;

use super::{causes::Cause, evaluate::Evaluated, plan::Plan};
use crate::{
    check::{graph::task_graph::TaskGraph, random::Random},
    model::{self, Model},
};

/// A task, the chain of its callers, and the length of the list that counts.
type RunPosition = (usize, Vec<usize>, u64);

/// The length at which the guards of the generated processes stop to hold.
const LIMIT: u64 = 3;

#[test]
fn no_run_of_the_engine_exceeds_the_bound() {
    let mut numbers = Random::new();
    let (mut bounded, mut endless, mut counted, mut reached) = (0, 0, 0, 0);
    for _ in 0..3_000 {
        let source = process(&mut numbers);
        let errors = Errors::new();
        let syntax = cot_syntax::parse(source.parse().unwrap(), &errors).unwrap();
        let model = model::build(&syntax, &errors);
        assert_eq!(errors.messages(), Vec::<String>::new(), "{source}");
        let Some(most) = most_calls(&model) else { continue };
        let plan = Plan::new(&model, &TaskGraph::new(&model));
        let found = Evaluated::new(&plan).unwrap().run.model_calls;
        // The default limit of steps bounds what the paths do not.
        let found = if plan.limits.is_default { Bound::UNBOUNDED } else { found };
        assert!(found >= most, "{found} < {most} in {source}");
        bounded += usize::from(found != Bound::UNBOUNDED);
        endless += usize::from(most == Bound::UNBOUNDED);
        counted += usize::from(found != Bound::UNBOUNDED && most.get() > Some(5));
        reached += usize::from(found == most);
    }
    let seen = format!("{bounded} bounded, {endless} endless, {counted} counted, {reached} exact");
    assert!(bounded > 500 && endless > 1_000 && counted > 15, "{seen}");
    assert!(reached > 2_000, "{seen}");
}

/// Returns the most calls of a run, or `None` if there are too many positions to follow.
fn most_calls(model: &Model<'_>) -> Option<Bound> {
    let mut positions: Vec<RunPosition> = vec![(model.start, Vec::new(), 0)];
    let mut index = BTreeMap::from([(positions[0].clone(), 0)]);
    let mut next: Vec<Vec<usize>> = Vec::new();
    while let Some(position) = positions.get(next.len()).cloned() {
        let after = moves(model, &position).into_iter().map(|after| {
            let new = positions.len();
            *index.entry(after.clone()).or_insert_with(|| {
                positions.push(after);
                new
            })
        });
        let after = after.collect();
        next.push(after);
        if positions.len() > 400 {
            return None;
        }
    }
    let cost = |position: usize| u64::from(!model.tasks[positions[position].0].kind.is_terminal());
    let mut most = vec![0; positions.len()];
    for _ in 0..=positions.len() {
        let longer: Vec<u64> = (0..positions.len())
            .map(|at| cost(at) + next[at].iter().map(|next| most[*next]).max().unwrap_or(0))
            .collect();
        if longer == most {
            return Some(Bound::at_most(most[0]));
        }
        most = longer;
    }
    Some(Bound::UNBOUNDED)
}

/// Returns the next positions of the engine.
fn moves(model: &Model<'_>, (index, callers, length): &RunPosition) -> Vec<RunPosition> {
    let task = &model.tasks[*index];
    if task.kind.is_terminal() {
        return Vec::new();
    }
    let mut next = Vec::new();
    for edge in
        task.transitions.iter().filter(|edge| edge.syntax.guard.is_none() || *length < LIMIT)
    {
        let mut callers = callers.clone();
        callers.push(*index);
        next.push(unwound(edge.target, callers, *length));
    }
    next.extend(task.on.iter().map(|edge| unwound(edge.target, callers.clone(), *length)));
    if task.output.is_none() {
        return next;
    }
    let length = (length + u64::from(task.syntax.items.update.is_some())).min(LIMIT + 1);
    if let Some(arm) = task.next.iter().find(|edge| edge.syntax.guard.is_none() || length < LIMIT) {
        next.push(unwound(arm.target, callers.clone(), length));
    } else if let [before @ .., caller] = &callers[..] {
        next.push((*caller, before.to_vec(), length));
    }
    next
}

fn unwound(target: usize, mut callers: Vec<usize>, length: u64) -> RunPosition {
    if let Some(at) = callers.iter().position(|caller| *caller == target) {
        callers.truncate(at);
    }
    (target, callers, length)
}

/// Generates a process of a few tasks with routes of all kinds, and guards that count.
fn process(numbers: &mut Random) -> String {
    let tasks = 2 + numbers.below(4);
    let mut source = "process Demo { state: { items: Vec<u8> = Vec::new() },".to_owned();
    let guard = |numbers: &mut Random| match numbers.below(2) {
        0 => " if state.items.len() < 3",
        _ => "",
    };
    for task in 0..tasks {
        let target = |numbers: &mut Random| match numbers.below(3) {
            0 => "done".to_owned(),
            _ => format!("t{}", numbers.below(tasks)),
        };
        let has_output = numbers.below(4) > 0;
        source.push_str(&format!(
            "task t{task} {} {{ prompt: \"x\", max_retries: 0,",
            match has_output {
                true => "-> Out",
                false => "",
            }
        ));
        if !has_output || numbers.below(3) == 0 {
            source.push_str(&format!(
                "transitions: {{ {}{}, done }},",
                format_args!("t{}", numbers.below(tasks)),
                guard(numbers)
            ));
        }
        if has_output {
            if numbers.below(2) == 0 {
                source.push_str("update: items[],");
            }
            match numbers.below(4) {
                0 => {}
                1 => source.push_str(&format!("next: {},", target(numbers))),
                _ => source.push_str(&format!(
                    "next: {{ {}{}, {} }},",
                    target(numbers),
                    guard(numbers),
                    target(numbers)
                )),
            }
        }
        if numbers.below(5) == 0 {
            source.push_str(&format!("on: {{ exhausted => {} }},", target(numbers)));
        }
        source.push('}');
    }
    source.push_str("task done { end } }");
    source
}

/// Returns the bounds of a process, and why some are missing.
fn bounds(tasks: &str) -> (WorstCase, Vec<String>) {
    let state = "state: { items: Vec<u8> = Vec::new(), list: Vec<u8> = Vec::new(), rounds: u32 = 0, small: u8 = 0 },";
    let source = format!("process Demo {{ {state} {tasks} task done {{ end }} }}");
    let errors = Errors::new();
    let syntax = cot_syntax::parse(source.parse().unwrap(), &errors).unwrap();
    let model = model::build(&syntax, &errors);
    assert_eq!(errors.messages(), Vec::<String>::new());
    let plan = Plan::new(&model, &TaskGraph::new(&model));
    let causes = Cause::all_in(&plan, &model).into_iter().map(|cause| cause.text).collect();
    (Evaluated::new(&plan).unwrap().run, causes)
}

fn calls(tasks: &str) -> Option<u64> {
    bounds(tasks).0.model_calls.get()
}

#[test]
fn a_visit_costs_its_attempts_engines_and_tool_calls() {
    assert_eq!(calls(r#"task a -> Out { prompt: "x", next: done }"#), Some(3));
    assert_eq!(
        calls(r#"model: ["s", "m"], max_retries: 4, task a -> Out { prompt: "x", next: done }"#),
        Some(10)
    );
    let tools = r#"tools: { find: find "finds" { approve: person, retry: { max: 3 } } },"#;
    let task = r#"task a -> Out { prompt: "x", retry: { max: 1 }, tools: [find], max_tool_calls: 5, max_tokens: 7, check: async f, next: done }"#;
    let (case, causes) = bounds(&format!("{tools} {task}"));
    assert_eq!(causes, Vec::<String>::new());
    let expected = "11 model calls, 26 function calls, 5 questions, 77 output tokens, 11 bytes of declared prompts";
    assert_eq!(case.to_string(), expected);
}

#[test]
fn items_and_branches_add_up() {
    let each = r#"task each -> Out { for_each: item in &state.items, max_items: 20, prompt: "x", max_retries: 0, next: run }
        task run -> Out { for_each: item in &state.items, max_items: 5, run: f, retry: { max: 2 }, next: done }"#;
    let (case, _) = bounds(each);
    assert_eq!((case.model_calls.get(), case.function_calls.get()), (Some(20), Some(15)));
    let parallel = r#"start: both, parallel both [a, b] => join
        task a -> Out { prompt: "x", max_retries: 0, update: items[], next: { join if state.rounds > 1, c } }
        task c -> Out { prompt: "x", max_retries: 4, update: items[], next: join }
        task b -> Out { prompt: "x", max_retries: 9, update: list[], next: join }
        task join -> Out { prompt: "x", max_retries: 0, next: done }"#;
    assert_eq!(calls(parallel), Some(1 + 5 + 10 + 1));
    let again = parallel.replace(
        "next: done",
        "update: { rounds = state.rounds + 1 }, next: { both if state.rounds < 2, done }",
    );
    assert_eq!(calls(&again), Some(2 * (1 + 5 + 10 + 1)));
}

#[test]
fn guards_that_count_bound_a_loop() {
    let looping = |guard: &str| {
        format!(
            r#"task a -> Out {{ prompt: "x", max_retries: 0, update: {{ items[] = output, rounds = state.rounds + 1 }}, next: {{ {guard} }} }}"#
        )
    };
    for (arms, laps) in [
        ("a if state.items.len() < 12, done", 12),
        ("a if 12 > state.items.len() && state.ok, done", 12),
        ("a if state.items.len() <= 12, done", 13),
        ("done if state.items.len() >= 12, a", 12),
        ("done if state.ok || state.items.len() > 12, a", 13),
        ("a if !(state.items.len() >= 12), done", 12),
        ("a if state.rounds < 4, done", 4),
    ] {
        assert_eq!(calls(&looping(arms)), Some(laps), "{arms}");
    }
    for arms in [
        "a if state.items.len() < 12 || state.ok, done",
        "a if state.items.len() > 12, done",
        "done if state.items.len() >= 12 && state.ok, a",
        "a if state.items.len() < LIMIT, done",
        "a if state.list.len() < 12, done",
        "a if state.ok, done",
    ] {
        // The default limit of steps.
        assert_eq!(calls(&looping(arms)), Some(200), "{arms}");
    }
    // A number that would wrap around does not count.
    let small = |step: u32, limit: u32| {
        let source = format!(
            "task a -> Out {{ prompt: \"x\", max_retries: 0, update: {{ small = state.small + {step} }}, next: {{ a if state.small < {limit}, done }} }}"
        );
        calls(&source)
    };
    assert_eq!(
        [small(1, 100), small(1, 255), small(128, 100)].map(|laps| laps == Some(200)),
        [false, true, true]
    );
    assert_eq!(small(50, 100), Some(100));
    // A write that shortens the list, or one that does not always take place, does not count.
    for update in
        ["{ items = output }", "{ items[] = output if state.ok }", "{ rounds = state.rounds + 0 }"]
    {
        let source = looping("a if state.items.len() < 12, done")
            .replace("{ items[] = output, rounds = state.rounds + 1 }", update);
        assert_eq!(calls(&source), Some(200), "{update}");
    }
}

#[test]
fn limits_of_the_process_bound_the_rest() {
    let endless = r#"task a { prompt: "x", transitions: { a, done } }"#;
    assert_eq!(calls(endless), Some(600));
    assert_eq!(calls(&format!("max_steps: 7, {endless}")), Some(21));
    assert_eq!(calls(&format!("budget: {{ calls: 5 }}, {endless}")), Some(5));
    assert_eq!(calls(&format!("budget: {{ cost: 1.5 }}, {endless}")), None);
    // The default counts from zero after each answer.
    let person = r#"task a -> Out { prompt: "x", next: b } task b -> Out { ask: "x", next: a }"#;
    let (case, causes) = bounds(person);
    assert_eq!((case.model_calls.get(), case.questions.get()), (None, None));
    assert!(causes.contains(&"`a` -> `b` -> `a` repeats without a bound".to_owned()), "{causes:?}");
    assert!(causes.contains(&"`a` sets no `max_tokens`".to_owned()), "{causes:?}");
}
