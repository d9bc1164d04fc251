//! A prompt is taken apart by part and stability.

use cot_core::{Event, PartName, PromptSegments, Stability, prelude::*};

use super::{Counter, retried, shop};
use crate::drive::{Note, SECOND, call, go, note, request, started};

#[test]
fn the_segments_of_every_request_make_up_its_prompt() {
    let mut machine = started::<Counter>(shop());
    for reply in [go("plain"), note("ä", 1), go("nowhere"), go("guarded"), go("hub"), note("", 0)]
    {
        let call = call(&mut machine);
        let segments = request(&call).segments();
        assert_eq!(segments.prompt(), request(&call).prompt());
        assert_eq!(Some(&*segments.system()), request(&call).system());
        assert_eq!(segments.bytes(), segments.prompt().len() + segments.system().len());
        let (id, reply) = (call.id, reply.into());
        machine.handle(Event::Replied { id, reply, elapsed: SECOND });
    }
}

fn texts(segments: &PromptSegments, part: PartName, stability: Stability) -> Vec<&str> {
    let segments = segments.iter().filter(|it| (it.part, it.stability) == (part, stability));
    segments.map(|segment| &*segment.text).collect()
}

fn volatile(segments: &PromptSegments, part: PartName) -> Vec<&str> {
    texts(segments, part, Stability::Volatile)
}

#[test]
fn what_templates_show_has_its_stability() {
    let segments = retried().prompt().unwrap().segments();
    // Nothing writes what the intro shows.
    assert_eq!(texts(&segments, PartName::Intro, Stability::PerRun), ["[7,8]", "Ada"]);
    assert_eq!(texts(&segments, PartName::Goal, Stability::PerRun), ["Serve Ada"]);
    assert_eq!(texts(&segments, PartName::Prompt, Stability::PerRun), ["2"]);
    assert_eq!(volatile(&segments, PartName::Transitions), ["- \"guarded\": Go over"]);
    assert_eq!(texts(&segments, PartName::History, Stability::Growing).len(), 1);
    assert_eq!(volatile(&segments, PartName::Errors).len(), 1);
    assert!(volatile(&segments, PartName::Output).is_empty());
    let system = segments.part_bytes(PartName::System);
    assert_eq!(segments.longest_fixed_prefix(), system + "Orders: ".len());
    let stable = segments.prompt().find("[7,8]").unwrap();
    assert!(segments.longest_stable_prefix() > system + stable);
}

#[test]
fn a_table_shows_the_sizes() {
    let segments = retried().prompt().unwrap().segments();
    let table = segments.to_string();
    let total = format!("total {:>26} 100.0 %", segments.bytes());
    assert!(table.lines().any(|line| line == total), "{table}");
    assert!(table.contains("transitions  volatile "), "{table}");
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

cot_process! {
    process Pages {
        state: { input titles: Vec<String>, input pages: Vec<usize>, notes: Vec<Note> = vec![] },

        task read -> Note {
            for_each: page in state.pages,
            prompt: "Read ${page} of ${state.pages.len()}: ${state.titles[*page]} ${format!(\"{page}\")} of \
                     ${state.pages.iter().map(|page| page + 1).max().unwrap_or(0)}",
            update: { notes = output },
            may_end,
        }
    }
}

#[test]
fn what_reads_an_item_is_volatile() {
    let titles = ["a", "b", "c"].map(str::to_owned).to_vec();
    let segments = started::<Pages>(PagesState::new(titles, vec![2])).prompt().unwrap().segments();
    assert_eq!(volatile(&segments, PartName::Prompt), ["2", "c", "2"]);
    // The first one is the number of pages, and the last one uses the name for something else.
    assert_eq!(texts(&segments, PartName::Prompt, Stability::PerRun), ["1", "3"]);
    let last = segments.iter().last().unwrap();
    assert_eq!(last.part, PartName::Prompt);
}

fn told(scope: &Scope<'_, Spoken>) -> String {
    format!("It is {}.", scope.state)
}

#[test]
fn what_a_function_returns_is_volatile() {
    let segments = started::<Spoken>(3).prompt().unwrap().segments();
    assert_eq!(volatile(&segments, PartName::Intro), ["It is 3."]);
    // Nothing writes the state.
    assert_eq!(texts(&segments, PartName::Prompt, Stability::PerRun), ["3"]);
}
