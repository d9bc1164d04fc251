//! Routing, in its order, and the calling task.

use cot_core::__private::{Definition, Ending, TaskDefinition};

use crate::{
    drive::{call, ending, field, go, names, reply, started, started_with},
    lab::{ADD, Base, DECIDE, DONE, GATE, REVIEW, State, TASKS, Task, definition, plan},
};

#[test]
fn a_task_that_says_nothing_returns_to_the_calling_task() {
    let mut machine = started::<Base>();
    reply(&mut machine, go("add"));
    assert_eq!(machine.callers().collect::<Vec<_>>(), [Task(DECIDE)]);
    reply(&mut machine, field("a"));
    assert_eq!(call(&mut machine).task, Task(DECIDE));
    assert_eq!(machine.callers().count(), 0);
}

#[test]
fn callers_are_popped_one_by_one() {
    let mut machine = started::<Base>();
    reply(&mut machine, go("review"));
    reply(&mut machine, go("add"));
    reply(&mut machine, field("a"));
    assert_eq!(call(&mut machine).task, Task(REVIEW));
    assert_eq!(machine.callers().collect::<Vec<_>>(), [Task(DECIDE)]);
    reply(&mut machine, field("b"));
    assert_eq!(call(&mut machine).task, Task(DECIDE));
    assert_eq!(names(machine.state()), ["a", "b"]);
}

#[test]
fn arms_see_the_output_and_the_state_after_it() {
    let mut machine = started::<Base>();
    reply(&mut machine, go("review"));
    reply(&mut machine, field("stop"));
    assert!(matches!(ending(&mut machine), Ending::End(Task(DONE))));
    // The fourth field makes the second arm hold, which leads through the gateway.
    let field = |name: &str| serde_json::from_value(field(name)).unwrap();
    let fields = ["a"].map(field).to_vec();
    let mut machine = started_with::<Base>(State { fields, ..State::default() });
    reply(&mut machine, go("review"));
    for name in ["b", "c"] {
        reply(&mut machine, go("add"));
        reply(&mut machine, crate::drive::field(name));
    }
    reply(&mut machine, crate::drive::field("d"));
    assert_eq!(call(&mut machine).task, Task(DECIDE));
    assert_eq!(machine.callers().count(), 0);
}

#[test]
fn gateways_cost_no_step_and_lead_on() {
    let note = Some("why".to_owned());
    let mut machine = started_with::<StartsAtGate>(State { note, ..State::default() });
    assert!(matches!(ending(&mut machine), Ending::Fail(Task(5), why) if why == "note why"));
    assert_eq!(machine.steps(), 0);
    let mut machine = started::<StartsAtGate>();
    assert_eq!(call(&mut machine).task, Task(DECIDE));
    assert_eq!(machine.steps(), 1);
}

#[test]
fn a_choice_of_process_output_comes_first() {
    let mut machine = started::<Returning>();
    reply(&mut machine, field("fail"));
    assert!(matches!(ending(&mut machine), Ending::Fail(Task(5), why) if why == "no note"));
    assert_eq!(names(machine.state()), ["fail"]);
}

#[test]
fn the_default_return_comes_before_the_calling_task() {
    let mut machine = started::<Returning>();
    reply(&mut machine, field("a"));
    assert_eq!(call(&mut machine).task, Task(REVIEW));
    reply(&mut machine, go("add"));
    reply(&mut machine, field("b"));
    assert_eq!(call(&mut machine).task, Task(REVIEW));
    assert_eq!(machine.callers().count(), 0);
}

#[test]
fn the_sequence_comes_before_the_default_return() {
    let mut machine = started::<InSequence>();
    reply(&mut machine, field("a"));
    assert!(matches!(ending(&mut machine), Ending::End(Task(DONE))));
}

#[test]
fn without_a_route_the_run_ends() {
    let mut machine = started::<NoRoute>();
    reply(&mut machine, field("a"));
    assert!(matches!(ending(&mut machine), Ending::RanOut(Task(ADD))));
    assert!(matches!(machine.outcome(), Some(Ending::RanOut(Task(ADD)))));
}

#[test]
fn a_loop_of_gateways_ends() {
    let mut machine = started::<Circle>();
    assert!(matches!(ending(&mut machine), Ending::Halted(halt) if halt.task == Task(GATE)));
}

const fn starting_at(start: usize) -> Definition {
    Definition { start, ..definition(TASKS) }
}

plan!(StartsAtGate { DEFINITION: Definition = starting_at(GATE) });
plan!(NoRoute { DEFINITION: Definition = starting_at(ADD) });
plan!(Returning {
    DEFINITION: Definition = Definition { default_return: Some(REVIEW), ..starting_at(ADD) },
});
plan!(InSequence {
    DEFINITION: Definition = Definition {
        default_return: Some(REVIEW),
        tasks: &[
            crate::lab::task("decide", cot_core::__private::TaskKind::Gateway, &[]),
            TaskDefinition {
                in_sequence: Some(DONE),
                ..crate::lab::task("add", cot_core::__private::TaskKind::Ai(crate::lab::AI), &[],)
            },
            crate::lab::task("review", cot_core::__private::TaskKind::Gateway, &[]),
            crate::lab::task("gate", cot_core::__private::TaskKind::Gateway, &[]),
            crate::lab::task("done", cot_core::__private::TaskKind::End, &[]),
        ],
        ..starting_at(ADD)
    },
});
plan!(Circle {
    DEFINITION: Definition = Definition {
        tasks: &[
            crate::lab::task("decide", cot_core::__private::TaskKind::Gateway, &[GATE]),
            crate::lab::task("add", cot_core::__private::TaskKind::End, &[]),
            crate::lab::task("review", cot_core::__private::TaskKind::End, &[]),
            crate::lab::task("gate", cot_core::__private::TaskKind::Gateway, &[GATE, GATE]),
        ],
        ..starting_at(GATE)
    },
});
