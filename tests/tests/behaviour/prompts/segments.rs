//! A prompt is taken apart into what is fixed and what varies.

use cot_core::{Event, Machine, PartName, PromptSegments, SegmentKind, prelude::*};

use super::{Counter, retried, shop};
use crate::drive::{Note, SECOND, call, go, note, request, started};

#[test]
fn segments_are_recorded_only_when_asked_for() {
    let mut machine = started::<Counter>(shop());
    assert_eq!(request(&call(&mut machine)).segments, None);
    let mut machine = Machine::<Counter>::new();
    machine.record_segments(true);
    machine.start(shop()).unwrap();
    assert!(request(&call(&mut machine)).segments.is_some());
}

#[test]
fn the_segments_of_every_request_make_up_its_prompt() {
    let mut machine = Machine::<Counter>::new();
    machine.record_segments(true);
    machine.start(shop()).unwrap();
    for reply in [go("plain"), note("ä", 1), go("nowhere"), go("guarded"), go("hub"), note("", 0)]
    {
        let call = call(&mut machine);
        let segments = request(&call).segments.as_deref().unwrap();
        assert_eq!(segments.prompt(), request(&call).prompt());
        assert_eq!(Some(&*segments.system()), request(&call).system());
        assert_eq!(segments.bytes(), segments.prompt().len() + segments.system().len());
        let (id, reply) = (call.id, reply.into());
        machine.handle(Event::Replied { id, reply, elapsed: SECOND });
    }
}

fn variable(segments: &PromptSegments, part: PartName) -> Vec<&str> {
    let varies = |kind| kind == SegmentKind::Variable;
    let segments = segments.iter().filter(|it| it.part == part && varies(it.kind));
    segments.map(|segment| &*segment.text).collect()
}

#[test]
fn what_templates_show_is_variable() {
    let segments = retried().prompt_segments().unwrap();
    assert_eq!(variable(&segments, PartName::Intro), ["[7,8]", "Ada"]);
    assert_eq!(variable(&segments, PartName::Goal), ["Serve Ada"]);
    assert_eq!(variable(&segments, PartName::Prompt), ["2"]);
    assert_eq!(variable(&segments, PartName::Transitions), ["- \"guarded\": Go over"]);
    assert_eq!(variable(&segments, PartName::History).len(), 1);
    assert_eq!(variable(&segments, PartName::Errors).len(), 1);
    assert!(variable(&segments, PartName::Output).is_empty());
    let prefix = segments.part_bytes(PartName::System) + "Orders: ".len();
    assert_eq!(segments.longest_fixed_prefix(), prefix);
}

#[test]
fn a_table_shows_the_sizes() {
    let segments = retried().prompt_segments().unwrap();
    let table = segments.to_string();
    let total = format!("total {:>26} 100.0 %", segments.bytes());
    assert!(table.lines().any(|line| line == total), "{table}");
    assert!(table.contains("transitions  variable "), "{table}");
    let estimate = segments.estimated_tokens();
    assert!(estimate.abs_diff(segments.bytes() / 4) <= 1);
}

cot_process! {
    process Spoken {
        state: u32,
        intro: told,
        task only -> Note { prompt: "Do ${state}.", may_end }
    }
}

fn told(scope: &Scope<'_, Spoken>) -> String {
    format!("It is {}.", scope.state)
}

#[test]
fn what_a_function_returns_is_variable() {
    let segments = started::<Spoken>(3).prompt_segments().unwrap();
    assert_eq!(variable(&segments, PartName::Intro), ["It is 3."]);
    assert_eq!(variable(&segments, PartName::Prompt), ["3"]);
}
