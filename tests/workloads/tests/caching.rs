//! How much of the prompts a prompt cache can serve. `cargo test -p cot-workloads -- --nocapture` prints it.
#![expect(clippy::print_stdout, reason = "a measurement prints")]

use cot_core::Stability;
use cot_workloads::{
    builder::{self, CALLS},
    by_hand::{Layout, SYSTEM, by_hand},
    ledger,
    prefix::Prompts,
};

#[test]
fn by_hand_is_the_same_work() {
    let replies = builder::replies();
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    let state = builder::with_prompts(&replies, |request| {
        assert_eq!(request.system(), Some(SYSTEM));
        ours.push(request.prompt().to_owned());
    });
    let by_hand = by_hand(&replies, Layout::StableFirst, |prompt| theirs.push(prompt.to_owned()));
    assert_eq!(state, by_hand);
    assert_eq!(ours.len(), CALLS);
    for (ours, theirs) in ours.iter().zip(&theirs) {
        assert_eq!(ours, theirs);
    }
}

#[test]
fn most_of_a_prompt_is_a_prefix_of_an_earlier_one() {
    let replies = builder::replies();
    let (mut prompts, mut state_first) = (Prompts::default(), Prompts::default());
    builder::with_prompts(&replies, |request| prompts.add(SYSTEM, request.prompt()));
    by_hand(&replies, Layout::StateFirst, |prompt| state_first.add(SYSTEM, prompt));
    print("builder", &prompts);
    print("builder, state first", &state_first);
    assert!(prompts.shared() >= 0.54);
    assert!(state_first.shared() < 0.3);
    // A shorter fixed text makes the share smaller and the calls cheaper: what counts is what no cache serves.
    assert!(prompts.unshared_bytes() <= 156_000, "{}", prompts.unshared_bytes());
}

#[test]
fn nearly_all_of_a_list_that_only_grows_is_a_prefix() {
    let mut prompts = Prompts::default();
    ledger::with_prompts(|request| {
        prompts.add(request.system().unwrap_or_default(), request.prompt());
    });
    print("ledger", &prompts);
    assert!(prompts.shared() >= 0.8);
}

#[test]
fn a_growing_text_begins_with_the_previous_one() {
    let mut bookings: Vec<String> = Vec::new();
    ledger::with_prompts(|request| {
        let segments = request.segments();
        let mut growing = segments.iter().filter(|text| text.stability == Stability::Growing);
        bookings.push(growing.next().unwrap().text.clone());
        assert_eq!(growing.next(), None);
    });
    assert_eq!(bookings.len(), ledger::ENTRIES);
    for (before, after) in bookings.iter().zip(&bookings[1..]) {
        assert!(after.len() > before.len() && after.starts_with(before), "{before}\n{after}");
    }
}

fn print(name: &str, prompts: &Prompts) {
    let shared = prompts.shared() * 100.0;
    println!(
        "{name}: {} bytes, {shared:.1} % of them a prefix of an earlier prompt",
        prompts.bytes()
    );
}
